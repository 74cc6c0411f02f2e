package io.sluice.stream.source;

import static io.sluice.testkit.time.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.store.ring.RingConfig;
import io.sluice.stream.source.search.PositionOptions;
import io.sluice.stream.source.server.ConfiguredStart;
import io.sluice.stream.source.server.SourceHost;
import io.sluice.testkit.check.Duplicates;
import io.sluice.testkit.check.ServerState;
import io.sluice.testkit.check.StateComparison;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.workload.RandomWorkload;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection that is cut, stalls and is slow loses nothing, and leaves nothing behind.
 *
 * <p>It lasts 10 seconds for each kind of position, or as many as {@code -Dsluice.rough.seconds} says, and longer if the
 * connection was not cut in that time.
 */
@Tag("thorough")
@Timeout(1_200)
class RoughConnectionIT {
    private static final Logger LOG = LoggerFactory.getLogger(RoughConnectionIT.class);
    private static final RingConfig SMALL = new RingConfig(1 << 8, 1 << 12, false);
    private static final Duration LASTS = Duration.ofSeconds(Long.getLong("sluice.rough.seconds", 10));
    private static final int ROWS_OF_A_ROUND = 1_000;

    private static MySqlServer server;

    @BeforeAll
    static void startServer() {
        server = MySqlServer.start(MySqlOptions.defaults().gtid().with("max-binlog-size", "1M"));
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void losesNothing(boolean gtids) throws Exception {
        long seed = System.nanoTime();
        String prefix = gtids ? "by_gtid_" : "by_file_";
        List<String> schemas = new ArrayList<>();
        Sources.Delivered delivered = new Sources.Delivered(Duplicates.FORBIDDEN);
        PositionOptions rules = gtids ? PositionOptions.DEFAULT : Sources.byFile();
        ConfiguredStart start = Sources.at(server.rotateBinlog());
        int cuts;
        int stalls;
        int retries;
        try (RoughProxy proxy = new RoughProxy(server.port(), seed)) {
            SourceHost host = new SourceHost(
                    Sources.login(proxy.port()).withTimeouts(Duration.ofSeconds(2), Duration.ofSeconds(2)), start);
            try (LiveSource live =
                    LiveSource.reading(Sources.options(rules, host), SMALL).start()) {
                long end = System.nanoTime() + LASTS.toNanos();
                boolean goesOn = true;
                for (int round = 0; goesOn; round++) {
                    boolean isRough = proxy.cuts() > 0 && !live.retries().isEmpty();
                    goesOn = System.nanoTime() < end || !isRough;
                    if (!goesOn) {
                        proxy.calm();
                    }
                    String schema = prefix + round;
                    long seedOfRound = seed + round;
                    schemas.add(schema);
                    CompletableFuture<Void> changes = CompletableFuture.runAsync(() -> change(seedOfRound, schema));
                    delivered.add(live.readUntil(isEndOf(schema), LASTS.plus(Duration.ofMinutes(2))));
                    changes.join();
                }
                assertThat(live.failure()).isNull();
                cuts = proxy.cuts();
                stalls = proxy.stalls();
                retries = live.retries().size();
                assertThat(cuts).as("seed %d", seed).isPositive();
                assertThat(retries).as("seed %d", seed).isPositive();
            }
            await().until(() -> proxy.sockets() == 0);
        }
        try (Connection connection = server.connect()) {
            StateComparison.requireEqual(ServerState.of(connection, schemas.toArray(String[]::new)), delivered.model());
        }
        assertThat(delivered.model().repeatedChanges()).as("seed %d", seed).isZero();
        server.execute(schemas.stream().map("drop database "::concat).toArray(String[]::new));
        requireNothingLeft();
        LOG.info(
                "rough connection: gtids={} seed={} cuts={} stalls={} retries={} changes={}",
                gtids,
                seed,
                cuts,
                stalls,
                retries,
                delivered.model().distinctChanges());
    }

    @Test
    void noticesASilentSource() {
        SourceHost host = new SourceHost(
                Sources.login(server.port()).withTimeouts(Duration.ofSeconds(2), Duration.ofSeconds(3)),
                new ConfiguredStart.Newest());
        try (LiveSource live = LiveSource.reading(Sources.options(PositionOptions.DEFAULT, host), SMALL)
                .start()) {
            await().until(() -> live.readings().size() >= 1);
            server.pause();
            int before = live.retries().size(); // some, if the machine is slow
            try {
                await().until(() -> live.retries().size() >= before + 2);
                assertThat(live.retries().get(before)).contains("no answer for 3000 ms");
                assertThat(live.retries().get(before + 1)).contains("no answer for 2000 ms");
            } finally {
                server.resume();
            }
            await().until(() -> live.readings().size() >= 2);
        }
        requireNothingLeft();
    }

    /** Neither threads here nor sessions there. */
    private static void requireNothingLeft() {
        await().until(() -> "0"
                .equals(server.query("select count(*) from information_schema.processlist"
                        + " where id <> connection_id() and command <> 'Daemon' and user = 'root'")));
        await().untilAsserted(() -> assertThat(ourThreads()).isEmpty());
    }

    private static List<String> ourThreads() {
        List<String> names = new ArrayList<>();
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().startsWith("live-")) {
                names.add(thread.getName());
            }
        }
        return names;
    }

    private static void change(long seed, String schema) {
        try (Connection connection = server.connect()) {
            RandomWorkload workload = new RandomWorkload(
                    RandomWorkload.Options.of(seed, ROWS_OF_A_ROUND).schema(schema));
            workload.run(connection);
            workload.markTheEnd(connection);
        } catch (SQLException e) {
            throw new IllegalStateException("seed " + seed, e);
        }
    }

    private static Predicate<Entry> isEndOf(String schema) {
        return entry -> entry.kind() == EntryKind.ROWS
                && entry.schemaName().equals(schema)
                && entry.tableName().equals("sluice_end");
    }
}
