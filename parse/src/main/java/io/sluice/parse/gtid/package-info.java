/** Which transactions were seen. It does not know where they are read from. */
@NullMarked
package io.sluice.parse.gtid;

import org.jspecify.annotations.NullMarked;
