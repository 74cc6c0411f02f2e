package io.sluice.stream.source;

import static io.sluice.testkit.time.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.format.entry.Encodings;
import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.store.ring.RingConfig;
import io.sluice.stream.source.search.PositionOptions;
import io.sluice.stream.source.server.ConfiguredStart;
import io.sluice.stream.source.server.SourceHost;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.workload.RandomWorkload;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A source that is disturbed hands on the same entries as one that is not.
 *
 * <p>The server writes GTIDs and small binlog files, so that every run passes from file to file.
 */
@Timeout(600)
class BinlogSourceIT {
    private static final int NO_SUCH_THREAD = 1094; // ER_NO_SUCH_THREAD
    private static final RingConfig LARGE = new RingConfig(1 << 16, 1 << 12, false);
    /** So small that the source mostly waits for room. */
    private static final RingConfig SMALL = new RingConfig(1 << 5, 1 << 16, false);

    private static final int REPLICA_ID = 4713;
    private static final Duration HEARTBEAT = Duration.ofSeconds(5);
    private static final long SEED = 20_240_229;

    private static final String FIRST = "first_one";
    private static final String SECOND = "second_one";
    private static final String THIRD = "third_one";
    private static final List<String> SCHEMAS = List.of(FIRST, SECOND, THIRD);

    private static MySqlServer server;

    @BeforeAll
    static void startServer() {
        server = MySqlServer.start(MySqlOptions.defaults().gtid().with("max-binlog-size", "1M"));
        server.execute("create user canal identified by 'secret'", "grant all on *.* to canal", "create database shop");
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @AfterEach
    void dropSchemas() throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            for (String schema : SCHEMAS) {
                statement.execute("drop database if exists " + schema);
            }
        }
    }

    @Tag("thorough")
    @Test
    void losesAndDoublesNothingWhenItsDumpsAreKilled() throws Exception {
        int kills = 12;
        BinlogEnd start = server.rotateBinlog();
        List<Entry> disturbed = new ArrayList<>();
        try (LiveSource live = start(at(start), null, SMALL)) {
            CompletableFuture<Void> changes = change(FIRST, 20_000);
            int killed = 0;
            boolean ended = false;
            while (killed < kills || !ended) {
                List<Entry> next = live.next();
                disturbed.addAll(next);
                ended |= next.stream().anyMatch(isEndOf(FIRST));
                if (killed < kills && live.readings().size() == killed + 1 && killDumps()) {
                    killed++;
                }
            }
            changes.join();
            assertThat(live.retries()).as("seed %d", SEED).hasSizeGreaterThanOrEqualTo(kills - 1);
        }

        disturbed.remove(disturbed.size() - 1); // the end of the transaction that marks the end
        assertSameAsUndisturbed(start, FIRST, disturbed);
    }

    @ParameterizedTest
    @ValueSource(longs = 1)
    void losesAndDoublesNothingWhereverItsConnectionIsCut(long seed) throws Exception {
        int cuts = 12;
        BinlogEnd start = server.rotateBinlog();
        change(FIRST, 10_000).join();
        try (CuttingProxy proxy = new CuttingProxy(server.port(), seed, cuts, 200_000);
                LiveSource live = LiveSource.reading(options(login(proxy.port(), "canal"), at(start), null), SMALL)
                        .encodeAhead(true)
                        .start()) {
            List<Entry> disturbed = live.readUntil(isEndOf(FIRST));

            assertThat(proxy.cutsLeft()).as("seed %d", seed).isZero();
            assertSameAsUndisturbed(start, FIRST, disturbed);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void countsWhatItReads(boolean encodeAhead) throws Exception {
        BinlogEnd start = server.rotateBinlog();
        server.execute(
                "create database " + FIRST, "create table " + FIRST + ".item (id int primary key, note longtext)");
        for (int i = 0; i < 3; i++) {
            server.execute("insert into " + FIRST + ".item values (" + i + ", repeat('x', 300000))");
        }
        BinlogEnd end = server.binlogEnd();
        SourceOptions options = options(login(server.port(), "canal"), at(start), null);
        try (LiveSource live =
                LiveSource.reading(options, LARGE).encodeAhead(encodeAhead).start()) {
            live.readUntil(entry -> live.progress().transactions() == 3);

            assertThat(live.progress().transactions()).isEqualTo(3);
            // Behind the events of the file come those that only tell where it is: a rotation, a format.
            assertThat(live.progress().receivedBytes())
                    .isBetween(end.offset() - start.offset(), end.offset() - start.offset() + 1000);
        }
    }

    /** A rows event adds 44 bytes to such a value, and the packet one more: an empty packet follows. */
    @Test
    void readsAnEventThatFillsItsPacket() throws Exception {
        int length = 16_777_215 - 45;
        BinlogEnd start = server.rotateBinlog();
        server.execute(
                "create database " + FIRST,
                "create table " + FIRST + ".item (id int primary key, content longblob)",
                "insert into " + FIRST + ".item values (1, repeat('x', " + length + "))",
                "insert into " + FIRST + ".item values (2, 'y')");
        try (LiveSource live = start(at(start), null, LARGE)) {
            List<Entry> large = live.readUntil(entry -> entry.kind() == EntryKind.ROWS);
            List<Entry> next = live.readUntil(entry -> entry.kind() == EntryKind.ROWS);

            assertThat(large)
                    .last()
                    .satisfies(rows -> assertThat(rows.sizeBytes()).isGreaterThan(length));
            assertThat(next)
                    .last()
                    .satisfies(rows -> assertThat(rows.sizeBytes()).isLessThan(1000));
        }
    }

    @Test
    void resumesWhenTheServerIsReachableAgain() throws Exception {
        BinlogEnd start = server.rotateBinlog();
        List<Entry> disturbed = new ArrayList<>();
        try (LiveSource live = start(at(start), null, LARGE)) {
            change(FIRST, 500).join();
            await().until(() -> !live.readings().isEmpty());
            int before = live.readings().size();
            server.restart();
            await().until(() -> live.readings().size() > before);
            CompletableFuture<Void> interrupted = change(SECOND, 100_000);
            disturbed.addAll(live.readUntil(entry ->
                    entry.kind() == EntryKind.ROWS && entry.schemaName().equals(SECOND)));
            server.kill();
            server.restart();
            assertThatThrownBy(interrupted::join).hasRootCauseInstanceOf(IOException.class);
            change(THIRD, 500).join();
            disturbed.addAll(live.readUntil(isEndOf(THIRD)));
            assertThat(live.readings()).hasSizeGreaterThanOrEqualTo(3);
        }

        assertSameAsUndisturbed(start, THIRD, disturbed);
    }

    /** How positions are kept: a cursor is the place of an entry that was delivered. */
    enum Positions {
        /** The entry is read again. */
        FILE,
        /** Reading continues after its transaction. */
        GTIDS,
        /** Reading continues after its transaction, and entries show the GTIDs. */
        SHOWN_GTIDS,
        /** As a cursor of canal, which has no GTIDs, on a server that has them. */
        TRANSLATED
    }

    @ParameterizedTest
    @EnumSource(Positions.class)
    void resumesFromEveryCursor(Positions positions) throws Exception {
        RandomWorkload workload = tables(FIRST, 1_000);
        BinlogEnd start = server.rotateBinlog();
        PositionOptions rules = new PositionOptions(
                positions == Positions.SHOWN_GTIDS, positions != Positions.FILE, false, Duration.ofSeconds(60));
        server.execute("truncate table %s.visits".formatted(FIRST));
        change(workload).join();
        List<Entry> all;
        try (LiveSource live = LiveSource.reading(rules(rules, at(start)), LARGE)
                .encodeAhead(true)
                .start()) {
            all = live.readUntil(isEndOf(FIRST));
        }
        assertThat(all.get(0).kind()).isEqualTo(EntryKind.DDL);
        List<Integer> boundaries = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).isBoundary()) {
                boundaries.add(i);
            }
        }
        Collections.shuffle(boundaries.subList(1, boundaries.size()), new Random(SEED));
        for (int boundary : boundaries.subList(0, 12)) {
            Cursor cursor = all.get(boundary).cursor();
            assertThat(cursor.gtidSet().isEmpty()).isEqualTo(positions == Positions.FILE);
            if (positions == Positions.TRANSLATED) {
                cursor = cursor.withGtidSet("");
            }
            assertSame(all.subList(boundary + 1, all.size()), restFrom(rules, cursor), cursor);
            Cursor canals = EntryPositions.at(
                    EntryPositions.canalCursor(all.get(boundary)), cursor.sourceHost(), cursor.sourcePort());
            int again = positions == Positions.FILE ? 0 : 1;
            assertSame(all.subList(boundary + again, all.size()), restFrom(rules, canals), canals);
        }
    }

    private static List<Entry> restFrom(PositionOptions rules, Cursor cursor) throws InterruptedException {
        try (LiveSource live = LiveSource.reading(rules(rules, null), LARGE)
                .from(cursor)
                .encodeAhead(true)
                .start()) {
            return live.readUntil(isEndOf(FIRST));
        }
    }

    private static SourceOptions rules(PositionOptions rules, BinlogPosition start) {
        return new SourceOptions(
                List.of(new SourceHost(
                        login("canal"),
                        start == null ? new ConfiguredStart.Newest() : new ConfiguredStart.At(start, null))),
                REPLICA_ID,
                rules,
                List.of(),
                List.of(),
                HEARTBEAT,
                3,
                null);
    }

    @Test
    void startsAtTheEndOfTheBinlogByDefault() throws Exception {
        server.execute("create table shop.newest (id int primary key)", "insert into shop.newest values (1)");
        try (LiveSource live = start(null, null, LARGE)) {
            BinlogEnd end = server.binlogEnd();
            await().until(() -> live.readings().size() >= 1);
            assertThat(live.readings()).containsExactly(at(end));
            server.execute("insert into shop.newest values (2)");

            List<Entry> entries = live.readUntil(entry -> entry.kind() == EntryKind.END);

            assertThat(entries).extracting(Entry::kind).containsExactly(EntryKind.BEGIN, EntryKind.ROWS, EntryKind.END);
            assertThat(flat(entries.get(1))).contains("\"data\":[{\"id\":\"2\"}]");
        }
    }

    @Test
    void reportsWhatToDoWhenTheBinlogWasPurged() {
        BinlogEnd start = server.rotateBinlog();
        purgeBefore(server.rotateBinlog());
        try (LiveSource live = start(at(start), null, LARGE)) {
            await().until(() -> live.failure() != null);

            assertThat(live.failure())
                    .hasMessageContaining(start.file())
                    .hasMessageContaining("has purged the binlog that is needed next")
                    .hasMessageContaining("it still has " + server.query("show binary logs"));
            assertThat(live.kind()).isEqualTo(SourceFailure.PURGED);
            assertThat(live.kind().remedy())
                    .contains("--to oldest --restart")
                    .contains("canal.auto.reset.latest.pos.mode=true");
            assertThat(live.retries()).isEmpty();
        }
    }

    @Test
    void retriesUntilTheLoginSucceeds() throws Exception {
        server.execute(
                "create user late identified by 'other'",
                "grant all on *.* to late",
                "create table shop.late (id int primary key)");
        AtomicInteger rejections = new AtomicInteger();
        Consumer<SourceState> admitting = state -> {
            if (state instanceof SourceState.BackingOff && rejections.incrementAndGet() == 2) {
                server.execute("alter user late identified by 'secret'", "insert into shop.late values (1)");
            }
        };
        try (LiveSource live = LiveSource.reading(options(login("late"), at(server.binlogEnd()), null), LARGE)
                .encodeAhead(true)
                .onState(admitting)
                .start()) {
            List<Entry> entries =
                    live.readUntil(entry -> entry.tableName().equals("late") && entry.kind() == EntryKind.ROWS);

            assertThat(entries).isNotEmpty();
            assertThat(live.retries())
                    .hasSize(2)
                    .allSatisfy(message -> assertThat(message)
                            .contains("127.0.0.1:" + server.port(), "Access denied for user 'late'")
                            .doesNotContain("secret"));
            assertThat(live.readings()).hasSize(1);
        }
    }

    @Test
    void stopsAfterTooManyRejections() {
        server.execute("create user refused identified by 'other'", "grant all on *.* to refused");
        try (LiveSource live = LiveSource.reading(options(login("refused"), at(server.binlogEnd()), null), LARGE)
                .encodeAhead(true)
                .start()) {
            await().until(() -> live.failure() != null);

            assertThat(live.kind()).isEqualTo(SourceFailure.AUTHENTICATION);
            assertThat(live.failure())
                    .hasMessageContaining("Access denied for user 'refused'")
                    .hasMessageNotContaining("secret");
            assertThat(live.retries()).hasSize(4);
        }
    }

    @Test
    void readsOnlyRowImagesThatAreAccepted() {
        SourceOptions options = new SourceOptions(
                login("canal"),
                REPLICA_ID,
                at(server.binlogEnd()),
                null,
                List.of(),
                List.of("MINIMAL", "NOBLOB"),
                HEARTBEAT);
        try (LiveSource live =
                LiveSource.reading(options, LARGE).encodeAhead(true).start()) {
            await().until(() -> live.failure() != null);

            assertThat(live.failure())
                    .hasMessageContaining("binlog_row_image=FULL")
                    .hasMessageContaining("canal.instance.binlog.image allows only MINIMAL,NOBLOB");
            assertThat(live.kind()).isEqualTo(SourceFailure.MISCONFIGURED);
            assertThat(live.readings()).isEmpty();
            assertThat(live.retries()).isEmpty();
        }
    }

    @Test
    void asksTheServerForATableWhoseDdlItCannotRead() throws Exception {
        server.execute("create table shop.doubtful (id int not null)");
        try (LiveSource live = start(at(server.binlogEnd()), null, LARGE)) {
            server.execute(
                    "alter table shop.doubtful add (added int not null, primary key (added))",
                    "insert into shop.doubtful values (1, 2)");

            List<Entry> entries = live.readUntil(entry -> entry.kind() == EntryKind.ROWS);

            assertThat(flat(entries.get(entries.size() - 1)))
                    .contains("\"data\":[{\"id\":\"1\",\"added\":\"2\"}]")
                    .contains("\"pkNames\":[\"added\"]");
        }
    }

    @Test
    void endsWhileItsRingIsFull() throws Exception {
        BinlogEnd start = server.rotateBinlog();
        change(FIRST, 500).join();
        LiveSource live = start(at(start), null, SMALL);
        await().until(live::isFull);

        live.close();

        assertThat(live.failure()).isNull();
    }

    private static LiveSource start(BinlogPosition start, Cursor cursor, RingConfig size) {
        return LiveSource.reading(options(login("canal"), start, null), size)
                .from(cursor)
                .start();
    }

    private static SourceOptions options(ConnectOptions login, BinlogPosition start, String gtidSet) {
        return new SourceOptions(login, REPLICA_ID, start, gtidSet, List.of("ROW"), List.of(), HEARTBEAT);
    }

    private static ConnectOptions login(String user) {
        return login(server.port(), user);
    }

    private static ConnectOptions login(int port, String user) {
        return ConnectOptions.of(new ServerAddress(server.host(), port), user, "secret");
    }

    private static BinlogPosition at(BinlogEnd end) {
        return new BinlogPosition(end.file(), end.offset());
    }

    private static RandomWorkload tables(String schema, int rows) {
        RandomWorkload workload =
                new RandomWorkload(RandomWorkload.Options.of(SEED, rows).schema(schema));
        try (Connection connection = server.connect()) {
            workload.createTables(connection);
            return workload;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static CompletableFuture<Void> change(String schema, int rows) {
        return change(tables(schema, rows));
    }

    /** Changes random rows, among them a transaction of many rows events, and marks the end. */
    private static CompletableFuture<Void> change(RandomWorkload workload) {
        return CompletableFuture.runAsync(() -> {
            try (Connection connection = server.connect();
                    Statement statement = connection.createStatement()) {
                statement.execute(
                        "insert into %s.visits (version, page) with recursive n (i) as".formatted(workload.schema())
                                + " (select 1 union all select i + 1 from n where i < 900)"
                                + " select -i, repeat('x', 80) from n");
                workload.change(connection);
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

    /** Deletes all files in front of the newest, which the server leaves where a dump that was just ended still reads one. */
    private static void purgeBefore(BinlogEnd newest) {
        await().until(() -> {
            server.execute("purge binary logs to '%s'".formatted(newest.file()));
            return server.query("show binary logs").startsWith(newest.file());
        });
    }

    /** Returns whether there was one: the server may not have begun it yet. */
    private static boolean killDumps() throws SQLException {
        List<Long> dumps = server.dumps();
        boolean isKilled = false;
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            for (long dump : dumps) {
                try {
                    statement.execute("kill " + dump);
                    isKilled = true;
                } catch (SQLException e) {
                    if (e.getErrorCode() != NO_SUCH_THREAD) {
                        throw e;
                    }
                }
            }
        }
        return isKilled;
    }

    private static void assertSameAsUndisturbed(BinlogEnd start, String schema, List<Entry> disturbed)
            throws InterruptedException {
        try (LiveSource live = start(at(start), null, LARGE)) {
            List<Entry> undisturbed = live.readUntil(isEndOf(schema));
            assertThat(live.readings()).hasSize(1);
            assertSame(undisturbed, disturbed, "the whole run");
        }
    }

    private static void assertSame(List<Entry> expected, List<Entry> actual, Object what) {
        for (int i = 0; i < Math.min(expected.size(), actual.size()); i++) {
            byte[] right = protobuf(expected.get(i));
            byte[] ours = protobuf(actual.get(i));
            if (!Arrays.equals(right, ours)) {
                assertThat(HexFormat.of().formatHex(ours))
                        .as(
                                "%s, seed %d: entry %d of %d at %s",
                                what, SEED, i, actual.size(), actual.get(i).changeId())
                        .isEqualTo(HexFormat.of().formatHex(right));
            }
        }
        assertThat(actual).as("%s, seed %d", what, SEED).hasSameSizeAs(expected);
    }

    private static byte[] protobuf(Entry entry) {
        ByteWriter out = new ByteWriter(256);
        Encodings.writeProtobuf(entry, out);
        return out.toByteArray();
    }

    private static String flat(Entry entry) {
        ByteWriter out = new ByteWriter(256);
        assertThat(Encodings.writeFlat(entry, out, 1, 1)).isTrue();
        return new String(out.toByteArray(), StandardCharsets.UTF_8);
    }
}
