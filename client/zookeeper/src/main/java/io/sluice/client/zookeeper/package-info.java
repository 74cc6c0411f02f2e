/** Finds the server that runs a destination, by canal's nodes in ZooKeeper. It does not know how changes are pulled. */
@NullMarked
package io.sluice.client.zookeeper;

import org.jspecify.annotations.NullMarked;
