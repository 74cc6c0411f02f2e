package io.sluice.server.ha.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.protocol.time.Time;
import io.sluice.server.config.cluster.ClusterConfig;
import io.sluice.server.config.cluster.ZooKeeperAccess;
import io.sluice.server.ha.Candidacy;
import io.sluice.server.ha.DeliveryLog;
import io.sluice.server.ha.DeliveryLog.Delivery;
import io.sluice.store.cursor.zookeeper.CanalNodes;
import io.sluice.testkit.proxy.Gate;
import io.sluice.testkit.zookeeper.ZooKeeperEnsemble;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Two servers share a destination through an ensemble of three ZooKeeper servers, which are cut off, paused and restarted.
 *
 * <p>A follower that is cut off continues to answer reads for {@code syncLimit} ticks, which is longer than a session lasts
 * here. {@code -Dsluice.takeovers=20} runs more rounds.
 */
@Timeout(1800)
class EnsembleIT {
    private static final Logger LOG = LoggerFactory.getLogger(EnsembleIT.class);
    private static final int TICK_MILLIS = 500;
    private static final int SYNC_LIMIT = 20;
    private static final Duration SESSION = Duration.ofSeconds(6);
    private static final int ROUNDS = Integer.getInteger("sluice.takeovers", 2);
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static ZooKeeperEnsemble ensemble;
    private static CuratorFramework eyes;

    private final DeliveryLog log = new DeliveryLog();
    private final List<Server> servers = new ArrayList<>();
    private final String destination = "shop-" + UUID.randomUUID();

    /** The time until there is an owner again when a majority of the ensemble works and is reachable; long enough for a busy machine. */
    private Duration regained = SESSION.multipliedBy(3).plus(PATIENCE);

    /** One Sluice server, with a line to ZooKeeper that leads to a chosen server first, and then to each in turn. */
    private static final class Server {
        private final String address;
        private final AtomicInteger next = new AtomicInteger();
        private final Gate line = new Gate(() -> ensemble.clientPort(Math.floorMod(next.getAndIncrement(), 3)));
        private final Cluster cluster;
        private final Candidacy candidacy;

        Server(int number, Duration session, String destination, DeliveryLog log) {
            address = "10.0.0." + number + ":11111";
            cluster = Cluster.join(config("127.0.0.1:" + line.port(), address, session), Time.SYSTEM);
            candidacy = cluster.candidacyFor(destination, log.serviceOf(address));
            candidacy.want();
        }

        /**
         * Moves its connection, and with it its session, to a server of the ensemble. An attempt to connect that was under way
         * may have taken the turn, so the line is cut until it leads there.
         */
        void moveTo(int member) {
            await().atMost(PATIENCE)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofSeconds(3))
                    .ignoreExceptions()
                    .until(() -> {
                        if (!ensemble.serves(member, session())) {
                            next.set(member);
                            line.cut();
                        }
                        return ensemble.serves(member, session());
                    });
        }

        /** Its next connection leads to another server of the ensemble than this one. */
        void avoid(int member) {
            next.set(member + 1);
        }

        long session() throws Exception {
            return Objects.requireNonNull(eyes.checkExists().forPath(CanalNodes.servers() + "/" + address))
                    .getEphemeralOwner();
        }
    }

    private static ClusterConfig config(String zooKeeper, String address, Duration session) {
        return new ClusterConfig(zooKeeper, address, session, Duration.ZERO, ZooKeeperAccess.OPEN);
    }

    @BeforeAll
    static void startEnsemble() {
        ensemble = ZooKeeperEnsemble.start(TICK_MILLIS, SYNC_LIMIT);
        eyes = ZooKeeperClients.of(config(ensemble.connectString(), "10.0.0.9:11111", Duration.ofSeconds(30)));
        eyes.start();
    }

    @AfterAll
    static void stopEnsemble() {
        eyes.close();
        ensemble.close();
    }

    private void startServers(Duration session) {
        regained = session.multipliedBy(3).plus(PATIENCE);
        servers.add(new Server(1, session, destination, log));
        servers.add(new Server(2, session, destination, log));
        awaitOwner();
    }

    @AfterEach
    void stop() throws InterruptedException {
        ensemble.repair();
        for (Server server : servers) {
            server.line.thaw();
            server.candidacy.beginClose(Duration.ZERO);
        }
        for (Server server : servers) {
            server.candidacy.awaitEnd();
            server.cluster.close();
            server.line.close();
        }
    }

    @Tag("thorough")
    @Test
    void anOwnerAtAFollowerThatIsCutOffHasStoppedBeforeAnotherIsElected() throws Exception {
        startServers(SESSION);
        for (int round = 0; round < ROUNDS; round++) {
            Delivery owner = awaitOwner();
            Server struck = serverOf(owner);
            int leader = ensemble.leader();
            int cutOff = ensemble.followers().get(round % 2);
            otherThan(struck).moveTo(leader);
            struck.moveTo(cutOff);

            try (CuratorFramework atLeader = at(leader)) {
                long cut = System.nanoTime();
                ensemble.isolate(cutOff);
                long notElected = lastTimeBeforeElection(atLeader, owner.epoch());
                Delivery next = awaitOwnerAfter(owner);
                await().atMost(PATIENCE).until(() -> !owner.isDelivering());

                report("cut off", cut, owner, notElected, next);
                assertThat(next.server()).isNotEqualTo(owner.server());
                assertThat(Duration.ofNanos(notElected - owner.last()))
                        .as("time from the owner's last delivery to the election of the next")
                        .isPositive();
            }
            ensemble.heal(cutOff);
            log.requireOneAtATime();
            ensemble.awaitComplete();
        }
    }

    /**
     * A leader does not extend a session when a request of it arrives by a follower, but when the follower reports it with the
     * next ping: so a lease that was renewed after a silence, just before the cut, is held for longer than the session.
     */
    @Tag("thorough")
    @Test
    void theNextOwnerWaitsForALeaseThatIsHeldForLongerThanItsSession() throws Exception {
        Duration session = SESSION.multipliedBy(2);
        startServers(session);
        Delivery owner = awaitOwner();
        Server struck = serverOf(owner);
        int leader = ensemble.leader();
        int cutOff = ensemble.followers().get(0);
        otherThan(struck).moveTo(leader);
        struck.moveTo(cutOff);
        await().atMost(PATIENCE).until(() -> owner.lease().remaining().compareTo(session.dividedBy(2)) > 0);
        Duration silence = owner.lease().length().minusMillis(1_500);

        try (CuratorFramework atLeader = at(leader)) {
            struck.line.freeze();
            long frozen = System.nanoTime();
            await().atMost(PATIENCE).until(() -> System.nanoTime() - frozen > silence.toNanos());
            struck.line.thaw();
            await().atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> owner.lease().remaining().compareTo(session.dividedBy(2)) > 0);
            long cut = System.nanoTime();
            ensemble.isolate(cutOff);
            long notElected = lastTimeBeforeElection(atLeader, owner.epoch());
            Delivery next = awaitOwnerAfter(owner);
            await().atMost(PATIENCE).until(() -> !owner.isDelivering());

            report("renewed and cut off", cut, owner, notElected, next);
        }
        ensemble.heal(cutOff);
        log.requireOneAtATime();
    }

    @Tag("thorough")
    @Test
    void anOwnerAtALeaderThatIsPausedIsSucceededWhenAnotherLeads() {
        startServers(SESSION);
        Delivery owner = awaitOwner();
        int leader = ensemble.leader();
        servers.forEach(server -> server.moveTo(leader));

        ensemble.pause(leader);
        servers.forEach(server -> server.avoid(leader));
        await().atMost(PATIENCE).until(() -> ensemble.leader() != leader);
        long elected = System.nanoTime();
        Delivery next = awaitOwnerAfter(owner);
        ensemble.resume(leader);
        ensemble.awaitComplete();

        report("leader paused", elected, owner, elected, next);
        log.requireOneAtATime();
    }

    @Tag("thorough")
    @Test
    void anOwnerAtAFollowerSurvivesALeaderThatIsPaused() {
        startServers(SESSION);
        int leader = ensemble.leader();
        servers.forEach(server -> server.moveTo(ensemble.followers().get(0)));
        Delivery owner = awaitOwner();

        ensemble.pause(leader);
        await().atMost(PATIENCE).until(() -> ensemble.leader() != leader);
        long elected = System.nanoTime();
        Delivery next = awaitOwner();
        ensemble.resume(leader);
        ensemble.awaitComplete();

        report("leader of the owner's follower paused", elected, owner, elected, next);
        log.requireOneAtATime();
    }

    @Test
    void thereIsOneOwnerAtATimeWhileAllServersAreRestarted() {
        startServers(SESSION);
        Delivery owner = awaitOwner();
        for (int member = 0; member < 3; member++) {
            ensemble.restart(member);
            ensemble.awaitComplete();
        }
        long restarted = System.nanoTime();
        Delivery next = awaitOwner();

        report("restarted", restarted, owner, restarted, next);
        log.requireOneAtATime();
    }

    @Test
    void anOwnerThatCannotReachZooKeeperHasStoppedBeforeAnotherIsElected() throws Exception {
        startServers(SESSION);
        for (int round = 0; round < ROUNDS; round++) {
            Delivery owner = awaitOwner();
            Server struck = serverOf(owner);

            try (CuratorFramework atLeader = at(ensemble.leader())) {
                long cut = System.nanoTime();
                struck.line.freeze();
                long notElected = lastTimeBeforeElection(atLeader, owner.epoch());
                Delivery next = awaitOwnerAfter(owner);
                struck.line.thaw();

                report("line cut", cut, owner, notElected, next);
                assertThat(next.server()).isNotEqualTo(owner.server());
                assertThat(notElected - owner.last()).isPositive();
            }
            log.requireOneAtATime();
        }
    }

    @Test
    void noServerDeliversWithoutAMajorityAndOneDoesAfterIt() {
        startServers(SESSION);
        Delivery owner = awaitOwner();
        List<Integer> lost = List.of(ensemble.leader(), ensemble.followers().get(0));

        lost.forEach(ensemble::kill);
        long unreachable = System.nanoTime();
        await().atMost(PATIENCE).until(() -> !owner.isDelivering());
        assertThat(Duration.ofNanos(owner.last() - unreachable))
                .as("time from the loss of the majority to the owner's last delivery")
                .isLessThan(SESSION);
        lost.forEach(ensemble::restart);
        ensemble.awaitComplete();
        long complete = System.nanoTime();
        Delivery next = awaitOwnerAfter(owner);

        report("no majority", complete, owner, complete, next);
        log.requireOneAtATime();
    }

    /** By one clock, in milliseconds after a fault. */
    private static void report(String fault, long since, Delivery owner, long notElected, Delivery next) {
        LOG.warn(
                "fault={} lastDelivery={} notElected={} started={} epochs={}..{}",
                fault,
                (owner.last() - since) / 1_000_000,
                (notElected - since) / 1_000_000,
                (next.started() - since) / 1_000_000,
                owner.epoch(),
                next.epoch());
    }

    /**
     * The last time at which, by the state of the leader, no other server had been elected: that of its clock when it wrote the next
     * epoch, however late this test sees it.
     */
    private long lastTimeBeforeElection(CuratorFramework atLeader, long epoch) throws Exception {
        long last = System.nanoTime();
        while (true) {
            long asked = System.nanoTime();
            Stat stat = Objects.requireNonNull(atLeader.checkExists().forPath(CanalNodes.epoch(destination)));
            if (stat.getVersion() == epoch + 1) {
                long written =
                        System.nanoTime() - TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis() - stat.getMtime());
                return Math.max(last, written);
            }
            if (stat.getVersion() > epoch) {
                return last;
            }
            last = asked;
        }
    }

    private static CuratorFramework at(int member) {
        CuratorFramework client =
                ZooKeeperClients.of(config(ensemble.connectString(member), "10.0.0.8:11111", Duration.ofSeconds(30)));
        client.start();
        return client;
    }

    private Server serverOf(Delivery owner) {
        return servers.stream()
                .filter(server -> server.address.equals(owner.server()))
                .findFirst()
                .orElseThrow();
    }

    private Server otherThan(Server server) {
        return servers.stream().filter(other -> other != server).findFirst().orElseThrow();
    }

    private Delivery awaitOwner() {
        return Objects.requireNonNull(
                await().pollInterval(Duration.ofMillis(10)).atMost(regained).until(log::current, Objects::nonNull));
    }

    private Delivery awaitOwnerAfter(Delivery former) {
        return Objects.requireNonNull(await().pollInterval(Duration.ofMillis(10))
                .atMost(regained)
                .until(log::current, current -> current != null && current.epoch() > former.epoch()));
    }
}
