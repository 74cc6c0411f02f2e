package io.sluice.deployer.e2e;

import static org.awaitility.Awaitility.await;

import io.sluice.protocol.entry.Entry;
import io.sluice.testkit.check.Duplicates;
import io.sluice.testkit.check.RawRecords;
import io.sluice.testkit.check.ServerState;
import io.sluice.testkit.check.StateComparison;
import io.sluice.testkit.check.StateModel;
import io.sluice.testkit.check.TableId;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.process.FreePorts;
import io.sluice.testkit.proxy.Gate;
import io.sluice.testkit.workload.RandomWorkload;
import io.sluice.testkit.zookeeper.ZooKeeperNode;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Clients follow the owner from server to server by ZooKeeper, while the owner is lost again and again: canal's own Java client,
 * and ours.
 *
 * <p>{@code -Dsluice.takeovers=20} makes it longer.
 */
@Timeout(1800)
class PulledTakeOverIT {
    static final Duration PATIENCE = Duration.ofMinutes(5);

    private static final Logger LOG = LoggerFactory.getLogger(PulledTakeOverIT.class);
    private static final long SEED = 71;
    private static final int CHANGES_AT_THE_FAULT = 3_000;
    private static final int CHANGES_AFTER_IT = 300;
    private static final int BATCHES_BEFORE_THE_FAULT = 5;

    /** How long a line is cut that no take-over ends. */
    private static final Duration CUT = Duration.ofSeconds(3);

    private static MySqlServer mysql;
    private static MySqlServer histories;

    private final StateModel model = new StateModel(Duplicates.ALLOWED);
    private final RawRecords records = new RawRecords();
    private final Map<String, Member> members = new HashMap<>();
    private final List<String> millisToTheNextOwnersBatch = new ArrayList<>();

    private int pulled;

    @BeforeAll
    static void startMySql() {
        mysql = MySqlServer.start();
        Pipeline.allow(mysql);
        histories = TakeOverIT.startHistories();
    }

    @AfterAll
    static void stopMySql() {
        histories.close();
        mysql.close();
    }

    @Test
    void canalsClientMissesNothing() throws Exception {
        missesNothing(Puller.Kind.CANAL, 0, 1);
    }

    /** Together with the other one, its few rounds strike by every fault. */
    @Tag("thorough")
    @Test
    void ourClientMissesNothing() throws Exception {
        missesNothing(Puller.Kind.OURS, 1, 4);
    }

    private void missesNothing(Puller.Kind kind, int firstFault, int fewRounds) throws Exception {
        int rounds = Integer.getInteger("sluice.takeovers", fewRounds);
        String name = "followed_" + kind.name().toLowerCase(Locale.ROOT);
        List<String> schemas = new ArrayList<>();
        try (ZooKeeperNode zooKeeper = ZooKeeperNode.start()) {
            try {
                BinlogEnd begin = mysql.rotateBinlog();
                addMember("127.0.0.2", name, zooKeeper, begin);
                addMember("127.0.0.3", name, zooKeeper, begin);
                members.values().forEach(member -> member.server().start());
                Owner owner = new Owner(zooKeeper, name);
                await().atMost(PATIENCE).until(() -> owner.isLaterThan(0));
                try (Puller client = kind.open(zooKeeper.connectString(), name)) {
                    for (int round = 0; round < rounds; round++) {
                        Fault fault = Fault.ALL.get((firstFault + round) % Fault.ALL.size());
                        String schema = name + "_" + round;
                        schemas.addAll(List.of(schema, after(schema)));
                        strike(fault, client, owner, zooKeeper, schema, SEED + round);
                    }
                }
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError(
                        millisToTheNextOwnersBatch + " "
                                + members.values().stream()
                                        .map(member -> member.server().logs())
                                        .toList(),
                        e);
            } finally {
                members.values().forEach(Member::close);
            }
        }
        LOG.warn( // for the record: the tests' log shows no less
                "client={} millisToTheNextOwnersBatch={} distinct={} repeated={}",
                kind,
                millisToTheNextOwnersBatch,
                model.distinctChanges(),
                model.repeatedChanges());
        try (Connection connection = mysql.connect()) {
            StateComparison.requireEqual(ServerState.of(connection, schemas.toArray(String[]::new)), model);
        }
    }

    /** Has the owner be lost in the middle of the changes of a schema, and pulls all of them. */
    private void strike(Fault fault, Puller client, Owner owner, ZooKeeperNode zooKeeper, String schema, long seed)
            throws Exception {
        await().atMost(PATIENCE)
                .until(() -> owner.candidates() == 2 && !owner.address().isEmpty());
        CompletableFuture<Void> changes = change(seed, schema, CHANGES_AT_THE_FAULT);
        pullUntil(client, () -> pulled >= BATCHES_BEFORE_THE_FAULT);
        // Before the address: if they change meanwhile, it is the next owner that is struck.
        long epoch = owner.epoch();
        Member active = members.get(owner.awaitAddress(PATIENCE));
        long struck = System.nanoTime();
        fault.strike(active, zooKeeper, owner.node());
        CompletableFuture<Void> healed = CompletableFuture.runAsync(() -> {
            if (Fault.OF_OWNERS.contains(fault)) {
                await().atMost(PATIENCE).until(() -> owner.isLaterThan(epoch));
            } else {
                await().pollDelay(CUT).until(() -> true);
            }
            fault.heal(active);
        });
        CompletableFuture<Void> later = CompletableFuture.allOf(healed, changes)
                .thenCompose(done -> change(-seed, after(schema), CHANGES_AFTER_IT));
        if (Fault.OF_OWNERS.contains(fault)) {
            // What the old owner may still give out until its time is over does not count.
            pullUntil(client, () -> owner.isLaterThan(epoch));
        }
        pullUntil(client, () -> pulled > 0);
        millisToTheNextOwnersBatch.add(fault + "=" + (System.nanoTime() - struck) / 1_000_000);
        TableId end = new TableId(after(schema), "sluice_end");
        pullUntil(client, () -> model.rowCount(end) == 1 && !model.isRepeating());
        later.join();
    }

    /** The schema that is changed when the fault is over. */
    private static String after(String schema) {
        return schema + "_after";
    }

    /** Its clients find it at an address of its own, so that the line to them can be cut. */
    private void addMember(String address, String name, ZooKeeperNode zooKeeper, BinlogEnd begin) {
        int port = FreePorts.next();
        Gate toZooKeeper = new Gate(zooKeeper::port);
        Map<String, String> settings = new HashMap<>(TakeOverIT.cluster("127.0.0.1:" + toZooKeeper.port(), histories));
        settings.put("canal.serverMode", "tcp");
        settings.put("canal.ip", "127.0.0.1");
        settings.put("canal.register.ip", address);
        settings.put("canal.port", Integer.toString(port));
        PackagedServer server = new PackagedServer(
                name,
                settings,
                Map.of(
                        "canal.instance.master.address",
                        mysql.host() + ":" + mysql.port(),
                        "canal.instance.dbUsername",
                        Pipeline.USER,
                        "canal.instance.dbPassword",
                        Pipeline.PASSWORD,
                        "canal.instance.master.journal.name",
                        begin.file(),
                        "canal.instance.master.position",
                        Long.toString(begin.offset())));
        members.put(address + ":" + port, new Member(server, toZooKeeper, new Gate(address, port, () -> port)));
    }

    private static CompletableFuture<Void> change(long seed, String schema, int rows) {
        return CompletableFuture.runAsync(() -> {
            try (Connection connection = mysql.connect()) {
                RandomWorkload workload =
                        new RandomWorkload(RandomWorkload.Options.of(seed, rows).schema(schema));
                workload.run(connection);
                workload.markTheEnd(connection);
            } catch (SQLException e) {
                throw new IllegalStateException("the workload of seed %d broke".formatted(seed), e);
            }
        });
    }

    /** Pulls until a condition holds that may ask for the number of batches since the begin. */
    private void pullUntil(Puller client, BooleanSupplier condition) {
        pulled = 0;
        await().atMost(PATIENCE)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> {
                    while (pullOne(client) && !condition.getAsBoolean()) {
                        // There may be more: the interval is for when there is none.
                    }
                    return condition.getAsBoolean();
                });
    }

    /** Returns whether there was a batch. */
    private boolean pullOne(Puller client) throws IOException {
        Puller.Pulled batch = client.get();
        if (batch.entries().isEmpty()) {
            return false;
        }
        for (Entry entry : batch.entries()) {
            model.apply(records.read("pulled", 0, batch.id(), entry));
        }
        client.ack();
        pulled++;
        return true;
    }
}
