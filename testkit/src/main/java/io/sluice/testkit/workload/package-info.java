/**
 * Changes rows of all types at random, from a seed, as fast as a server takes it.
 *
 * <p>Does not know the readers of the changes.
 */
@NullMarked
package io.sluice.testkit.workload;

import org.jspecify.annotations.NullMarked;
