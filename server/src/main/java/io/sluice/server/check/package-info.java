/** Reports what a configuration would deliver, without starting anything. It does not know how that is shown. */
@NullMarked
package io.sluice.server.check;

import org.jspecify.annotations.NullMarked;
