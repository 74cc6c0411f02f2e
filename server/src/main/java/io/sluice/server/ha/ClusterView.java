package io.sluice.server.ha;

import io.sluice.server.config.ClusterConfig;
import io.sluice.store.cursor.CanalNodes;
import io.sluice.store.cursor.CursorEditor;
import io.sluice.store.cursor.ZooKeeperCursorEditor;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.KeeperException;

/** A read-only view of a cluster, for a process that is none of its servers. */
public final class ClusterView implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 15;

    private final CuratorFramework zooKeeper;

    private ClusterView(CuratorFramework zooKeeper) {
        this.zooKeeper = zooKeeper;
    }

    /** Begins to connect. */
    public static ClusterView open(ClusterConfig config) {
        CuratorFramework zooKeeper = Connection.of(config);
        zooKeeper.start();
        return new ClusterView(zooKeeper);
    }

    /** Waits until ZooKeeper answers, for a few seconds; false if it does not. */
    public boolean awaitConnection() {
        try {
            return zooKeeper.blockUntilConnected(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** The server that runs a destination, as its node states it; empty if none does. */
    public Optional<String> owner(String destination) {
        try {
            byte[] data = zooKeeper.getData().forPath(CanalNodes.running(destination));
            return Optional.of("the server " + new String(data, StandardCharsets.UTF_8));
        } catch (KeeperException.NoNodeException e) {
            return Optional.empty();
        } catch (Exception e) {
            throw new IllegalStateException("ZooKeeper does not state which server runs " + destination + ": " + e, e);
        }
    }

    /** The cursors of a destination, to be looked at and changed. */
    public CursorEditor cursors(String destination) {
        return new ZooKeeperCursorEditor(zooKeeper, destination);
    }

    @Override
    public void close() {
        zooKeeper.close();
    }
}
