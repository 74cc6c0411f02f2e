package io.sluice.server.ha.zookeeper;

import static io.sluice.testkit.time.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.connector.api.producer.Ownership;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.time.Time;
import io.sluice.server.config.cluster.ClusterConfig;
import io.sluice.server.config.cluster.ZooKeeperAccess;
import io.sluice.server.config.text.Secret;
import io.sluice.server.ha.Candidacy;
import io.sluice.server.ha.RecordingService;
import io.sluice.server.ha.Service;
import io.sluice.store.cursor.CursorException;
import io.sluice.store.cursor.CursorStore;
import io.sluice.store.text.DurableText;
import io.sluice.testkit.process.FreePorts;
import io.sluice.testkit.proxy.Gate;
import io.sluice.testkit.zookeeper.OldZooKeeper;
import io.sluice.testkit.zookeeper.ZooKeeperNode;
import io.sluice.testkit.zookeeper.ZooKeeperRelease;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.data.Stat;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Servers of one cluster, in one JVM, each with its own session with a real ZooKeeper. */
class ClusterIT {
    /** So long that no session expires in a pause of a slow machine. */
    private static final Duration SESSION = Duration.ofSeconds(60);

    /** For tests that wait for the end of a session, or for a check that an owner makes at intervals derived from it. */
    private static final Duration SHORT_SESSION = Duration.ofSeconds(10);

    private static final String HEARTBEATS = "/otter/sluice/heartbeats";
    private static final String RUNNING = "/otter/canal/destinations/shop/running";

    private static OldZooKeeper oldest;
    private static int directories;

    private final List<Cluster> clusters = new ArrayList<>();
    private final List<Candidacy> candidacies = new ArrayList<>();
    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    private ZooKeeperNode node;
    private int port;
    private String directory = "";
    private ZooKeeperAccess access = ZooKeeperAccess.OPEN;
    private CuratorFramework eyes;

    @AfterAll
    static void checkOldServer() {
        if (oldest != null) {
            List<String> unknown = oldest.unknownRequests();
            oldest.close();
            oldest = null;
            assertThat(unknown).isEmpty();
        }
    }

    @BeforeEach
    void start() {
        node = ZooKeeperNode.start();
        port = node.port();
        look();
    }

    private void look() {
        eyes = ZooKeeperClients.of(config(9, SESSION, Duration.ZERO));
        eyes.start();
    }

    /** Lets a test use the oldest ZooKeeper if that is asked for: one that all such tests share, with a login, and a directory for each. */
    private void use(ZooKeeperRelease release) throws Exception {
        if (release == ZooKeeperRelease.OLDEST) {
            if (oldest == null) {
                oldest = OldZooKeeper.start();
            }
            port = oldest.port();
            access = new ZooKeeperAccess(
                    Optional.empty(),
                    Optional.of(new ZooKeeperAccess.Login("sluice", new Secret("carry them all"))),
                    ZooKeeperAccess.Acl.CREATOR);
            eyes.close();
            look();
            String own = "/test" + ++directories;
            eyes.create().forPath(own, new byte[0]);
            directory = own;
            eyes.close();
            look();
        }
    }

    @AfterEach
    void stop() throws InterruptedException {
        candidacies.forEach(candidacy -> candidacy.beginClose(Duration.ZERO));
        for (Candidacy candidacy : candidacies) {
            candidacy.awaitEnd();
        }
        clusters.forEach(Cluster::close);
        scheduler.shutdownNow();
        eyes.close();
        node.close();
    }

    @ParameterizedTest
    @EnumSource
    void theOwnerIsInCanalsNodes(ZooKeeperRelease release) throws Exception {
        use(release);
        RecordingService first = new RecordingService();
        RecordingService second = new RecordingService();
        candidate(1, "shop", first);
        await().until(first::isRunning);
        candidate(2, "shop", second);

        await().ignoreExceptions()
                .untilAsserted(() -> assertThat(eyes.getChildren().forPath("/otter/canal/destinations/shop/cluster"))
                        .containsExactlyInAnyOrder("10.0.0.1:11111", "10.0.0.2:11111"));
        await().ignoreExceptions()
                .untilAsserted(() -> assertThat(eyes.getChildren().forPath("/otter/canal/cluster"))
                        .containsExactlyInAnyOrder("10.0.0.1:11111", "10.0.0.2:11111"));
        assertThat(text(RUNNING)).isEqualTo("{\"active\":true,\"address\":\"10.0.0.1:11111\"}");
        assertThat(second.calls()).isEmpty();
        assertThat(first.ownership().isHeld()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void aCleanStopLeavesTheDestinationToTheOtherAtOnce(ZooKeeperRelease release) throws Exception {
        use(release);
        RecordingService first = new RecordingService();
        RecordingService second = new RecordingService();
        Candidacy leaving = candidate(1, "shop", first);
        await().until(first::isRunning);
        candidate(2, "shop", second);
        await().until(() -> eyes.getChildren()
                        .forPath("/otter/canal/destinations/shop/cluster")
                        .size()
                == 2);

        leaving.beginClose(Duration.ofSeconds(10));
        leaving.awaitEnd();

        assertThat(first.calls()).containsExactly("start", "stop");
        assertThat(first.ownership().isHeld()).as("held until it has stopped").isTrue();
        await().atMost(SESSION.dividedBy(2)).until(second::isRunning); // sooner than the session ends
        assertThat(second.ownership().epoch()).isGreaterThan(first.ownership().epoch());
        assertThat(text(RUNNING)).contains("10.0.0.2:11111");
    }

    /** As of a configuration that was copied with all that is in it. */
    @Test
    void anotherServerWithTheSameAddressKeepsItsNodesAndIsReported() throws Exception {
        String candidate = "/otter/canal/destinations/shop/cluster/10.0.0.1:11111";
        String registration = "/otter/canal/cluster/10.0.0.1:11111";
        RecordingService ofFirst = new RecordingService();
        RecordingService ofCopy = new RecordingService();
        Cluster first = join(1, SHORT_SESSION, Duration.ZERO);
        Candidacy leaving = candidate(first, "shop", ofFirst);
        await().until(() -> ofFirst.isRunning() && exists(candidate) && exists(registration));
        Map<String, Long> before = lastWrites("/otter/canal");

        Cluster copy = join(1, SHORT_SESSION, Duration.ZERO);
        candidate(copy, "shop", ofCopy);
        await().until(() -> copy.problem() != null);

        assertThat(copy.problem()).contains("10.0.0.1:11111").contains("canal.register.ip");
        assertThat(first.problem()).isNull();
        assertThat(changed(before, lastWrites("/otter/canal"))).isEmpty();
        assertThat(ofCopy.calls()).isEmpty();

        leaving.beginClose(Duration.ofSeconds(10));
        leaving.awaitEnd();
        first.close();
        await().until(() -> copy.problem() == null && ofCopy.isRunning());
    }

    /** As of a server that is killed and started again at once: ZooKeeper has its former session until that has timed out. */
    @Test
    void anOwnerIsACandidateAgainWhenItsFormerSessionHasTakenTheNodeWithIt() throws Exception {
        String candidate = "/otter/canal/destinations/shop/cluster/10.0.0.1:11111";
        CuratorFramework former = ZooKeeperClients.of(config(1, SESSION, Duration.ZERO));
        former.start();
        former.create().creatingParentsIfNeeded().withMode(CreateMode.EPHEMERAL).forPath(candidate, new byte[0]);
        long formerSession = eyes.checkExists().forPath(candidate).getEphemeralOwner();
        RecordingService service = new RecordingService();
        Candidacy leaving = candidate(1, "shop", service);
        await().until(service::isRunning);
        assertThat(eyes.checkExists().forPath(candidate).getEphemeralOwner()).isEqualTo(formerSession);

        former.close();

        await().until(() -> exists(candidate));
        assertThat(eyes.checkExists().forPath(candidate).getEphemeralOwner()).isNotEqualTo(formerSession);
        assertThat(service.calls()).containsExactly("start");
        leaving.beginClose(Duration.ofSeconds(10));
        leaving.awaitEnd();
        assertThat(exists(candidate)).isFalse();
    }

    /** What was sent and not confirmed may be stored after the end of its owner, and must not come after what the next one sends. */
    @Test
    void anOwnerThatHasLeftSomethingOnItsWayIsWaitedForLikeOneThatHasDied() throws Exception {
        RecordingService first = new RecordingService();
        RecordingService second = new RecordingService();
        first.leaveSomethingOnItsWay();
        AtomicBoolean isEarly = new AtomicBoolean();
        second.onStart(() -> isEarly.set(first.ownership().isHeld()));
        Candidacy leaving = candidate(join(1, SHORT_SESSION, Duration.ZERO), "shop", first);
        await().until(first::isRunning);
        candidate(join(2, SHORT_SESSION, Duration.ZERO), "shop", second);
        await().until(() -> exists("/otter/canal/destinations/shop/cluster/10.0.0.2:11111"));

        leaving.beginClose(Duration.ofSeconds(10));
        leaving.awaitEnd();

        assertThat(first.calls()).containsExactly("start", "stop");
        assertThat(text("/otter/sluice/destinations/shop/released")).isEmpty();
        await().until(second::isRunning);
        assertThat(isEarly)
                .as("started before the lease of the former owner was over")
                .isFalse();
    }

    /** A successor with shorter sessions waits as long as the former owner has written that its lease is held. */
    @Test
    void theLeaseOfTheFormerOwnerIsWaitedForHoweverLongTheOwnOneIs() throws Exception {
        RecordingService first = new RecordingService();
        RecordingService second = new RecordingService();
        first.leaveSomethingOnItsWay();
        AtomicBoolean isEarly = new AtomicBoolean();
        second.onStart(() -> isEarly.set(first.ownership().isHeld()));
        Candidacy leaving = candidate(join(1, SHORT_SESSION.multipliedBy(3), Duration.ZERO), "shop", first);
        await().until(first::isRunning);
        assertThat(text("/otter/sluice/destinations/shop/owner")).contains("leaseMillis=20000 ");
        candidate(join(2, SHORT_SESSION, Duration.ZERO), "shop", second);
        await().until(() -> exists("/otter/canal/destinations/shop/cluster/10.0.0.2:11111"));

        leaving.beginClose(Duration.ofSeconds(10));
        leaving.awaitEnd();

        // What the one after the second has to wait for: the second may lose before it has waited.
        await().until(() -> text("/otter/sluice/destinations/shop/owner").contains("epoch=2 leaseMillis=20000 "));
        await().until(second::isRunning);
        assertThat(isEarly)
                .as("started before the lease of the former owner was over")
                .isFalse();
        assertThat(text("/otter/sluice/destinations/shop/owner"))
                .as("the lease of an owner that is silent is not waited for by those after it")
                .contains("epoch=2 leaseMillis=6666 ");
    }

    @Test
    void theIdOfTheDeploymentIsTheSameOnAllServersAndAfterARestart() throws Exception {
        RecordingService first = new RecordingService();
        RecordingService second = new RecordingService();
        Candidacy leaving = candidate(1, "shop", first);
        await().until(first::isRunning);
        String id = first.term().deployment();
        assertThat(id).isNotEmpty().isEqualTo(text("/otter/sluice/deployment"));

        leaving.beginClose(Duration.ofSeconds(10));
        leaving.awaitEnd();
        candidate(2, "shop", second);
        await().until(second::isRunning);

        assertThat(second.term().deployment()).isEqualTo(id);
    }

    @Test
    void aServerWhoseSessionHasEndedStopsAndTheOtherTakesOver() throws Exception {
        RecordingService first = new RecordingService();
        RecordingService second = new RecordingService();
        candidate(1, "shop", first);
        await().until(first::isRunning);
        candidate(2, "shop", second);
        CursorStore old = first.term().openCursors("shop", scheduler, Duration.ofDays(1), Time.SYSTEM);
        old.subscribe(1001, "");

        assertThat(node.expireOwnerOf(RUNNING)).isTrue();

        await().until(() -> first.calls().contains("abandon"));
        // Sooner than the former owner's lease ends, since that owner has reported that it has stopped.
        await().atMost(SESSION.dividedBy(3)).until(() -> first.isRunning() || second.isRunning());
        assertThat(Stream.of(first, second).filter(RecordingService::isRunning)).hasSize(1);

        old.save(1001, new Cursor("db", 3306, new BinlogPosition("binlog.000001", 4), "", 1, 0));
        old.close();
        assertThat(eyes.checkExists().forPath("/otter/canal/destinations/shop/1001"))
                .isNull();
    }

    @Test
    void aServerThatIsCutOffFromTheOldestReleaseIsReplacedAndComesBackInAnotherSession() throws Exception {
        use(ZooKeeperRelease.OLDEST);
        int direct = port;
        AtomicInteger behindGate = new AtomicInteger(direct);
        RecordingService first = new RecordingService();
        RecordingService second = new RecordingService();
        try (Gate gate = new Gate(behindGate::get)) {
            port = gate.port();
            candidate(join(1, SHORT_SESSION, Duration.ZERO), "shop", first);
            await().until(first::isRunning);
            port = direct;
            candidate(join(2, SHORT_SESSION, Duration.ZERO), "shop", second);
            await().until(() -> exists("/otter/canal/destinations/shop/cluster/10.0.0.2:11111"));

            behindGate.set(FreePorts.next());
            gate.cut();

            await().until(() -> first.calls().contains("abandon") && second.isRunning());
            assertThat(text(RUNNING)).contains("10.0.0.2:11111");
            behindGate.set(direct);
            await().until(() -> exists("/otter/canal/destinations/shop/cluster/10.0.0.1:11111"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aWriteThatComesTooLateIsRejected(ZooKeeperRelease release) throws Exception {
        use(release);
        RecordingService first = new RecordingService();
        candidate(1, "shop", first);
        await().until(first::isRunning);
        CursorStore cursors = first.term().openCursors("shop", scheduler, Duration.ofDays(1), Time.SYSTEM);
        cursors.subscribe(1001, "");

        // Another owner, of which this one is not notified yet: its lease is held, but ZooKeeper has the new owner.
        eyes.setData().forPath("/otter/sluice/destinations/shop/epoch", new byte[0]);

        assertThat(first.ownership().isHeld()).isTrue();
        assertThatThrownBy(cursors::close)
                .isInstanceOf(CursorException.class)
                .hasMessageContaining("another server owns the destination");
    }

    /** A pause must neither be lost by a take-over, nor be set or ended by a former owner after it. */
    @ParameterizedTest
    @EnumSource
    void whatAnOwnerKeepsIsReadByTheNextOneAndWrittenByNoFormerOne(ZooKeeperRelease release) throws Exception {
        use(release);
        RecordingService first = new RecordingService();
        candidate(1, "shop", first);
        await().until(first::isRunning);
        DurableText text = first.term().openPace("shop");
        assertThatThrownBy(text::read).isInstanceOf(NoSuchFileException.class);

        text.replace("paused");
        text.replace("still paused");

        assertThat(first.term().openPace("shop").read()).isEqualTo("still paused");
        assertThat(text("/otter/sluice/destinations/shop/pace")).isEqualTo("still paused");
        // Another owner, of which this one is not notified yet.
        eyes.setData().forPath("/otter/sluice/destinations/shop/epoch", new byte[0]);
        assertThat(first.ownership().isHeld()).isTrue();
        assertThatThrownBy(() -> text.replace("resumed"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("another server owns the destination");
        assertThat(text("/otter/sluice/destinations/shop/pace")).isEqualTo("still paused");
    }

    @Test
    void whatCannotBeReadFromZooKeeperIsNoEmptyText() {
        RecordingService first = new RecordingService();
        candidate(1, "shop", first);
        await().until(first::isRunning);
        DurableText text = first.term().openPace("shop");

        node.stop();

        assertThatThrownBy(() -> first.term().openPace("shop")).isInstanceOf(CursorException.class);
        assertThatThrownBy(() -> text.replace("paused")).isInstanceOf(IOException.class);
    }

    @Test
    void anOwnerWithoutAnswersStopsBeforeAnotherCanStart() throws Exception {
        RecordingService first = new RecordingService();
        candidate(join(1, SHORT_SESSION, Duration.ZERO), "shop", first);
        await().until(first::isRunning);
        long epoch = first.ownership().epoch();

        node.stop();
        long stopped = System.nanoTime();
        Duration held = lastHeld(first.ownership(), stopped);
        assertThat(held).isLessThan(SHORT_SESSION);
        await().until(() -> first.calls().contains("abandon"));
        assertThat(first.calls()).containsExactly("start", "abandon");

        node.resume();
        await().until(first::isRunning);
        assertThat(first.ownership().epoch()).isGreaterThan(epoch);
    }

    @Test
    void oneHeartbeatRenewsTheLeasesOfAllDestinationsAndWritesNothingElse() throws Exception {
        List<RecordingService> services = new ArrayList<>();
        Cluster cluster = join(1, SHORT_SESSION, Duration.ZERO);
        for (int i = 0; i < 20; i++) {
            services.add(candidate(cluster, "shop" + i));
        }
        await().until(() -> running(services) == services.size());
        await().until(() -> exists("/otter/canal/cluster/10.0.0.1:11111"));
        for (int i = 0; i < services.size(); i++) {
            String destination = "/otter/canal/destinations/shop" + i;
            await().until(() -> exists(destination + "/cluster/10.0.0.1:11111"));
        }
        Map<String, Long> before = lastWrites("/otter");
        Stat first = heartbeat();

        await().until(() -> heartbeat().getVersion() >= first.getVersion() + 4);

        Stat last = heartbeat();
        assertThat(changed(before, lastWrites("/otter")))
                .singleElement(Assertions.as(InstanceOfAssertFactories.STRING))
                .startsWith(HEARTBEATS + "/");
        for (RecordingService service : services) {
            assertThat(service.calls()).containsExactly("start");
            assertThat(service.ownership().isHeld()).isTrue();
        }
        for (int i = 0; i < services.size(); i++) {
            assertThat(eyes.checkExists()
                            .forPath("/otter/canal/destinations/shop" + i + "/running")
                            .getVersion())
                    .isEqualTo(1);
        }
        assertThat(Duration.ofMillis(last.getMtime() - first.getMtime()))
                .as("time for some heartbeats")
                .isGreaterThan(SHORT_SESSION.dividedBy(2));
    }

    private Stat heartbeat() throws Exception {
        List<String> names = eyes.getChildren().forPath(HEARTBEATS);
        assertThat(names).hasSize(1);
        return eyes.checkExists().forPath(HEARTBEATS + "/" + names.get(0));
    }

    private boolean exists(String path) throws Exception {
        return eyes.checkExists().forPath(path) != null;
    }

    /** The transaction that last wrote each node from this one down, or created or removed a child of it. */
    private Map<String, Long> lastWrites(String path) throws Exception {
        Map<String, Long> found = new TreeMap<>();
        Stat stat = eyes.checkExists().forPath(path);
        found.put(path, Math.max(stat.getMzxid(), stat.getPzxid()));
        for (String child : eyes.getChildren().forPath(path)) {
            found.putAll(lastWrites(path + "/" + child));
        }
        return found;
    }

    private static Set<String> changed(Map<String, Long> before, Map<String, Long> after) {
        Set<String> paths = new TreeSet<>(before.keySet());
        paths.addAll(after.keySet());
        paths.removeIf(path -> Objects.equals(before.get(path), after.get(path)));
        return paths;
    }

    @Test
    void aServerThatLeavesTheClusterTakesItsHeartbeatWithIt() throws Exception {
        RecordingService first = new RecordingService();
        Cluster cluster = join(1, SESSION, Duration.ZERO);
        Candidacy leaving = candidate(cluster, "shop", first);
        await().until(first::isRunning);
        assertThat(heartbeat()).isNotNull();

        leaving.beginClose(Duration.ofSeconds(10));
        leaving.awaitEnd();
        cluster.close();

        assertThat(eyes.getChildren().forPath("/otter/sluice/heartbeats")).isEmpty();
    }

    @Test
    void aStartDoesNotWaitForZooKeeper() {
        node.stop();
        RecordingService first = new RecordingService();
        candidate(1, "shop", first);
        node.resume();
        await().until(first::isRunning);
    }

    @Test
    void aCandidateThatIsNotWantedYetIsRegisteredButDoesNotRun() throws Exception {
        RecordingService first = new RecordingService();
        Candidacy candidacy = join(1, SESSION, Duration.ZERO).candidacyFor("shop", first);
        candidacies.add(candidacy);
        await().ignoreExceptions()
                .untilAsserted(() -> assertThat(eyes.getChildren().forPath("/otter/canal/destinations/shop/cluster"))
                        .containsExactly("10.0.0.1:11111"));
        assertThat(eyes.checkExists().forPath(RUNNING)).isNull();

        candidacy.want();
        await().until(first::isRunning);
    }

    @Test
    void aStopDoesNotWaitForZooKeeper() throws Exception {
        RecordingService first = new RecordingService();
        Candidacy candidacy = candidate(1, "shop", first);
        await().until(first::isRunning);
        node.stop();
        candidacy.beginClose(Duration.ofSeconds(10));
        candidacy.awaitEnd();
        assertThat(first.isRunning()).isFalse();
    }

    @Test
    void aNodeThatAnOperatorDeletesOrSetsInactiveIsGivenUp() throws Exception {
        RecordingService first = new RecordingService();
        RecordingService second = new RecordingService();
        candidate(1, "shop", first);
        await().until(first::isRunning);
        candidate(2, "shop", second);
        await().until(() -> exists("/otter/canal/destinations/shop/cluster/10.0.0.2:11111"));

        eyes.delete().forPath(RUNNING);
        await().until(() -> !first.isRunning() && second.isRunning());

        eyes.setData()
                .forPath(
                        RUNNING,
                        "{\"active\": false, \"address\": \"10.0.0.2:11111\"}".getBytes(StandardCharsets.UTF_8));
        await().until(() -> first.isRunning() && !second.isRunning());
    }

    @Test
    void aDestinationThatCannotRunHereRunsThere() throws Exception {
        RecordingService first = new RecordingService();
        RecordingService second = new RecordingService();
        first.breakDown(true);
        candidate(1, "shop", first);
        await().until(() -> first.calls().contains("broken"));
        candidate(2, "shop", second);
        await().until(second::isRunning);

        first.breakDown(false);
        second.breakDown(true); // if it paused for less than the first, it would run it again
        second.fail();
        await().until(first::isRunning);
        assertThat(second.calls()).startsWith("start", "stop");
    }

    /** As when no thread can be started, for which the JVM does not end. */
    @Test
    void aDestinationWhoseStartEndsWithAnErrorRunsThereAndLaterHereAgain() {
        RecordingService first = new RecordingService();
        RecordingService second = new RecordingService();
        AtomicBoolean hasFailed = new AtomicBoolean();
        first.onStart(() -> {
            if (hasFailed.compareAndSet(false, true)) {
                throw new OutOfMemoryError("unable to create native thread");
            }
        });
        candidate(1, "shop", first);
        await().until(() -> first.calls().contains("abandon"));
        candidate(2, "shop", second);
        await().until(second::isRunning);

        second.breakDown(true);
        second.fail();
        await().until(first::isRunning);
    }

    /** The session lives on, and with it the node that tells others that the destination is taken. */
    @Test
    void aCandidateThatDiesLeavesTheDestinationToOthers() throws Exception {
        RecordingService first = new RecordingService();
        RecordingService second = new RecordingService();
        first.onStart(() -> Thread.currentThread().interrupt());
        Candidacy dying = candidate(join(1, SHORT_SESSION, Duration.ZERO), "shop", first);
        dying.awaitEnd();
        assertThat(first.calls()).containsExactly("start", "abandon");
        assertThat(dying.isAlive()).isFalse();

        candidate(join(3, SHORT_SESSION, Duration.ZERO), "shop", second);
        await().until(second::isRunning);
    }

    @Test
    void destinationsAreSpreadOverServersAndMoveWhenOneStops() throws Exception {
        List<String> names = List.of("a", "b", "c", "d");
        List<RecordingService> first = new ArrayList<>();
        List<RecordingService> second = new ArrayList<>();
        Duration soon = Duration.ofMillis(500);
        Cluster one = join(1, SHORT_SESSION, soon);
        for (String name : names) {
            first.add(candidate(one, name));
        }
        await().until(() -> running(first) == 4);
        Cluster two = join(2, SHORT_SESSION, soon);
        for (String name : names) {
            second.add(candidate(two, name));
        }
        await().until(() -> running(first) == 2 && running(second) == 2);

        await().until(() -> node.expireOwnerOf("/otter/canal/cluster/10.0.0.2:11111")); // once it is registered
        await().until(() -> running(first) + running(second) == 4);
        await().until(() -> running(first) == 2 && running(second) == 2);
    }

    /** For how long after a point in time it was certainly held, however late the polls are. */
    private static Duration lastHeld(Ownership ownership, long sinceNanos) {
        AtomicLong last = new AtomicLong(sinceNanos);
        await().pollInterval(Duration.ofMillis(10)).until(() -> {
            long look = System.nanoTime();
            boolean isHeld = ownership.isHeld();
            if (isHeld) {
                last.set(look);
            }
            return !isHeld;
        });
        return Duration.ofNanos(last.get() - sinceNanos);
    }

    private static long running(List<RecordingService> services) {
        return services.stream().filter(RecordingService::isRunning).count();
    }

    private Candidacy candidate(int number, String destination, Service service) {
        return candidate(join(number, SESSION, Duration.ZERO), destination, service);
    }

    private RecordingService candidate(Cluster cluster, String destination) {
        RecordingService service = new RecordingService();
        candidate(cluster, destination, service);
        return service;
    }

    private Candidacy candidate(Cluster cluster, String destination, Service service) {
        Candidacy candidacy = cluster.candidacyFor(destination, service);
        candidacies.add(candidacy);
        candidacy.want();
        return candidacy;
    }

    private Cluster join(int number, Duration session, Duration balanceDelay) {
        Cluster cluster = Cluster.join(config(number, session, balanceDelay), Time.SYSTEM);
        clusters.add(cluster);
        return cluster;
    }

    private ClusterConfig config(int number, Duration session, Duration balanceDelay) {
        return new ClusterConfig(
                "127.0.0.1:" + port + directory, "10.0.0." + number + ":11111", session, balanceDelay, access);
    }

    private String text(String path) throws Exception {
        return new String(eyes.getData().forPath(path), StandardCharsets.UTF_8);
    }
}
