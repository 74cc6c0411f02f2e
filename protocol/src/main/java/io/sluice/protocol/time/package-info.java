/** Clocks as a parameter, and what runs tasks later. It does not know what they are used for. */
@NullMarked
package io.sluice.protocol.time;

import org.jspecify.annotations.NullMarked;
