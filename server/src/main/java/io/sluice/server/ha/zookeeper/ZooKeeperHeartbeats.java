package io.sluice.server.ha.zookeeper;

import io.sluice.server.ha.Heartbeats;
import io.sluice.store.cursor.zookeeper.CanalNodes;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Heartbeats as nodes in ZooKeeper, named by the server's address and its session. Thread-safe.
 *
 * <p>A heartbeat outlives its session: a next owner must see the last one. It is removed by its server at a clean end, and
 * otherwise by any server when it has not changed for long.
 */
final class ZooKeeperHeartbeats implements Heartbeats {
    private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperHeartbeats.class);

    /** The part of a session's timeout for which a lease is held. */
    private static final double LEASE_PART = 2.0 / 3;

    private final CuratorFramework zooKeeper;
    private final String address;
    private final Duration wantedTimeout;

    /**
     * Creates one.
     *
     * @param wantedTimeout the session's timeout until ZooKeeper has set another
     */
    ZooKeeperHeartbeats(CuratorFramework zooKeeper, String address, Duration wantedTimeout) {
        this.zooKeeper = zooKeeper;
        this.address = address;
        this.wantedTimeout = wantedTimeout;
    }

    static String pathOf(String name) {
        return CanalNodes.heartbeats() + "/" + name;
    }

    /** The heartbeat of one of this server's sessions. */
    String name(long session) {
        return address + "-" + Long.toHexString(session);
    }

    /** The node of the heartbeat of one of this server's sessions. */
    String path(long session) {
        return pathOf(name(session));
    }

    /** This server's session; 0 if it has none yet. One that was replaced does not come back. */
    long session() throws Exception {
        return zooKeeper.getZookeeperClient().getZooKeeper().getSessionId();
    }

    /** How long a lease is held that is won in this session. */
    Duration leaseLength() {
        return Duration.ofMillis((long) (sessionTimeout().toMillis() * LEASE_PART));
    }

    /** The session's timeout, as ZooKeeper has set it. */
    Duration sessionTimeout() {
        long timeoutMillis = 0;
        try {
            if (zooKeeper.getZookeeperClient().isConnected()) {
                timeoutMillis = zooKeeper.getZookeeperClient().getZooKeeper().getSessionTimeout();
            }
        } catch (Exception e) {
            LOG.debug("the session's timeout is not known", e);
        }
        return timeoutMillis > 0 ? Duration.ofMillis(timeoutMillis) : wantedTimeout;
    }

    /** Fails at once where a question would wait for a connection. */
    void requireConnection() throws KeeperException {
        if (!zooKeeper.getZookeeperClient().isConnected()) {
            throw new KeeperException.ConnectionLossException();
        }
    }

    /** Creates an empty node with its parents, unless it is there. */
    void ensure(String path) throws Exception {
        if (zooKeeper.checkExists().forPath(path) == null) {
            try {
                zooKeeper.create().creatingParentsIfNeeded().forPath(path, new byte[0]);
            } catch (KeeperException.NodeExistsException e) {
                // created by another client meanwhile
            }
        }
    }

    @Override
    public CompletableFuture<Long> beat() {
        return this.<Long>ask((client, answer) -> {
            long session = client.getSessionId();
            client.setData(
                    path(session),
                    new byte[0],
                    -1,
                    (code, path, context, stat) -> answer.give(code, path, session),
                    null);
        });
    }

    @Override
    public CompletableFuture<Map<String, Beat>> all() {
        return childrenOf(CanalNodes.heartbeats()).thenCompose(this::beats);
    }

    /** The names of a node's children. */
    CompletableFuture<List<String>> childrenOf(String parent) {
        return ask((client, answer) -> client.getChildren(
                parent, false, (code, path, context, children) -> answer.give(code, path, children), null));
    }

    private CompletableFuture<Map<String, Beat>> beats(List<String> names) {
        Map<String, Beat> beats = new ConcurrentHashMap<>();
        CompletableFuture<?>[] answers = names.stream()
                .map(name -> this.<Stat>ask((client, answer) -> client.exists(
                                pathOf(name),
                                false,
                                (code, path, context, stat) -> answer.give(code, path, stat),
                                null))
                        .thenAccept(stat -> beats.put(name, new Beat(stat.getMzxid(), stat.getVersion())))
                        .exceptionally(failure -> null)) // removed meanwhile, or seen the next time
                .toArray(CompletableFuture<?>[]::new);
        return CompletableFuture.allOf(answers).thenApply(done -> beats);
    }

    @Override
    public void remove(String name, Beat last) {
        var unused = this.<String>ask((client, answer) -> client.delete(
                pathOf(name), last.version(), (code, path, context) -> answer.give(code, path, path), null));
    }

    /** Asks by ZooKeeper's client. */
    interface Asking<T> {
        void ask(ZooKeeper client, Answer<T> answer) throws Exception;
    }

    /** Takes the answer of ZooKeeper's client about a node. */
    interface Answer<T> {
        void give(int code, String path, T result);
    }

    /**
     * Asks without waiting for the answer, which fails if its code is not {@code OK}. Curator's background operations are not
     * used, since they are repeated after a failure, perhaps in another session.
     */
    <T> CompletableFuture<T> ask(Asking<T> question) {
        CompletableFuture<T> future = new CompletableFuture<>();
        try {
            requireConnection();
            question.ask(zooKeeper.getZookeeperClient().getZooKeeper(), (number, path, result) -> {
                KeeperException.Code code = KeeperException.Code.get(number);
                if (code == KeeperException.Code.OK) {
                    future.complete(result);
                } else {
                    future.completeExceptionally(KeeperException.create(code, path));
                }
            });
        } catch (Exception e) {
            future.completeExceptionally(e);
        }
        return future;
    }

    /** Removes this session's heartbeat, when this server has left all its destinations. */
    void removeOwn() {
        try {
            requireConnection();
            zooKeeper.delete().quietly().forPath(path(session()));
        } catch (Exception e) {
            LOG.debug("a heartbeat is left to be removed by another server", e);
        }
    }
}
