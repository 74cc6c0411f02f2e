package io.sluice.server.config.instance;

/** Where an instance keeps how far it was read; canal chooses it by the name of a wiring file. */
public enum CursorKind {
    /** Nowhere that outlives the process. */
    MEMORY,
    /** In {@code meta.dat} below the data directory. */
    FILE,
    /** In ZooKeeper, where all servers of a cluster find it. */
    ZOOKEEPER
}
