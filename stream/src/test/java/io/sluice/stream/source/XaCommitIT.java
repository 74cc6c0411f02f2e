package io.sluice.stream.source;

import static io.sluice.testkit.time.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import io.sluice.format.entry.Encodings;
import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.entry.EventType;
import io.sluice.protocol.entry.RowChange;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.store.ring.RingConfig;
import io.sluice.stream.options.StreamOptions;
import io.sluice.stream.options.XaHolding;
import io.sluice.stream.source.search.PositionOptions;
import io.sluice.stream.source.server.ConfiguredStart;
import io.sluice.testkit.log.LogLines;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ReplicationPair;
import io.sluice.testkit.mysql.ServerRelease;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows of XA transactions that are held back until they are committed, as real servers log them. */
@Timeout(600)
class XaCommitIT {
    private static final RingConfig LARGE = new RingConfig(1 << 16, 1 << 12, false);
    private static final int LAST = 999;

    @TempDir
    private Path directory;

    @AutoClose
    private final LogLines log = LogLines.of("io.sluice.stream");

    /** A server that logs XA transactions in its own way. */
    enum Source {
        MYSQL_5_7(MySqlOptions.defaults().release(ServerRelease.MYSQL_5_7_22)),
        MYSQL_5_7_GTID(
                MySqlOptions.defaults().release(ServerRelease.MYSQL_5_7_22).gtid()),
        MYSQL_8_0_GTID(
                MySqlOptions.defaults().release(ServerRelease.MYSQL_8_0_31).gtid()),
        MYSQL_8_0_COMPRESSED(
                MySqlOptions.defaults().release(ServerRelease.MYSQL_8_0_31).compressedTransactions()),
        MYSQL_9_7_GTID(MySqlOptions.defaults().release(ServerRelease.MYSQL_9_7).gtid()),
        MARIADB_11_8(MySqlOptions.defaults().release(ServerRelease.MARIADB_11_8));

        @SuppressWarnings("ImmutableEnumChecker") // a record, whose settings are copied
        private final MySqlOptions options;

        Source(MySqlOptions options) {
            this.options = options;
        }

        MySqlServer start() {
            MySqlServer server = MySqlServer.start(options);
            server.execute("CREATE DATABASE shop", "CREATE TABLE shop.item (id INT PRIMARY KEY, v LONGTEXT)");
            return server;
        }
    }

    @ParameterizedTest
    @EnumSource
    void rowsComeWhereTheirTransactionIsCommitted(Source source) throws Exception {
        try (MySqlServer server = source.start();
                Connection a = server.connect();
                Connection b = server.connect();
                Connection c = server.connect()) {
            BinlogEnd start = server.rotateBinlog();
            String large = "'it''s a',X'00ff'," + (source == Source.MARIADB_11_8 ? "2000000000" : "3000000000");
            prepare(a, large, 1, 2);
            prepare(b, "'b'", 3);
            insert(c, 4);
            run(b, "XA COMMIT 'b'");
            insert(c, 5);
            run(a, "XA COMMIT " + large);
            prepare(a, "'rolled back'", 6);
            run(a, "XA ROLLBACK 'rolled back'");
            begin(b, "'one phase'", 7);
            run(b, "XA END 'one phase'", "XA COMMIT 'one phase' ONE PHASE");
            prepare(a, "'b'", 8); // an xid is used again
            insert(c, 9);
            run(a, "XA COMMIT 'b'");
            prepare(b, "'undecided'", 10);
            insert(c, LAST);
            try (LiveSource live = start(server, start, null, 1 << 20)) {
                List<Entry> entries = live.readUntil(entry -> ids(entry).contains(LAST));

                assertThat(idsOf(entries)).containsExactly(4, 3, 5, 1, 2, 7, 9, 8, LAST);
                assertThat(entries)
                        .extracting(XaCommitIT::type)
                        .doesNotContain(EventType.XACOMMIT, EventType.XAROLLBACK);
                requireWholeTransactions(entries, source);
                requireForward(entries);
                assertThat(log.warnings()).noneMatch(line -> line.contains("XA"));
                run(b, "XA ROLLBACK 'undecided'");
                BinlogEnd end = server.binlogEnd();
                await().until(() -> hasReached(live, end));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL_5_7", "MYSQL_8_0_COMPRESSED", "MYSQL_9_7_GTID", "MARIADB_11_8"})
    void theCursorWaitsForTheDecision(Source source) throws Exception {
        try (MySqlServer server = source.start();
                Connection a = server.connect();
                Connection b = server.connect();
                Connection c = server.connect()) {
            BinlogEnd start = server.rotateBinlog();
            insert(c, 1);
            prepare(a, "'committed'", 2);
            prepare(b, "'rolled back'", 3);
            insert(c, 4);
            Cursor cursor;
            try (LiveSource live = start(server, start, null, 100)) {
                assertThat(idsOf(live.readUntil(entry -> ids(entry).contains(4))))
                        .containsExactly(1, 4);
                live.readUntil(entry -> entry.kind() == EntryKind.END);
                live.next();
                cursor = live.cursor();
                assertThat(files()).hasSize(2);
            }
            assertThat(files()).isEmpty();

            run(b, "XA ROLLBACK 'rolled back'");
            insert(c, 5);
            run(a, "XA COMMIT 'committed'");
            insert(c, 6);
            try (LiveSource live = start(server, start, cursor, 100)) {
                assertThat(idsOf(live.readUntil(entry -> ids(entry).contains(6))))
                        .containsExactly(4, 5, 2, 6);
                live.readUntil(entry -> entry.kind() == EntryKind.END);
                live.next();
                cursor = live.cursor();
                assertThat(files()).isEmpty();
            }
            insert(c, 7);
            try (LiveSource live = start(server, start, cursor, 100)) {
                assertThat(idsOf(live.readUntil(entry -> ids(entry).contains(7))))
                        .containsExactly(7);
            }
            assertThat(log.warnings()).noneMatch(line -> line.contains("XA"));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL_8_0_COMPRESSED", "MARIADB_11_8"})
    void aRestartOfTheSourceBetweenPrepareAndCommitLosesNothing(Source source) throws Exception {
        restart(source);
    }

    @Tag("thorough")
    @ParameterizedTest
    @EnumSource(names = {"MYSQL_5_7", "MYSQL_9_7_GTID"})
    void aRestartOfAnotherSourceBetweenPrepareAndCommitLosesNothing(Source source) throws Exception {
        restart(source);
    }

    private void restart(Source source) throws Exception {
        try (MySqlServer server = source.start()) {
            BinlogEnd start = server.rotateBinlog();
            try (Connection a = server.connect();
                    Connection b = server.connect();
                    Connection c = server.connect()) {
                insert(c, 1);
                prepare(a, "'committed'", 2, 3);
                prepare(b, "'rolled back'", 4);
                insert(c, 5);
            }
            try (LiveSource live = start(server, start, null, 100)) {
                assertThat(idsOf(live.readUntil(entry -> ids(entry).contains(5))))
                        .containsExactly(1, 5);
                server.restart();
                try (Connection d = server.connect()) {
                    insert(d, 6);
                    run(d, "XA COMMIT 'committed'", "XA ROLLBACK 'rolled back'");
                    insert(d, LAST);
                }

                assertThat(idsOf(live.readUntil(entry -> ids(entry).contains(LAST))))
                        .containsExactly(6, 2, 3, LAST);
                assertThat(live.retries()).isNotEmpty();
                assertThat(files()).isEmpty();
                assertThat(log.warnings()).noneMatch(line -> line.contains("XA COMMIT"));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL_8_0_GTID", "MARIADB_11_8"})
    void aFullDiskStopsTheStreamAndTheNextRunResumesBeforeTheTransaction(Source source) throws Exception {
        Configuration small = Configuration.unix().toBuilder()
                .setAttributeViews("basic", "owner", "posix")
                .setBlockSize(4096)
                .setMaxSize(256 << 10)
                .build();
        try (MySqlServer server = source.start();
                FileSystem disk = Jimfs.newFileSystem(small);
                Connection a = server.connect();
                Connection c = server.connect()) {
            Path held = disk.getPath("/held");
            BinlogEnd start = server.rotateBinlog();
            insert(c, 1);
            run(a, "XA START 'large'");
            for (int id = 2; id < 22; id++) {
                run(a, "INSERT INTO shop.item VALUES (%d, REPEAT('x', 30000))".formatted(id));
            }
            run(a, "XA END 'large'", "XA PREPARE 'large'");
            Cursor cursor;
            try (LiveSource live = start(server, start, null, held, 0)) {
                live.readUntil(entry -> ids(entry).contains(1));
                await().until(() -> live.kind() == SourceFailure.XA_NOT_HELD);
                assertThat(live.failure()).hasMessageContaining("/held").hasMessageContaining("disk space");
                cursor = live.cursor();
            }
            assertThat(disk.getPath("/held")).isEmptyDirectory();

            run(a, "XA COMMIT 'large'");
            insert(c, LAST);
            try (LiveSource live = start(server, start, cursor, 1 << 20)) {
                assertThat(idsOf(live.readUntil(entry -> ids(entry).contains(LAST))))
                        .containsSubsequence(IntStream.range(2, 22).boxed().toList())
                        .endsWith(21, LAST);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL_5_7", "MYSQL_8_0_COMPRESSED", "MYSQL_9_7_GTID", "MARIADB_11_8"})
    void eventsBeyondTheMemoryAreInAFileUntilTheDecision(Source source) throws Exception {
        try (MySqlServer server = source.start();
                Connection a = server.connect();
                Connection c = server.connect()) {
            BinlogEnd start = server.rotateBinlog();
            run(a, "XA START 'large'");
            int rows = 40;
            for (int id = 1; id < rows; id++) {
                run(a, "INSERT INTO shop.item VALUES (%d, REPEAT('%d', 30000))".formatted(id, id % 10));
            }
            run(a, "INSERT INTO shop.item VALUES (%d, REPEAT('x', 1000000))".formatted(rows));
            run(a, "XA END 'large'", "XA PREPARE 'large'");
            insert(c, 100);
            try (LiveSource live = start(server, start, null, 1 << 16)) {
                assertThat(idsOf(live.readUntil(entry -> ids(entry).contains(100))))
                        .containsExactly(100);
                assertThat(files()).hasSize(1);
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(files().get(0))))
                        .isEqualTo("rw-------");
                assertThat(Files.size(files().get(0))).isGreaterThan(2_000_000);

                run(a, "XA COMMIT 'large'");
                insert(c, LAST);
                List<Entry> entries = live.readUntil(entry -> ids(entry).contains(LAST));

                List<Integer> expected = new ArrayList<>();
                for (int id = 1; id <= rows; id++) {
                    expected.add(id);
                }
                expected.add(LAST);
                assertThat(idsOf(entries)).isEqualTo(expected);
                assertThat(files()).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL_5_7", "MYSQL_8_0_COMPRESSED", "MYSQL_9_7_GTID", "MARIADB_11_8"})
    void aCommitOfRowsBeforeTheStartIsReported(Source source) throws Exception {
        try (MySqlServer server = source.start();
                Connection a = server.connect();
                Connection b = server.connect();
                Connection c = server.connect()) {
            prepare(a, "'early',X'62',7", 1);
            prepare(b, "'undone'", 2);
            BinlogEnd start = server.rotateBinlog();
            run(a, "XA COMMIT 'early',X'62',7");
            run(b, "XA ROLLBACK 'undone'");
            insert(c, LAST);
            try (LiveSource live = start(server, start, null, 1 << 20)) {
                assertThat(idsOf(live.readUntil(entry -> ids(entry).contains(LAST))))
                        .containsExactly(LAST);
            }
            assertThat(log.warnings().stream().filter(line -> line.contains("XA")))
                    .singleElement()
                    .asString()
                    .contains("lost unless an earlier run delivered them", "set the cursor before its XA PREPARE")
                    .contains("xid=X'6561726c79',X'62',7", "at=" + start.file());
        }
    }

    @ParameterizedTest
    @EnumSource(names = "MYSQL_8_0_GTID")
    void filesOfAnEarlierRunAreDeleted(Source source) throws Exception {
        Path left = Files.createFile(directory.resolve("xa-of-a-crash.held"));
        try (MySqlServer server = source.start();
                Connection a = server.connect()) {
            BinlogEnd start = server.rotateBinlog();
            insert(a, LAST);
            try (LiveSource live = start(server, start, null, 1 << 20)) {
                live.readUntil(entry -> ids(entry).contains(LAST));
                assertThat(left).doesNotExist();
            }
        }
    }

    /** Another host has none of the rows that are held back, so it is read from the begin of the oldest undecided transaction. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anotherHostIsReadFromTheBeginOfWhatIsUndecided(boolean gtids) throws Exception {
        try (ReplicationPair pair = ReplicationPair.start(MySqlOptions.defaults())) {
            MySqlServer source = pair.source();
            source.execute("CREATE DATABASE shop", "CREATE TABLE shop.item (id INT PRIMARY KEY, v LONGTEXT)");
            SourceOptions options = Sources.options(
                    gtids ? PositionOptions.DEFAULT : Sources.byFile(),
                    Sources.host(source, Sources.at(source.rotateBinlog())),
                    Sources.host(pair.replica(), new ConfiguredStart.Newest()));
            StreamOptions stream = StreamOptions.DEFAULT.with(new XaHolding(directory, 0));
            try (Connection a = source.connect();
                    Connection c = source.connect();
                    LiveSource live =
                            LiveSource.reading(options, LARGE).stream(stream).start()) {
                insert(c, 1);
                prepare(a, "'a'", 2);
                insert(c, 3);
                assertThat(idsOf(live.readUntil(entry -> ids(entry).contains(3))))
                        .containsExactly(1, 3);
                pair.awaitReplica();
                source.kill();
                pair.promote();
                pair.replica().execute("XA COMMIT 'a'", "INSERT INTO shop.item VALUES (%d, '')".formatted(LAST));

                List<Integer> ids = idsOf(live.readUntil(entry -> ids(entry).contains(LAST)));

                if (gtids) {
                    assertThat(ids).containsExactly(3, 2, LAST);
                } else {
                    assertThat(ids).endsWith(3, 2, LAST); // and what came in the seconds before
                }
                assertThat(files()).isEmpty();
                assertThat(log.warnings()).noneMatch(line -> line.contains("XA COMMIT"));
            }
        }
    }

    private LiveSource start(MySqlServer server, BinlogEnd at, Cursor cursor, long memoryBytes) {
        return start(server, at, cursor, directory, memoryBytes);
    }

    private static LiveSource start(MySqlServer server, BinlogEnd at, Cursor cursor, Path held, long memoryBytes) {
        SourceOptions options = Sources.options(PositionOptions.DEFAULT, Sources.host(server, Sources.at(at)));
        StreamOptions stream = StreamOptions.DEFAULT.with(new XaHolding(held, memoryBytes));
        return LiveSource.reading(options, LARGE).stream(stream).from(cursor).start();
    }

    /** MariaDB may write an event later that is of no transaction, and the cursor is after that then. */
    private static boolean hasReached(LiveSource live, BinlogEnd end) throws InterruptedException {
        live.next();
        Cursor cursor = live.cursor();
        return cursor != null && !cursor.position().isBefore(new BinlogPosition(end.file(), end.offset()));
    }

    private static void prepare(Connection connection, String xid, int... ids) throws SQLException {
        begin(connection, xid, ids);
        run(connection, "XA END " + xid, "XA PREPARE " + xid);
    }

    private static void begin(Connection connection, String xid, int... ids) throws SQLException {
        run(connection, "XA START " + xid);
        for (int id : ids) {
            insert(connection, id);
        }
    }

    private static void insert(Connection connection, int id) throws SQLException {
        run(connection, "INSERT INTO shop.item VALUES (%d, 'text')".formatted(id));
    }

    private static void run(Connection connection, String... statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }

    private static EventType type(Entry entry) {
        return protobuf(entry).getHeader().getEventType();
    }

    private static io.sluice.protocol.entry.Entry protobuf(Entry entry) {
        ByteWriter out = new ByteWriter(256);
        Encodings.writeProtobuf(entry, out);
        try {
            return io.sluice.protocol.entry.Entry.parseFrom(out.toByteArray());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** The keys of the rows of some entries, in their order. */
    private static List<Integer> idsOf(List<Entry> entries) {
        return entries.stream().flatMap(entry -> ids(entry).stream()).toList();
    }

    private static List<Integer> ids(Entry entry) {
        if (entry.kind() != EntryKind.ROWS) {
            return List.of();
        }
        try {
            RowChange change = RowChange.parseFrom(protobuf(entry).getStoreValue());
            return change.getRowDatasList().stream()
                    .map(row -> Integer.valueOf(row.getAfterColumns(0).getValue()))
                    .toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** The begin of a transaction is before its rows and the end after them; MariaDB has no begins. */
    private static void requireWholeTransactions(List<Entry> entries, Source source) {
        boolean isOpen = false;
        for (Entry entry : entries) {
            if (source != Source.MARIADB_11_8) {
                assertThat(isOpen).isEqualTo(entry.kind() != EntryKind.BEGIN);
            }
            isOpen = entry.kind() != EntryKind.END;
        }
    }

    private static void requireForward(List<Entry> entries) {
        BinlogPosition before = null;
        for (Entry entry : entries) {
            BinlogPosition position =
                    new BinlogPosition(entry.changeId().file(), entry.changeId().offset());
            assertThat(before == null || !position.isBefore(before)).isTrue();
            before = position;
        }
    }
}
