/**
 * Clocks as a parameter, what runs tasks later, the pauses between attempts, and how often a warning is repeated. It does not know what they are used
 * for.
 */
@NullMarked
package io.sluice.protocol.time;

import org.jspecify.annotations.NullMarked;
