package io.sluice.deployer.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.check.Change;
import io.sluice.testkit.kafka.KafkaBroker;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ServerRelease;
import java.sql.Connection;
import java.time.Duration;
import java.util.EnumMap;
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
 * Changes of structures and rows without a pause, while the server is killed and stopped at random moments, and now and then the
 * source or the broker: no row may be lost, and no value may come under another column's name.
 *
 * <p>{@code -Dsluice.schema.runs=200} makes it longer, {@code -Dsluice.schema.seed=7} begins with that seed.
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
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final int STEPS_PER_FAULT = 120;

    private static final Map<Source, MySqlServer> SERVERS = new HashMap<>();
    private static KafkaBroker kafka;

    /** A server, and how positions in it are told. */
    record Source(ServerRelease release, boolean gtids) {}

    /** What is struck. */
    private enum Target {
        SERVER_KILLED,
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
        return IntStream.range(first, first + Integer.getInteger("sluice.schema.runs", 2))
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
        Map<Target, Integer> struck = new EnumMap<>(Target.class);
        try (Pipeline pipeline = new Pipeline(
                mysql,
                kafka,
                Pipeline.Mode.FLAT,
                name,
                Map.of("canal.instance.position.gtid", gtids ? "auto" : "off"))) {
            SchemaChanges changes = new SchemaChanges(seed, name, release, gtids, values);
            CompletableFuture<Void> started = CompletableFuture.runAsync(pipeline.server()::start);
            change(mysql, changes::create);
            for (int fault = 0; fault < FAULTS; fault++) {
                int steps = 1 + random.nextInt(STEPS_PER_FAULT);
                change(mysql, connection -> changes.run(connection, steps));
                started.join();
                change(mysql, connection -> changes.run(connection, random.nextInt(STEPS_PER_FAULT)));
                Target target = random.nextInt(10) < 7
                        ? Target.SERVER_KILLED
                        : Target.values()[random.nextInt(Target.values().length)];
                struck.merge(target, 1, Integer::sum);
                strike(target, pipeline, mysql);
                started = target == Target.SERVER_KILLED || target == Target.SERVER_STOPPED
                        ? CompletableFuture.runAsync(pipeline.server()::start)
                        : started;
            }
            change(mysql, changes::markTheEnd);
            started.join();
            AtomicBoolean atTheEnd = new AtomicBoolean();
            pipeline.readFlat(
                    change -> {
                        if (change instanceof Change.OfRow row
                                && row.table().table().equals(SchemaChanges.END)) {
                            atTheEnd.set(true);
                        } else {
                            values.deliver(change);
                        }
                    },
                    atTheEnd::get,
                    PATIENCE);
            assertThat(values.problems())
                    .as("seed %d, %s\n%s", seed, release, pipeline.logs())
                    .isEmpty();
            LOG.warn( // for the record: the log of tests shows no less
                    "seed={} release={} gtids={} struck={} {}", seed, release, gtids, struck, values);
        }
    }

    private static void strike(Target target, Pipeline pipeline, MySqlServer mysql) {
        switch (target) {
            case SERVER_KILLED -> pipeline.server().kill();
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
