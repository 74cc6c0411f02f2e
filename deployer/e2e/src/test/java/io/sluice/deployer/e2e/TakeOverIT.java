package io.sluice.deployer.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.sluice.testkit.check.Duplicates;
import io.sluice.testkit.check.StateModel;
import io.sluice.testkit.kafka.KafkaBroker;
import io.sluice.testkit.mysql.AuthPlugin;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.process.FreePorts;
import io.sluice.testkit.proxy.Gate;
import io.sluice.testkit.zookeeper.ZooKeeperNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Two servers share an instance through ZooKeeper, and again and again the one that runs it is lost while changes happen.
 *
 * <p>{@code -Dsluice.takeovers=20} makes it longer, and does it with packets and without transactions, too.
 */
@Timeout(1800)
class TakeOverIT {
    private static final Logger LOG = LoggerFactory.getLogger(TakeOverIT.class);
    private static final long SEED = 67;
    private static final int CHANGES_PER_SCHEMA = 1_500;
    private static final Duration SESSION = Duration.ofSeconds(6);
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    /** Between two schemas, so that the servers are not short of processors all the time. */
    private static final Duration PACE = Duration.ofMillis(700);

    private static MySqlServer mysql;
    private static MySqlServer histories;
    private static KafkaBroker kafka;

    @BeforeAll
    static void startServers() {
        mysql = MySqlServer.start();
        Pipeline.allow(mysql);
        histories = startHistories();
        kafka = KafkaBroker.start();
    }

    @AfterAll
    static void stopServers() {
        kafka.close();
        histories.close();
        mysql.close();
    }

    /** Where servers share their schema histories. */
    static MySqlServer startHistories() {
        MySqlServer server = MySqlServer.start();
        server.createUser(Pipeline.USER, Pipeline.PASSWORD, AuthPlugin.CACHING_SHA2_PASSWORD);
        server.execute("GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, INDEX ON history.* TO " + Pipeline.USER);
        return server;
    }

    /**
     * What comes twice is a repetition, in full and in order; a former owner's records are known by their epoch, and with
     * transactions there are none.
     */
    @ParameterizedTest
    @MethodSource("modes")
    void losesNothingAndNeverDeliversTwiceAtOnce(Pipeline.Mode mode, boolean transactions) throws Exception {
        int rounds = Integer.getInteger("sluice.takeovers", 3);
        String name = "taken_" + mode.name().toLowerCase(Locale.ROOT) + (transactions ? "_tx" : "");
        String port = Integer.toString(FreePorts.next());
        try (ZooKeeperNode zooKeeper = ZooKeeperNode.start();
                Gate one = new Gate(zooKeeper::port);
                Gate other = new Gate(zooKeeper::port);
                Pipeline pipeline =
                        new Pipeline(mysql, kafka, mode, name, settings("127.0.0.1:" + one.port(), transactions))) {
            PackagedServer second =
                    pipeline.addServer(Map.of("canal.port", port, "canal.zkServers", "127.0.0.1:" + other.port()));
            Map<String, Member> members = Map.of(
                    "127.0.0.1:11111",
                    new Member(pipeline.server(), one, one),
                    "127.0.0.1:" + port,
                    new Member(second, other, other));
            members.values().forEach(member -> member.server().start());
            Owner owner = new Owner(zooKeeper, name);
            AtomicBoolean enough = new AtomicBoolean();
            CompletableFuture<List<String>> load = load(pipeline, name, enough);
            Map<Long, Fault> faults = new HashMap<>();
            Map<Fault, List<Long>> millis = new HashMap<>();

            for (int round = 0; round < rounds; round++) {
                awaitMore(pipeline);
                Fault fault = Fault.OF_OWNERS.get(round % Fault.OF_OWNERS.size());
                // Before the address: if they change meanwhile, it is the next owner that is struck.
                long epoch = owner.epoch();
                Member active = members.get(owner.awaitAddress(PATIENCE));
                faults.put(epoch, fault);
                long begin = System.nanoTime();
                fault.strike(active, zooKeeper, owner.node());
                await().pollInterval(Duration.ofMillis(20)).atMost(PATIENCE).until(() -> owner.isLaterThan(epoch));
                awaitMore(pipeline);
                millis.computeIfAbsent(fault, any -> new ArrayList<>()).add((System.nanoTime() - begin) / 1_000_000);
                fault.heal(active);
                await().atMost(PATIENCE).until(() -> owner.candidates() == 2);
            }
            enough.set(true);
            String[] schemas = load.join().toArray(String[]::new);

            StateModel model = pipeline.requireDelivered(Duplicates.ALLOWED, schemas);

            LOG.warn( // for the record: the tests' log shows no less
                    "mode={} transactions={} takeOverMillis={} sessionMillis={} distinct={} repeated={} staleRecordsByEpoch={}",
                    mode,
                    transactions,
                    millis,
                    SESSION.toMillis(),
                    model.distinctChanges(),
                    model.repeatedChanges(),
                    pipeline.staleRecords());
            if (transactions) {
                assertThat(pipeline.staleRecords()).isEmpty();
            }
            pipeline.staleRecords()
                    .keySet()
                    .forEach(epoch -> assertThat(faults.get(epoch))
                            .as("only a process that was stopped between its last look at the clock and its last write"
                                    + " may be late")
                            .isEqualTo(Fault.PAUSED));
        }
    }

    private static List<Arguments> modes() {
        return Integer.getInteger("sluice.takeovers", 0) > 0
                ? List.of(
                        arguments(Pipeline.Mode.FLAT, false),
                        arguments(Pipeline.Mode.RAW, false),
                        arguments(Pipeline.Mode.FLAT, true))
                : List.of(arguments(Pipeline.Mode.FLAT, true));
    }

    private static Map<String, String> settings(String zooKeeper, boolean transactions) {
        Map<String, String> settings = new HashMap<>(cluster(zooKeeper, histories));
        if (transactions) {
            settings.put("kafka.transactional.id", "taken");
        }
        return settings;
    }

    /** What makes servers share their instances. */
    static Map<String, String> cluster(String zooKeeper, MySqlServer histories) {
        return Map.of(
                "canal.instance.tsdb.url",
                "jdbc:mysql://%s:%d/history".formatted(histories.host(), histories.port()),
                "canal.instance.tsdb.dbUsername",
                Pipeline.USER,
                "canal.instance.tsdb.dbPassword",
                Pipeline.PASSWORD,
                "canal.zkServers",
                zooKeeper,
                "canal.register.ip",
                "127.0.0.1",
                "canal.zookeeper.session.timeout",
                Long.toString(SESSION.toMillis()),
                "canal.zookeeper.balance.delay",
                "0",
                "canal.instance.global.spring.xml",
                "classpath:spring/default-instance.xml");
    }

    private static CompletableFuture<List<String>> load(Pipeline pipeline, String name, AtomicBoolean enough) {
        return CompletableFuture.supplyAsync(() -> {
            List<String> schemas = new ArrayList<>();
            while (!enough.get()) {
                String schema = name + "_" + schemas.size();
                pipeline.change(SEED + schemas.size(), schema, CHANGES_PER_SCHEMA)
                        .join();
                schemas.add(schema);
                LockSupport.parkNanos(PACE.toNanos());
            }
            return schemas;
        });
    }

    private static void awaitMore(Pipeline pipeline) {
        long before = pipeline.delivered();
        try {
            await().pollInterval(Duration.ofMillis(50))
                    .atMost(PATIENCE)
                    .until(() -> pipeline.delivered() > before + 20);
        } catch (ConditionTimeoutException e) {
            throw new AssertionError("nothing more is delivered\n" + pipeline.logs(), e);
        }
    }
}
