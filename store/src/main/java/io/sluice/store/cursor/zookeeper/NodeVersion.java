package io.sluice.store.cursor.zookeeper;

/** A node of ZooKeeper as it was: it was neither written nor created again while it has this version. */
public record NodeVersion(String path, int version) {}
