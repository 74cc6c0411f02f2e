/**
 * A real ZooKeeper for tests.
 *
 * <p>Knows nothing of what is kept in it.
 */
@NullMarked
package io.sluice.testkit.zookeeper;

import org.jspecify.annotations.NullMarked;
