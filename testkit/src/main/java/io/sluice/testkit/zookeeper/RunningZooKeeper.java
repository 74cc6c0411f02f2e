package io.sluice.testkit.zookeeper;

/** A ZooKeeper of one node that keeps its data and its port over stops, whichever its release. */
public interface RunningZooKeeper extends AutoCloseable {
    /** What clients connect to. */
    String connectString();

    /** Its TCP port. */
    int port();

    /** Ends it with all connections; sessions are left to run out. Stopping twice does nothing. */
    void stop();

    /** Starts it again with the data that it had, after a stop if it runs. */
    void restart();

    @Override
    void close();
}
