package io.sluice.deployer.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.check.Change;
import io.sluice.testkit.kafka.KafkaBroker;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ServerRelease;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes of table schemas and rows without a pause, while the server is killed within a transaction and directly after a DDL, and it, the
 * source or the broker at other moments: no row may be lost, and no value may come under another column's name.
 *
 * <p>{@code -Dsluice.schema.runs=200} makes it longer, {@code -Dsluice.schema.seed=7} begins with that seed, {@code
 * -Dsluice.schema.faults=8} has more faults in a run, and with {@code -Dsluice.schema.kills=true} all of them kill the server.
 */
@Timeout(7200)
class SchemaChangesIT {
    private static final Logger LOG = LoggerFactory.getLogger(SchemaChangesIT.class);
    private static final List<ServerRelease> RELEASES = List.of(
            ServerRelease.MYSQL_8_0_31,
            ServerRelease.MARIADB_11_8,
            ServerRelease.MYSQL_9_7,
            ServerRelease.MYSQL_5_7_22);
    private static final int FAULTS = Integer.getInteger("sluice.schema.faults", 3);
    private static final boolean KILLS_ONLY = Boolean.getBoolean("sluice.schema.kills");
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int STEPS_PER_FAULT = 120;

    private static final Map<Source, MySqlServer> SERVERS = new HashMap<>();
    private static KafkaBroker kafka;

    /** A server, and whether it has GTIDs. */
    record Source(ServerRelease release, boolean gtids) {}

    /** What is struck, and when. */
    private enum Target {
        /** While rows of a {@code CREATE TABLE ... SELECT} are delivered, if the source has that. */
        SERVER_KILLED_IN_SELECT,
        /** Directly after the source has executed a DDL, or after few transactions more. */
        SERVER_KILLED_AFTER_DDL,
        SERVER_STOPPED,
        SOURCE_KILLED,
        BROKER_STOPPED
    }

    @BeforeAll
    static void startBroker() {
        kafka = KafkaBroker.start();
    }

    @AfterAll
    static void stopServers() {
        SERVERS.values().forEach(MySqlServer::close);
        SERVERS.clear();
        kafka.close();
    }

    static Stream<Integer> seeds() {
        int first = Integer.getInteger("sluice.schema.seed", 1);
        return IntStream.range(first, first + Integer.getInteger("sluice.schema.runs", 1))
                .boxed();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void noRowIsLostAndNoNameIsWrong(int seed) throws Exception {
        ServerRelease release = RELEASES.get(seed % RELEASES.size());
        boolean gtids = seed / RELEASES.size() % 2 == 0;
        MySqlServer mysql = SERVERS.computeIfAbsent(new Source(release, gtids), SchemaChangesIT::start);
        Random random = new Random(seed);
        String name = "schema_changes_" + seed;
        NamedValues values = new NamedValues();
        List<Target> struck = new ArrayList<>();
        Map<String, String> settings = Map.of(
                "canal.instance.position.gtid",
                gtids ? "auto" : "off",
                // A store that transactions do not fit into, and cursors that are written within them, if that were
                // possible.
                "canal.instance.memory.buffer.size",
                "256",
                "canal.instance.transaction.size",
                "256",
                "canal.file.flush.period",
                "20");
        try (Pipeline pipeline = new Pipeline(mysql, kafka, Pipeline.Mode.FLAT, name, settings)) {
            SchemaChanges changes = new SchemaChanges(seed, name, release, gtids, values);
            CompletableFuture<Void> started = CompletableFuture.runAsync(pipeline.server()::start);
            change(mysql, changes::create);
            for (int fault = 0; fault < FAULTS; fault++) {
                int steps = 1 + random.nextInt(STEPS_PER_FAULT);
                change(mysql, connection -> changes.run(connection, steps));
                started.join();
                change(mysql, connection -> changes.run(connection, random.nextInt(STEPS_PER_FAULT)));
                Target target = target(fault, changes, random);
                struck.add(target);
                int mark = fault;
                CompletableFuture<Void> later = strike(target, pipeline, mysql, changes, mark, random);
                started =
                        pipeline.server().isRunning() ? started : CompletableFuture.runAsync(pipeline.server()::start);
                later.join();
            }
            change(mysql, connection -> changes.mark(connection, FAULTS));
            started.join();
            AtomicBoolean atTheEnd = new AtomicBoolean();
            try {
                pipeline.readFlat(
                        change -> {
                            if (change instanceof Change.OfRow row
                                    && row.after() != null
                                    && row.table().table().equals(SchemaChanges.END)) {
                                atTheEnd.compareAndSet(
                                        false,
                                        Integer.toString(FAULTS)
                                                .equals(row.after().value("id")));
                            } else {
                                values.deliver(change);
                            }
                        },
                        atTheEnd::get,
                        PATIENCE);
            } catch (AssertionError e) {
                throw new AssertionError("seed %d, %s, gtids %s, struck %s".formatted(seed, release, gtids, struck), e);
            }
            assertThat(values.problems())
                    .as("seed %d, %s, gtids %s, struck %s\n%s", seed, release, gtids, struck, pipeline.logs())
                    .isEmpty();
            LOG.warn( // for the record: the log of tests shows no less
                    "seed={} release={} gtids={} struck={} {}", seed, release, gtids, struck, values);
        }
    }

    /** The first ones are chosen, so that each run has them. */
    private static Target target(int fault, SchemaChanges changes, Random random) {
        return switch (fault) {
            case 0 -> changes.canSelectMany() ? Target.SERVER_KILLED_IN_SELECT : Target.SERVER_KILLED_AFTER_DDL;
            case 1 -> Target.SERVER_KILLED_AFTER_DDL;
            default -> {
                List<Target> any = KILLS_ONLY
                        ? List.of(Target.SERVER_KILLED_AFTER_DDL)
                        : List.of(
                                Target.SERVER_KILLED_AFTER_DDL,
                                Target.SERVER_STOPPED,
                                Target.SOURCE_KILLED,
                                Target.BROKER_STOPPED);
                yield any.get(random.nextInt(any.size()));
            }
        };
    }

    /** Strikes; completes when a statement has ended that was running then. */
    private static CompletableFuture<Void> strike(
            Target target, Pipeline pipeline, MySqlServer mysql, SchemaChanges changes, int mark, Random random)
            throws Exception {
        switch (target) {
            case SERVER_KILLED_IN_SELECT -> {
                change(mysql, connection -> changes.mark(connection, mark));
                pipeline.rowsUpTo(SchemaChanges.END, mark); // so that what comes next is of the statement
                long before = pipeline.delivered();
                CompletableFuture<Void> selected = CompletableFuture.runAsync(() -> {
                    try {
                        change(mysql, changes::selectMany);
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                });
                pipeline.awaitDelivered(before + 1 + random.nextInt(100));
                pipeline.server().kill();
                return selected;
            }
            case SERVER_KILLED_AFTER_DDL -> {
                change(mysql, connection -> changes.changeSchema(connection, random.nextInt(3)));
                pipeline.server().kill();
            }
            case SERVER_STOPPED -> pipeline.server().stop();
            case SOURCE_KILLED -> {
                mysql.kill();
                mysql.restart();
            }
            case BROKER_STOPPED -> {
                kafka.stop();
                kafka.restart();
            }
        }
        return CompletableFuture.completedFuture(null);
    }

    private static MySqlServer start(Source source) {
        MySqlOptions options = MySqlOptions.defaults().release(source.release());
        boolean hasSwitch = source.gtids() && !source.release().isMariaDb();
        MySqlServer mysql = MySqlServer.start(hasSwitch ? options.gtid() : options);
        Pipeline.allow(mysql);
        return mysql;
    }

    /** Statements on a connection. */
    private interface Statements {
        void run(Connection connection) throws Exception;
    }

    private static void change(MySqlServer mysql, Statements statements) throws Exception {
        try (Connection connection = mysql.connect()) {
            statements.run(connection);
        }
    }
}
