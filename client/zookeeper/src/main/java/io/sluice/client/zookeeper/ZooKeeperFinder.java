package io.sluice.client.zookeeper;

import io.sluice.client.ServerAddress;
import io.sluice.client.ServerFinder;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.BackgroundCallback;
import org.apache.curator.framework.api.CuratorWatcher;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.framework.state.ConnectionStateListener;
import org.apache.curator.retry.RetryForever;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the server that runs a destination by the nodes that canal and Sluice keep in ZooKeeper below
 * {@code /otter/canal/destinations/<destination>}: {@code running} names it. While there is none, those that could run it are
 * tried at random, which starts an instance that waits for its first client.
 *
 * <p>While ZooKeeper is unreachable, the last known state is used. Thread-safe.
 */
public final class ZooKeeperFinder implements ServerFinder {
    private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperFinder.class);
    private static final int SESSION_MILLIS = 15_000;
    private static final int CONNECT_MILLIS = 5_000;
    private static final int RETRY_MILLIS = 1_000;
    private static final int CLOSE_MILLIS = 1_000;

    private final CuratorFramework zooKeeper;
    private final boolean ownsConnection;
    private final String running;
    private final String candidatesPath;
    private final CuratorWatcher watcher = event -> {
        if (event.getType() != EventType.None) {
            look();
        }
    };
    private final ConnectionStateListener reconnects = (client, state) -> {
        if (state == ConnectionState.CONNECTED || state == ConnectionState.RECONNECTED) {
            look();
        }
    };

    private volatile Optional<ServerAddress> active = Optional.empty();
    private volatile List<ServerAddress> candidates = List.of();
    private volatile boolean ownerIsRead;
    private volatile boolean candidatesAreRead;
    private volatile @Nullable Runnable listener;
    private volatile boolean closed;

    private ZooKeeperFinder(CuratorFramework zooKeeper, boolean ownsConnection, String destination) {
        this.zooKeeper = zooKeeper;
        this.ownsConnection = ownsConnection;
        String parent = "/otter/canal/destinations/" + destination;
        this.running = parent + "/running";
        this.candidatesPath = parent + "/cluster";
    }

    /**
     * Begins to connect and to search.
     *
     * @param servers ZooKeeper's servers, {@code host:port} separated by commas
     */
    public static ZooKeeperFinder of(String servers, String destination) {
        CuratorFramework zooKeeper = CuratorFrameworkFactory.builder()
                .connectString(servers)
                .sessionTimeoutMs(SESSION_MILLIS)
                .connectionTimeoutMs(CONNECT_MILLIS)
                .retryPolicy(new RetryForever(RETRY_MILLIS))
                .maxCloseWaitMs(CLOSE_MILLIS)
                .build();
        zooKeeper.start();
        return begin(new ZooKeeperFinder(zooKeeper, true, destination));
    }

    /**
     * Begins to search over a connection that the caller has made, with TLS and logins of its own, and closes itself.
     *
     * @param zooKeeper started; its retry policy should not give up soon, since all requests run in the background
     */
    public static ZooKeeperFinder over(CuratorFramework zooKeeper, String destination) {
        return begin(new ZooKeeperFinder(zooKeeper, false, destination));
    }

    private static ZooKeeperFinder begin(ZooKeeperFinder finder) {
        finder.zooKeeper.getConnectionStateListenable().addListener(finder.reconnects);
        finder.look();
        return finder;
    }

    @Override
    public Optional<ServerAddress> find() {
        Optional<ServerAddress> known = active;
        if (known.isPresent()) {
            return known;
        }
        List<ServerAddress> possible = candidates;
        return possible.isEmpty()
                ? Optional.empty()
                : Optional.of(possible.get(ThreadLocalRandom.current().nextInt(possible.size())));
    }

    @Override
    public boolean isReplaced(ServerAddress server) {
        return active.filter(known -> !known.equals(server)).isPresent();
    }

    @Override
    public String whyNone() {
        return ownerIsRead && candidatesAreRead
                ? "ZooKeeper names none in %s and %s".formatted(running, candidatesPath)
                : "the servers could not be read from ZooKeeper yet";
    }

    @Override
    public synchronized void onChange(Runnable newListener) {
        if (listener != null) {
            throw new IllegalStateException("a finder is for one client: make another one");
        }
        listener = newListener;
    }

    /** Reads both nodes, and sets watches on them. */
    private void look() {
        if (closed) {
            return;
        }
        try {
            // The watch comes first: a change after it is seen by the read or reported by the watch.
            zooKeeper
                    .checkExists()
                    .usingWatcher(watcher)
                    .inBackground((client, event) -> readOwner())
                    .forPath(running);
            BackgroundCallback told = (client, event) -> {
                if (event.getResultCode() == Code.OK.intValue()) {
                    candidates = event.getChildren().stream()
                            .flatMap(name -> address(name).stream())
                            .toList();
                    candidatesAreRead = true;
                    changed();
                } else if (event.getResultCode() == Code.NONODE.intValue()) {
                    candidatesAreRead = true;
                    awaitCandidates();
                }
            };
            zooKeeper.getChildren().usingWatcher(watcher).inBackground(told).forPath(candidatesPath);
        } catch (Exception e) {
            LOG.warn("cannot read the active server from ZooKeeper: node={}", running, e);
        }
    }

    /** A node that is not there has no children to watch. */
    private void awaitCandidates() throws Exception {
        if (closed) {
            return;
        }
        BackgroundCallback told = (client, event) -> {
            if (event.getResultCode() == Code.OK.intValue()) {
                look();
            }
        };
        zooKeeper.checkExists().usingWatcher(watcher).inBackground(told).forPath(candidatesPath);
    }

    private void readOwner() throws Exception {
        if (closed) {
            return;
        }
        BackgroundCallback told = (client, event) -> {
            if (event.getResultCode() == Code.OK.intValue()) {
                ownerIsRead = true;
                active = RunningNode.owner(event.getData()).flatMap(ZooKeeperFinder::address);
                changed();
            } else if (event.getResultCode() == Code.NONODE.intValue()) {
                ownerIsRead = true;
                active = Optional.empty();
                changed();
            }
        };
        zooKeeper.getData().inBackground(told).forPath(running);
    }

    private static Optional<ServerAddress> address(String text) {
        try {
            return Optional.of(ServerAddress.parse(text));
        } catch (IllegalArgumentException e) {
            LOG.warn("a server in ZooKeeper has no address that can be read: {}", text);
            return Optional.empty();
        }
    }

    private void changed() {
        Runnable told = listener;
        if (told != null && !closed) {
            told.run();
        }
    }

    @Override
    public void close() {
        closed = true;
        zooKeeper.getConnectionStateListenable().removeListener(reconnects);
        if (ownsConnection) {
            zooKeeper.close();
        }
    }
}
