/**
 * The nodes in ZooKeeper of the servers that can run a destination: which are registered, which one owns it, and the heartbeats that leases
 * are confirmed by.
 *
 * <p>Must not decide: {@code ha} does.
 */
@NullMarked
package io.sluice.server.ha.zookeeper;

import org.jspecify.annotations.NullMarked;
