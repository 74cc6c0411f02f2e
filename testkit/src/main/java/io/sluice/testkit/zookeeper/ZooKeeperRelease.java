package io.sluice.testkit.zookeeper;

/** A release of ZooKeeper that tests can start. */
public enum ZooKeeperRelease {
    /** 3.4.14, the last one of the oldest line in use: it knows no request that newer releases have added. */
    OLDEST,
    /** The release of the client on the class path. */
    NEWEST;

    /** Starts one without data. */
    public RunningZooKeeper start() {
        return switch (this) {
            case OLDEST -> OldZooKeeper.start();
            case NEWEST -> ZooKeeperNode.start();
        };
    }
}
