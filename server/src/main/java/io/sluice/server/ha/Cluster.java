package io.sluice.server.ha;

import io.sluice.server.config.ClusterConfig;
import io.sluice.store.cursor.CanalNodes;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.state.ConnectionState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This server among those that share destinations through a ZooKeeper. It does not wait for ZooKeeper: what needs it begins
 * when it is there. Safe for use by several threads.
 */
public final class Cluster implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Cluster.class);
    private static final Duration LOOK = Duration.ofSeconds(2);

    private final ClusterConfig config;
    private final CuratorFramework zooKeeper;
    private final EphemeralNode registration;
    private final ScheduledExecutorService renewals = executor("lease-renewal");
    private final ScheduledExecutorService registrations = executor("registration");

    private Cluster(ClusterConfig config) {
        this.config = config;
        this.zooKeeper = Connection.of(config);
        this.registration = new EphemeralNode(zooKeeper, CanalNodes.servers() + "/" + config.address());
    }

    /** Begins to connect, and registers this server as soon as it can. */
    public static Cluster join(ClusterConfig config) {
        Cluster cluster = new Cluster(config);
        cluster.zooKeeper.getConnectionStateListenable().addListener((client, state) -> cluster.tell(state));
        cluster.zooKeeper.start();
        ScheduledFuture<?> unused = cluster.registrations.scheduleWithFixedDelay(
                cluster::register, 0, LOOK.toMillis(), TimeUnit.MILLISECONDS);
        LOG.info("this server joins a cluster: zookeeper={} address={}", config.connectString(), config.address());
        return cluster;
    }

    /** Has this server be a candidate for a destination until the candidacy is closed; it wants it when it is told to. */
    public Candidacy standFor(String destination, Service service) {
        Candidacy candidacy = new Candidacy(
                zooKeeper,
                destination,
                config.address(),
                service,
                config.balanceDelay(),
                renewals,
                Lease.Ticker.SYSTEM);
        candidacy.start();
        return candidacy;
    }

    private void tell(ConnectionState state) {
        switch (state) {
            case SUSPENDED -> LOG.warn("the connection to ZooKeeper broke: zookeeper={}", config.connectString());
            case LOST -> LOG.warn("the session with ZooKeeper has ended: zookeeper={}", config.connectString());
            default -> LOG.info("connected to ZooKeeper: zookeeper={}", config.connectString());
        }
    }

    private void register() {
        try {
            if (zooKeeper.getZookeeperClient().isConnected()) {
                registration.ensure();
            }
        } catch (Exception e) { // tried again; one that got out would end the trying
            LOG.debug("this server is not registered", e);
        }
    }

    /** Leaves the cluster; every candidacy must have ended before, or its destination is free only after the time-out. */
    @Override
    public void close() {
        renewals.shutdownNow();
        registrations.shutdownNow();
        zooKeeper.close(); // ends the session, and with it the registration
    }

    private static ScheduledExecutorService executor(String name) {
        return Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        });
    }
}
