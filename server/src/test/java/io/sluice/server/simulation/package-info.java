/**
 * A whole instance in one thread and in simulated time: the real reader, pipeline, ring, sender and cursor store between a simulated
 * source and a simulated broker. It must not use threads, the clocks of the machine, or random numbers that are not drawn from the seed.
 */
@NullMarked
package io.sluice.server.simulation;

import org.jspecify.annotations.NullMarked;
