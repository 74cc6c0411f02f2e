/**
 * A whole instance in one thread and in simulated time: the real reader, pipeline, ring, sender and cursor store between a simulated
 * source and a simulated broker. It must not use a thread, a clock or a random number of its own.
 */
@NullMarked
package io.sluice.server.simulation;

import org.jspecify.annotations.NullMarked;
