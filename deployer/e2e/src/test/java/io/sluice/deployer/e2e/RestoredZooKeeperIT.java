package io.sluice.deployer.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.check.Duplicates;
import io.sluice.testkit.check.StateModel;
import io.sluice.testkit.kafka.KafkaBroker;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.process.FreePorts;
import io.sluice.testkit.proxy.Gate;
import io.sluice.testkit.zookeeper.ZooKeeperNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Two servers share an instance through a ZooKeeper that gets an older state, or loses all it has, while they run. Both have delivered since that state, so
 * each of them knows a newer cursor.
 *
 * <p>If both delivered at a time, rows of one would be between a repetition by the other, which the check of the topic reports.
 */
@Tag("thorough")
@Timeout(900)
class RestoredZooKeeperIT {
    private static final long SEED = 73;
    private static final int CHANGES = 400;
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final String READING = "reading the binlog: instance=";
    private static final String OLDER = "the stored cursor is older than what this server delivered in an earlier term";
    private static final String LOST = "ZooKeeper has lost its data";

    private static MySqlServer mysql;
    private static MySqlServer histories;
    private static KafkaBroker kafka;

    private final List<String> schemas = new ArrayList<>();
    private StateModel delivered;
    private String name;
    private ZooKeeperNode zooKeeper;
    private Gate toFirst;
    private Gate toSecond;
    private Pipeline pipeline;
    private Map<String, Member> members;
    private Owner owner;

    @BeforeAll
    static void startServers() {
        mysql = MySqlServer.start();
        Pipeline.allow(mysql);
        histories = TakeOverIT.startHistories();
        kafka = KafkaBroker.start();
    }

    @AfterAll
    static void stopServers() {
        kafka.close();
        histories.close();
        mysql.close();
    }

    @BeforeEach
    void startZooKeeper() {
        zooKeeper = ZooKeeperNode.start();
        toFirst = new Gate(zooKeeper::port);
        toSecond = new Gate(zooKeeper::port);
    }

    @AfterEach
    void stop() {
        pipeline.close();
        toFirst.close();
        toSecond.close();
        zooKeeper.close();
    }

    /** Begins without a cursor, at the end of the binlog, and delivers. */
    private void begin(String instance) throws Exception {
        name = instance;
        String port = Integer.toString(FreePorts.next());
        pipeline = new Pipeline(
                mysql, kafka, Pipeline.Mode.FLAT, name, TakeOverIT.cluster("127.0.0.1:" + toFirst.port(), histories));
        PackagedServer second =
                pipeline.addServer(Map.of("canal.port", port, "canal.zkServers", "127.0.0.1:" + toSecond.port()));
        members = Map.of(
                "127.0.0.1:11111",
                new Member(pipeline.server(), toFirst, toFirst),
                "127.0.0.1:" + port,
                new Member(second, toSecond, toSecond));
        pipeline.beginAtTheEnd();
        members.values().forEach(member -> member.server().start());
        owner = new Owner(zooKeeper, name);
        await().atMost(PATIENCE).until(() -> logged(READING) > 0);
        deliverMore();
    }

    private long logged(String text) {
        return members.values().stream()
                .mapToLong(member -> member.server().logLinesWith(text))
                .sum();
    }

    private CompletableFuture<?> changeMore() {
        String schema = name + "_" + schemas.size();
        schemas.add(schema);
        return pipeline.change(SEED + schemas.size(), schema, CHANGES);
    }

    private void deliverMore() throws Exception {
        changeMore().join();
        delivered = pipeline.requireDelivered(Duplicates.ALLOWED, schemas.toArray(String[]::new));
    }

    /** The owner is cut off from ZooKeeper until the other server has taken over. */
    private void changeTheOwner() {
        await().atMost(PATIENCE).until(() -> owner.candidates() == 2);
        long epoch = owner.epoch();
        Member active = members.get(owner.awaitAddress(PATIENCE));
        Fault.ISOLATED.strike(active, zooKeeper, owner.node());
        await().atMost(PATIENCE).until(() -> owner.isLaterThan(epoch));
        Fault.ISOLATED.heal(active);
        await().atMost(PATIENCE).until(() -> owner.candidates() == 2);
    }

    @Test
    void afterARestoreOneServerContinuesAtTheOlderCursor() throws Exception {
        begin("restored");
        await().atMost(PATIENCE).until(() -> owner.cursor() != null);
        Path backup = zooKeeper.backUp();
        deliverMore();
        changeTheOwner();
        deliverMore();

        zooKeeper.stop();
        zooKeeper.restore(backup);
        resumeZooKeeper();

        assertThat(delivered.repeatedChanges()).isPositive();
        assertThat(logged(OLDER)).isPositive();
        assertThat(logged(LOST)).isZero();
    }

    @Test
    void withAnEmptiedZooKeeperOneServerContinuesAtTheCursorThatItHad() throws Exception {
        begin("emptied");
        deliverMore();
        changeTheOwner();
        deliverMore();

        zooKeeper.stop();
        zooKeeper.empty();
        resumeZooKeeper();

        assertThat(logged(LOST)).isPositive();
        assertThat(logged(OLDER)).isZero();
        assertThat(owner.epoch()).isPositive();
    }

    /** Starts ZooKeeper while rows change, and has more delivered by the next owner. */
    private void resumeZooKeeper() throws Exception {
        pipeline.expectEpochsToFall();
        long reading = logged(READING);
        CompletableFuture<?> changes = changeMore(); // which the former owner delivers, too, while it holds its lease
        zooKeeper.resume();
        try {
            await().atMost(PATIENCE).until(() -> logged(READING) > reading);
        } catch (ConditionTimeoutException e) {
            throw new AssertionError("no server reads any more\n" + pipeline.logs(), e);
        }
        changes.join();
        deliverMore();
    }
}
