package io.sluice.testkit.zookeeper;

import io.sluice.testkit.process.Folders;
import io.sluice.testkit.process.FreePorts;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.jspecify.annotations.Nullable;

/**
 * A ZooKeeper of one node, in this JVM, that keeps its data and its port over stops. Thread-safe.
 *
 * <p>Being in this JVM lets a test end a session from the server's side, as an ensemble does that has heard nothing of it.
 */
public final class ZooKeeperNode implements RunningZooKeeper {
    /** Sessions may be as short as two of these. */
    private static final int TICK_MILLIS = 500;

    private static final int MAX_CONNECTIONS = 200;

    /** Where ZooKeeper keeps its log and its snapshots, below its folder. */
    private static final String DATA = "version-2";

    private final Path folder = Folders.temporary("sluice-zookeeper-");
    private final int port = FreePorts.next();
    private @Nullable Running running;

    private record Running(ZooKeeperServer server, ServerCnxnFactory connections) {}

    private final Map<String, String> tls;

    private ZooKeeperNode(Map<String, String> tls) {
        this.tls = tls;
    }

    /** Starts one without data. */
    public static ZooKeeperNode start() {
        ZooKeeperNode node = new ZooKeeperNode(Map.of());
        node.resume();
        return node;
    }

    /**
     * Starts a node that speaks TLS only. While it runs, its stores are system properties, which is the only way to set them: a
     * client of the same JVM must state its own.
     *
     * @param keys a store with its key, whose name ends with {@code .p12}
     * @param trust one with the certificates that it trusts
     */
    public static ZooKeeperNode startSecure(Path keys, Path trust, String password) {
        ZooKeeperNode node = new ZooKeeperNode(Map.of(
                "zookeeper.serverCnxnFactory",
                "org.apache.zookeeper.server.NettyServerCnxnFactory",
                "zookeeper.ssl.keyStore.location",
                keys.toString(),
                "zookeeper.ssl.keyStore.password",
                password,
                "zookeeper.ssl.trustStore.location",
                trust.toString(),
                "zookeeper.ssl.trustStore.password",
                password,
                "zookeeper.ssl.clientAuth",
                "none"));
        node.resume();
        return node;
    }

    @Override
    public String connectString() {
        return "127.0.0.1:" + port;
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public synchronized void stop() {
        if (running != null) {
            running.connections().shutdown();
            running = null;
            tls.keySet().forEach(System::clearProperty);
        }
    }

    /** Starts it again after a stop, with the data that it had. */
    public synchronized void resume() {
        if (running != null) {
            return;
        }
        try {
            File data = folder.toFile();
            ZooKeeperServer server = new ZooKeeperServer(data, data, TICK_MILLIS);
            server.setMaxSessionTimeout(60_000);
            tls.forEach(System::setProperty);
            ServerCnxnFactory connections = ServerCnxnFactory.createFactory();
            connections.configure(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), port), MAX_CONNECTIONS, -1, !tls.isEmpty());
            connections.startup(server);
            running = new Running(server, connections);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public synchronized void restart() {
        stop();
        resume();
    }

    /**
     * Copies its data, as it is now, for {@link #restore}. Connections break meanwhile, and sessions do not end.
     *
     * @return where they are; deleted when this JVM ends
     */
    public synchronized Path backUp() {
        boolean runs = running != null;
        stop(); // else the end of its log may be copied while it is written
        Path backup = Folders.temporary("sluice-zookeeper-backup-");
        Folders.copy(data(), backup.resolve(DATA));
        if (runs) {
            resume();
        }
        return backup;
    }

    /** Replaces its data, when it is stopped, by what it was at a {@link #backUp}. */
    public synchronized void restore(Path backup) {
        empty();
        Folders.copy(backup.resolve(DATA), data());
    }

    /** Removes all its data, when it is stopped. */
    public synchronized void empty() {
        if (running != null) {
            throw new IllegalStateException("ZooKeeper runs");
        }
        Folders.delete(data());
    }

    private Path data() {
        return folder.resolve(DATA);
    }

    /**
     * Ends the session that owns an ephemeral node, with all its ephemeral nodes, as if it had run out.
     *
     * @return false if there is no such node, or it is not ephemeral
     */
    public synchronized boolean expireOwnerOf(String path) {
        ZooKeeperServer server = server();
        Stat stat;
        try {
            stat = server.getZKDatabase().statNode(path, null);
        } catch (KeeperException.NoNodeException e) {
            return false;
        }
        if (stat.getEphemeralOwner() == 0) {
            return false;
        }
        server.closeSession(stat.getEphemeralOwner());
        return true;
    }

    /** Ends a session as if it had run out. */
    public synchronized void expire(long session) {
        server().closeSession(session);
    }

    /** The text of a node; null if there is no such node. */
    public synchronized @Nullable String text(String path) {
        try {
            byte[] data = server().getZKDatabase().getData(path, new Stat(), null);
            return data == null ? "" : new String(data, StandardCharsets.UTF_8);
        } catch (KeeperException.NoNodeException e) {
            return null;
        }
    }

    /** How often a node was written since it was made; -1 if there is no such node. */
    public synchronized int version(String path) {
        try {
            return server().getZKDatabase().statNode(path, null).getVersion();
        } catch (KeeperException.NoNodeException e) {
            return -1;
        }
    }

    /** How many children a node has; none if there is no such node. */
    public synchronized int children(String path) {
        try {
            return server().getZKDatabase().getChildren(path, new Stat(), null).size();
        } catch (KeeperException.NoNodeException e) {
            return 0;
        }
    }

    private synchronized ZooKeeperServer server() {
        if (running == null) {
            throw new IllegalStateException("ZooKeeper is stopped");
        }
        return running.server();
    }

    @Override
    public synchronized void close() {
        stop();
        Folders.delete(folder);
    }
}
