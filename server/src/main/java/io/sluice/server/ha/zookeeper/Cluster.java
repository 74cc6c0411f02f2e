package io.sluice.server.ha.zookeeper;

import io.sluice.protocol.time.Time;
import io.sluice.server.config.cluster.ClusterConfig;
import io.sluice.server.ha.Candidacies;
import io.sluice.server.ha.Candidacy;
import io.sluice.server.ha.Candidate;
import io.sluice.server.ha.Coordinator;
import io.sluice.server.ha.HeartbeatAges;
import io.sluice.server.ha.Obstacle;
import io.sluice.server.ha.Parts;
import io.sluice.server.ha.Renewal;
import io.sluice.server.ha.Service;
import io.sluice.store.cursor.zookeeper.CanalNodes;
import java.time.Duration;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.state.ConnectionState;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This server among those that share destinations through a ZooKeeper. It does not wait for ZooKeeper: what needs it begins
 * when it is there. Thread-safe.
 */
public final class Cluster implements Candidacies, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Cluster.class);
    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(2);

    /** The interval of the checks whether leases are to be renewed, whatever a candidate's thread is busy with. */
    private static final Duration RENEWAL_CHECK_INTERVAL = Duration.ofMillis(200);

    private final ClusterConfig config;
    private final CuratorFramework zooKeeper;
    private final Time time;
    private final EphemeralNode registration;
    private final AddressWatch addressWatch;
    private final Set<CandidateNode> candidateRetries = ConcurrentHashMap.newKeySet();
    private final DeploymentNode deployment;
    private final ZooKeeperHeartbeats heartbeats;
    private final Renewal renewal;
    private final ScheduledExecutorService renewals = executor("lease-renewal");
    private final ScheduledExecutorService registrations = executor("registration");

    /** Why this server could not be registered, as logged last; null if it has been registered since. */
    private volatile @Nullable Obstacle obstacle;

    private Cluster(ClusterConfig config, Time time) {
        this.config = config;
        this.time = time;
        this.zooKeeper = ZooKeeperClients.of(config);
        this.heartbeats = new ZooKeeperHeartbeats(zooKeeper, config.address(), config.sessionTimeout());
        this.renewal = new Renewal(heartbeats, new HeartbeatAges(time), time, heartbeats::leaseLength);
        this.deployment = new DeploymentNode(zooKeeper);
        this.addressWatch = new AddressWatch(time);
        this.registration = new EphemeralNode(zooKeeper, CanalNodes.servers() + "/" + config.address());
    }

    /** Begins to connect, and registers this server as soon as it can. */
    public static Cluster join(ClusterConfig config, Time time) {
        Cluster cluster = new Cluster(config, time);
        cluster.zooKeeper.getConnectionStateListenable().addListener((client, state) -> cluster.logState(state));
        cluster.zooKeeper.start();
        ScheduledFuture<?> unused = cluster.registrations.scheduleWithFixedDelay(
                cluster::register, 0, CHECK_INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
        ScheduledFuture<?> unused2 = cluster.renewals.scheduleWithFixedDelay(
                cluster::renew, 0, RENEWAL_CHECK_INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
        LOG.info("this server joins a cluster: zookeeper={} address={}", config.connectString(), config.address());
        return cluster;
    }

    @Override
    public Candidacy candidacyFor(String destination, Service service) {
        Coordinator coordinator = new ZooKeeperCoordinator(
                zooKeeper, heartbeats, deployment, destination, config.address(), candidateRetries, time);
        Candidacy candidacy = new Candidacy(
                destination,
                time,
                changed -> new Candidate(new Parts(
                        destination,
                        config.address(),
                        coordinator,
                        renewal,
                        service,
                        config.balanceDelay(),
                        time,
                        new SplittableRandom(),
                        changed)));
        candidacy.start();
        return candidacy;
    }

    private void logState(ConnectionState state) {
        switch (state) {
            case SUSPENDED -> LOG.warn("the connection to ZooKeeper broke: zookeeper={}", config.connectString());
            case LOST -> LOG.warn("the session with ZooKeeper has ended: zookeeper={}", config.connectString());
            default -> LOG.info("connected to ZooKeeper: zookeeper={}", config.connectString());
        }
    }

    private void register() {
        try {
            if (zooKeeper.getZookeeperClient().isConnected()) {
                if (addressWatch.observe(registration.ensure(), heartbeats.sessionTimeout())) {
                    logAddress();
                }
                for (CandidateNode candidate : candidateRetries) {
                    candidate.retry();
                }
                obstacle = null;
            } else {
                addressWatch.disconnected();
            }
        } catch (Throwable e) { // the top of the task: tried again; one that got out would end the trying
            LOG.debug("this server is not registered", e);
            logOnce(Obstacle.of(e));
        }
    }

    private void logAddress() {
        if (addressWatch.isShared()) {
            LOG.warn(
                    "another server of the cluster has this server's address, so clients may be sent to the wrong one of both, and both together get the share"
                            + " of one server: set canal.register.ip, or canal.port, of one of both and restart it: address={}",
                    config.address());
        } else {
            LOG.info("no other server of the cluster has this server's address any more: address={}", config.address());
        }
    }

    /** What is wrong with this server among the others, with the remedy; null if nothing is. */
    public @Nullable String problem() {
        return addressWatch.isShared()
                ? ("another server of the cluster has the address %s, too: set canal.register.ip, or canal.port, of one of both, and restart it; until then"
                                + " clients may be sent to the wrong one, and both together get the share of one server")
                        .formatted(config.address())
                : null;
    }

    private void logOnce(Obstacle next) {
        Obstacle known = obstacle;
        if (next.kind() == Obstacle.Kind.SILENCE || known != null && next.isAs(known)) {
            return;
        }
        obstacle = next;
        if (next.kind() == Obstacle.Kind.REJECTION) {
            LOG.warn(
                    "ZooKeeper rejects this server's login or request, so clients do not find it: cause={}",
                    String.valueOf(next.cause()));
        } else {
            LOG.warn(
                    "this server cannot be registered, so clients do not find it: cause={}",
                    String.valueOf(next.cause()));
        }
    }

    private void renew() {
        try {
            renewal.step();
        } catch (Throwable e) { // the top of the task: tried again; one that got out would end the trying
            LOG.warn("leases were not renewed", e);
        }
    }

    /** Leaves the cluster; every candidacy must have ended before, or its destination is free only after the time-out. */
    @Override
    public void close() {
        renewals.shutdownNow();
        registrations.shutdownNow();
        heartbeats.removeOwn();
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
