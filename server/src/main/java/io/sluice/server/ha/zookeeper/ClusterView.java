package io.sluice.server.ha.zookeeper;

import io.sluice.server.config.cluster.ClusterConfig;
import io.sluice.server.ha.Obstacle;
import io.sluice.store.cursor.CursorEditor;
import io.sluice.store.cursor.zookeeper.CanalNodes;
import io.sluice.store.cursor.zookeeper.ZooKeeperCursorEditor;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.transaction.TransactionOp;
import org.apache.curator.utils.ZKPaths;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;

/** A read-only view of a cluster, for a process that is none of its servers. */
public final class ClusterView implements AutoCloseable {
    private static final Pattern ADDRESS = Pattern.compile("\"address\"\\s*:\\s*\"([^\"]+)\"");
    private static final Duration TIMEOUT = Duration.ofSeconds(15);
    private static final int NO_VERSION = Integer.MAX_VALUE;

    private static final String CHECK_ACCESS =
            "check canal.zookeeper.auth.user and .password, and the access control list of the node";

    private final CuratorFramework zooKeeper;

    /**
     * Why nodes may not be read or made.
     *
     * @param reason names the node
     * @param remedy what an operator can do about it
     */
    public record Rejection(String reason, String remedy) {}

    private ClusterView(CuratorFramework zooKeeper) {
        this.zooKeeper = zooKeeper;
    }

    /** Begins to connect. */
    public static ClusterView open(ClusterConfig config) {
        CuratorFramework zooKeeper = ZooKeeperClients.of(config);
        zooKeeper.start();
        return new ClusterView(zooKeeper);
    }

    /** Waits until ZooKeeper answers, for a few seconds; false if it does not. */
    public boolean awaitConnection() {
        return awaitConnection(TIMEOUT);
    }

    /** Waits until ZooKeeper answers, but no longer than a time; false if it does not. */
    public boolean awaitConnection(Duration limit) {
        try {
            return zooKeeper.blockUntilConnected((int) limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** The server that runs a destination, for a sentence: by its address, or by what its node has if that is something else; empty if none does. */
    public Optional<String> owner(String destination) {
        try {
            byte[] data = zooKeeper.getData().forPath(CanalNodes.running(destination));
            String text = new String(data, StandardCharsets.UTF_8);
            Matcher address = ADDRESS.matcher(text);
            return Optional.of("the server " + (address.find() ? address.group(1) : text));
        } catch (KeeperException.NoNodeException e) {
            return Optional.empty();
        } catch (Exception e) {
            throw new IllegalStateException("ZooKeeper does not state which server runs " + destination + ": " + e, e);
        }
    }

    /** The servers that are ready to run destinations, {@code ip:port}, in no order. */
    public List<String> servers() {
        try {
            return zooKeeper.getChildren().forPath(CanalNodes.servers());
        } catch (KeeperException.NoNodeException e) {
            return List.of();
        } catch (Exception e) {
            throw new IllegalStateException("ZooKeeper does not show " + CanalNodes.servers() + ": " + e, e);
        }
    }

    /**
     * Tries whether nodes may be read and made where servers and their destinations are. Changes nothing: each node is made in a
     * transaction that ends with a check which never holds.
     *
     * @return why it may not; empty if it may
     */
    public Optional<Rejection> rejection(String destination) {
        for (String node :
                List.of(CanalNodes.servers(), CanalNodes.running(destination), CanalNodes.epoch(destination))) {
            String parent = ZKPaths.getPathAndNode(node).getPath();
            try {
                while (parent.length() > 1 && zooKeeper.checkExists().forPath(parent) == null) {
                    parent = ZKPaths.getPathAndNode(parent).getPath();
                }
                List<String> unused = zooKeeper.getChildren().forPath(parent);
                tryToMake(ZKPaths.makePath(parent, "sluice-check"));
            } catch (KeeperException.NoAuthException e) {
                return Optional.of(new Rejection(
                        "this login may not make nodes below %s: %s".formatted(parent, e.getMessage()), CHECK_ACCESS));
            } catch (KeeperException.NoNodeException e) {
                return Optional.of(new Rejection(
                        "there is no node %s below the path in canal.zkServers".formatted(parent),
                        Obstacle.MISSING_NODE));
            } catch (Exception e) {
                Obstacle obstacle = Obstacle.of(e);
                return Optional.of(new Rejection(
                        "%s cannot be tried: %s".formatted(parent, e),
                        obstacle.kind() == Obstacle.Kind.REJECTION ? CHECK_ACCESS : "see ZooKeeper's own log"));
            }
        }
        return Optional.empty();
    }

    private void tryToMake(String node) throws Exception {
        TransactionOp operation = zooKeeper.transactionOp();
        try {
            zooKeeper
                    .transaction()
                    .forOperations(
                            operation.create().withMode(CreateMode.EPHEMERAL).forPath(node, new byte[0]),
                            operation.check().withVersion(NO_VERSION).forPath("/"));
        } catch (KeeperException.BadVersionException e) {
            return; // the first operation was allowed
        }
        throw new IllegalStateException("a check that cannot hold has held");
    }

    /** The cursors of a destination, to be shown and changed. */
    public CursorEditor cursors(String destination) {
        return new ZooKeeperCursorEditor(zooKeeper, destination);
    }

    @Override
    public void close() {
        zooKeeper.close();
    }
}
