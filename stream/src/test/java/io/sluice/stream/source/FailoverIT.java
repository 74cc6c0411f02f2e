package io.sluice.stream.source;

import static io.sluice.testkit.time.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.protocol.position.Cursor;
import io.sluice.schema.filter.TableFilter;
import io.sluice.store.ring.RingConfig;
import io.sluice.stream.source.schema.SchemaOptions;
import io.sluice.stream.source.search.PositionOptions;
import io.sluice.stream.source.server.ConfiguredStart;
import io.sluice.stream.source.server.MySqlServers;
import io.sluice.stream.source.server.ServerFacts;
import io.sluice.stream.source.server.SourceConnection;
import io.sluice.stream.source.watch.ProbeOptions;
import io.sluice.testkit.check.Duplicates;
import io.sluice.testkit.check.ServerState;
import io.sluice.testkit.check.StateComparison;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ReplicationPair;
import io.sluice.testkit.workload.RandomWorkload;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A source that dies or falls silent is read on from its replica, and nothing is lost. */
@Timeout(600)
class FailoverIT {
    /** So small that the reader stays far behind both servers while nothing is consumed. */
    private static final RingConfig SMALL = new RingConfig(1 << 5, 1 << 15, false);

    private static final RingConfig LARGE = new RingConfig(1 << 16, 1 << 12, false);
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final long SEED = 20_261_122;
    private static final String BEFORE = "before_it";
    private static final String AFTER = "after_it";

    private ReplicationPair pair;
    private MySqlServer source;
    private MySqlServer replica;

    @BeforeEach
    void startServers() {
        pair = ReplicationPair.start(MySqlOptions.defaults().with("max-binlog-size", "4M"));
        source = pair.source();
        replica = pair.replica();
    }

    @AfterEach
    void stopServers() {
        pair.close();
    }

    @Test
    void losesNothingWhenItsSourceIsKilledAndItHasGtids() throws Exception {
        losesNothingWhenItsSourceIsKilled(true);
    }

    private static ServerFacts.Replication replication(MySqlServer server) throws IOException {
        try (SourceConnection connection =
                new MySqlServers().connect(Sources.host(server, new ConfiguredStart.Newest()))) {
            return connection.facts().replication();
        }
    }

    @Tag("thorough")
    @Test
    void losesNothingWhenItsSourceIsKilledAndItHasNoGtids() throws Exception {
        losesNothingWhenItsSourceIsKilled(false);
    }

    private void losesNothingWhenItsSourceIsKilled(boolean gtids) throws Exception {
        PositionOptions rules = gtids ? PositionOptions.DEFAULT : Sources.byFile();
        Sources.Delivered delivered = new Sources.Delivered(gtids ? Duplicates.FORBIDDEN : Duplicates.ALLOWED);
        ConfiguredStart start = Sources.at(source.binlogEnd());
        SourceOptions options = Sources.options(
                rules, Sources.host(source, start), Sources.host(replica, new ConfiguredStart.Newest()));
        try (LiveSource live = LiveSource.reading(options, SMALL).start()) {
            await().until(() -> live.readings().size() >= 1);
            fillBuffers();
            RandomWorkload workload = new RandomWorkload(
                    RandomWorkload.Options.of(SEED, 1_000_000).schema(BEFORE));
            CompletableFuture<Void> changes = CompletableFuture.runAsync(() -> {
                try (Connection connection = source.connect()) {
                    workload.run(connection);
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
            await().until(() -> workload.progress() > 1_500);
            pair.awaitReplica(); // what is in transit is in both servers now
            assertThat(replication(source)).isEqualTo(ServerFacts.Replication.NONE);
            assertThat(replication(replica)).isEqualTo(ServerFacts.Replication.RUNNING);
            source.kill();
            assertThat(changes).failsWithin(PATIENCE);
            pair.promote();
            CompletableFuture<Void> later = change(replica, AFTER, 1_500);

            delivered.add(live.readUntil(isEndOf(AFTER)));
            later.join();

            assertThat(live.readings()).hasSize(2);
            assertThat(live.failure()).isNull();
            assertThat(live.cursor())
                    .satisfies(cursor -> assertThat(cursor.sourcePort()).isEqualTo(replica.port()));
        }
        try (Connection connection = replica.connect()) {
            StateComparison.requireEqual(ServerState.of(connection, BEFORE, AFTER), delivered.model());
        }
        if (gtids) {
            assertThat(delivered.model().repeatedChanges()).isZero();
        }
    }

    @Test
    void neverReadsAReplicaThatIsBehind() throws Exception {
        source.execute("create database shop", "create table shop.item (id int primary key)");
        pair.awaitReplica();
        SourceOptions options = Sources.options(
                PositionOptions.DEFAULT,
                Sources.host(source, new ConfiguredStart.Newest()),
                Sources.host(replica, new ConfiguredStart.Newest()));
        try (LiveSource live = LiveSource.reading(options, LARGE).start()) {
            await().until(() -> live.readings().size() >= 1);
            replica.execute("stop replica");
            source.execute("insert into shop.item values (1)", "insert into shop.item values (2)");
            live.readUntil(entry -> entry.kind() == EntryKind.END);
            live.readUntil(entry -> entry.kind() == EntryKind.END);
            String last = source.binlogEnd().gtidSet().replaceAll(":.*-", ":");
            source.kill();

            await().until(() -> live.retries().stream()
                    .anyMatch(cause -> cause.contains("127.0.0.1:" + replica.port() + " does not have the transactions")
                            && cause.contains(last.substring(last.lastIndexOf(':') + 1))));
            assertThat(live.readings()).hasSize(1);

            source.restart();
            replica.execute("start replica");
            source.execute("insert into shop.item values (3)");
            List<Entry> rest = live.readUntil(entry -> entry.kind() == EntryKind.END);
            assertThat(rest).extracting(Entry::kind).containsExactly(EntryKind.BEGIN, EntryKind.ROWS, EntryKind.END);
        }
    }

    @Test
    void aSilentSourceIsLeftWhenProbesFail() throws Exception {
        source.execute("create database shop", "create table shop.item (id int primary key)");
        pair.awaitReplica();
        // Long enough for a source that is only slow to answer.
        ProbeOptions probe = new ProbeOptions("select 1", Duration.ofSeconds(5), 1, true);
        SourceOptions options = Sources.options(
                PositionOptions.DEFAULT,
                probe,
                Sources.host(source, new ConfiguredStart.Newest()),
                Sources.host(replica, new ConfiguredStart.Newest()));
        try (LiveSource live = LiveSource.reading(options, LARGE).start()) {
            await().until(() -> live.readings().size() >= 1);
            source.execute("insert into shop.item values (1)");
            live.readUntil(entry -> entry.kind() == EntryKind.END);
            pair.awaitReplica();

            source.pause();
            try {
                replica.execute("insert into shop.item values (2)");
                List<Entry> rest = live.readUntil(entry -> entry.kind() == EntryKind.END);
                assertThat(rest)
                        .extracting(Entry::kind)
                        .containsExactly(EntryKind.BEGIN, EntryKind.ROWS, EntryKind.END);
                assertThat(live.cursor().sourcePort()).isEqualTo(replica.port());
            } finally {
                source.resume();
            }
        }
        // The replica's own is the one of the source.
        await().until(() -> source.dumps().size() == 1 && replica.dumps().isEmpty());
    }

    /**
     * Without GTIDs the replica is read from a minute before, when its columns were other ones. Where reading was interrupted, the schemas
     * must be those of there, though they were replaced.
     */
    @Test
    void aTableThatIsNewToTheFilterIsCheckedAgainWhereTheReplicaIsReadFrom(@TempDir Path folder) throws Exception {
        source.execute(
                "create database shop",
                "create table shop.item (id int primary key, a int, b int)",
                "create table shop.other (id int primary key, a int, b int)");
        ConfiguredStart start = Sources.at(source.binlogEnd());
        SourceOptions options = Sources.options(
                Sources.byFile().withFallback(Duration.ofMinutes(1)),
                Sources.host(source, start),
                Sources.host(replica, new ConfiguredStart.Newest()));
        SchemaOptions history = Sources.history(folder);
        Cursor cursor;
        try (LiveSource live = LiveSource.reading(options, LARGE)
                .schema(history)
                .filter(new TableFilter("shop\\.item", ""))
                .start()) {
            await().until(() -> live.readings().size() >= 1);
            exchangeColumnsAnHourLater();
            assertThat(columnsOfItem(live)).startsWith("id int, b int, a int");
            cursor = live.cursor();
        }
        try (LiveSource live = LiveSource.reading(options, LARGE)
                .schema(history)
                .filter(new TableFilter("shop\\..*", ""))
                .from(cursor)
                .start()) {
            await().until(() -> live.readings().size() >= 1);
            pair.awaitReplica();
            source.kill();

            await().until(() -> live.retries().stream()
                    .anyMatch(cause ->
                            cause.contains("the filter accepts 1 tables that it did not when the binlog was read"
                                            + " there before")
                                    && cause.contains("shop.other (by the DDL at ")));
            source.restart();
            source.execute("insert into shop.item values (3, 3, 3)");
            assertThat(columnsOfItem(live)).startsWith("id int, b int, a int");
            assertThat(live.failure()).isNull();
            assertThat(live.cursor().sourcePort()).isEqualTo(source.port());
        }
    }

    /** So that what was before is more than the minute before. */
    private void exchangeColumnsAnHourLater() throws SQLException {
        try (Connection connection = source.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("set timestamp = unix_timestamp() + 3600");
            statement.execute("insert into shop.other values (1, 1, 1)");
            for (String table : List.of("shop.item", "shop.other")) {
                statement.execute("alter table %s rename column a to b, rename column b to a".formatted(table));
            }
            statement.execute("insert into shop.item values (2, 2, 2)");
        }
    }

    private static String columnsOfItem(LiveSource live) throws Exception {
        List<Entry> entries = live.readUntil(
                entry -> entry.kind() == EntryKind.ROWS && entry.tableName().equals("item"));
        Entry rows = entries.get(entries.size() - 1);
        live.readUntil(entry -> entry.kind() == EntryKind.END);
        return EntryColumns.of(rows);
    }

    /** Writes so much that the reader, from which nothing is consumed, and the sockets are full. */
    private void fillBuffers() throws SQLException {
        try (Connection connection = source.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("create database ballast");
            statement.execute("create table ballast.stone (id int primary key auto_increment, weight longblob)");
            for (int i = 0; i < 32; i++) {
                statement.execute("insert into ballast.stone (weight) values (repeat('x', 1000000))");
            }
        }
    }

    private static CompletableFuture<Void> change(MySqlServer server, String schema, int rows) {
        return CompletableFuture.runAsync(() -> {
            try (Connection connection = server.connect()) {
                RandomWorkload workload = new RandomWorkload(
                        RandomWorkload.Options.of(SEED + 1, rows).schema(schema));
                workload.run(connection);
                workload.markTheEnd(connection);
            } catch (SQLException e) {
                throw new IllegalStateException("seed " + SEED, e);
            }
        });
    }

    private static Predicate<Entry> isEndOf(String schema) {
        return entry -> entry.kind() == EntryKind.ROWS
                && entry.schemaName().equals(schema)
                && entry.tableName().equals("sluice_end");
    }
}
