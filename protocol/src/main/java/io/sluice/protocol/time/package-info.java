/** Clocks as a parameter, what runs tasks later, and the pauses between attempts. It does not know what they are used for. */
@NullMarked
package io.sluice.protocol.time;

import org.jspecify.annotations.NullMarked;
