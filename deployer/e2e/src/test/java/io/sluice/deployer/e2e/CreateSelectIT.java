package io.sluice.deployer.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.sluice.testkit.check.Change;
import io.sluice.testkit.kafka.KafkaBroker;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ServerRelease;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A {@code CREATE TABLE ... SELECT} is a DDL and rows in one transaction: the server is killed while those rows are delivered.
 *
 * <p>{@code -Dsluice.selects.all=true} does that with more servers.
 */
@Timeout(900)
class CreateSelectIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int ROWS = 200_000;

    private static KafkaBroker kafka;

    @BeforeAll
    static void startBroker() {
        kafka = KafkaBroker.start();
    }

    @AfterAll
    static void stopBroker() {
        kafka.close();
    }

    /** MySQL 5.7 has no such statement with GTIDs. */
    private static List<Arguments> sources() {
        List<Arguments> few = List.of(arguments(ServerRelease.MYSQL_8_0_31, "auto"));
        List<Arguments> others = List.of(
                arguments(ServerRelease.MARIADB_11_8, "off"),
                arguments(ServerRelease.MYSQL_5_7_22, "off"),
                arguments(ServerRelease.MYSQL_8_0_31, "off"),
                arguments(ServerRelease.MARIADB_11_8, "auto"),
                arguments(ServerRelease.MYSQL_9_7, "auto"),
                arguments(ServerRelease.MYSQL_9_7, "off"));
        return Stream.concat(few.stream(), Boolean.getBoolean("sluice.selects.all") ? others.stream() : Stream.of())
                .toList();
    }

    @ParameterizedTest
    @MethodSource("sources")
    void allOfItsRowsComeAfterAKill(ServerRelease release, String gtid) throws Exception {
        String name = "selected_" + release.name().toLowerCase(Locale.ROOT) + "_" + gtid;
        boolean hasSwitch = gtid.equals("auto") && !release.isMariaDb();
        MySqlOptions options = MySqlOptions.defaults().release(release);
        // Cursors are written so often that some would be within the transaction, if that were possible.
        Map<String, String> settings = Map.of("canal.instance.position.gtid", gtid, "canal.file.flush.period", "20");
        try (MySqlServer mysql = MySqlServer.start(hasSwitch ? options.gtid() : options)) {
            Pipeline.allow(mysql);
            try (Pipeline pipeline = new Pipeline(mysql, kafka, Pipeline.Mode.FLAT, name, settings)) {
                String thousand =
                        IntStream.range(0, 1000).mapToObj(i -> "(" + i + ")").collect(Collectors.joining(","));
                mysql.execute(
                        "CREATE DATABASE s",
                        "CREATE TABLE s.numbers (n INT PRIMARY KEY)",
                        "CREATE TABLE s.the_end (id INT PRIMARY KEY)",
                        "INSERT INTO s.numbers VALUES " + thousand);
                pipeline.server().start();
                pipeline.awaitDelivered(1);
                long before = pipeline.delivered();
                CompletableFuture<Void> selected = CompletableFuture.runAsync(() ->
                        mysql.execute("CREATE TABLE s.big AS SELECT a.n * 1000 + b.n AS id, REPEAT('x', 200) AS filler"
                                + " FROM s.numbers a, s.numbers b WHERE a.n < " + ROWS / 1000));
                for (int kill = 1; kill <= 2; kill++) {
                    pipeline.awaitDelivered(before + 300L * kill);
                    pipeline.server().kill();
                    pipeline.server().start();
                }
                selected.join();
                mysql.execute("INSERT INTO s.the_end VALUES (1)");

                BitSet ids = new BitSet();
                AtomicBoolean atTheEnd = new AtomicBoolean();
                pipeline.readFlat(
                        change -> {
                            if (change instanceof Change.OfRow row && row.after() != null) {
                                if (row.table().table().equals("big")) {
                                    ids.set(Integer.parseInt(
                                            Objects.requireNonNull(row.after().value("id"))));
                                }
                                atTheEnd.compareAndSet(
                                        false, row.table().table().equals("the_end"));
                            }
                        },
                        atTheEnd::get,
                        PATIENCE);

                assertThat(ids.cardinality()).as(() -> pipeline.logs()).isEqualTo(ROWS);
            }
        }
    }
}
