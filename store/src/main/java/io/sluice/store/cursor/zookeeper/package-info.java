/** Cursors, and other small texts of a destination, in nodes of ZooKeeper: those of canal, and those of Sluice beside them. */
@NullMarked
package io.sluice.store.cursor.zookeeper;

import org.jspecify.annotations.NullMarked;
