/** Which transactions were seen. It does not know where they are read from. */
@NullMarked
package io.sluice.mysql.gtid;

import org.jspecify.annotations.NullMarked;
