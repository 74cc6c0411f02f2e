package io.sluice.stream.source.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.wire.ServerAddress;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.position.LastEvent;
import io.sluice.protocol.position.SchemaReference;
import io.sluice.protocol.position.SourceServer;
import io.sluice.protocol.time.Time;
import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.schema.ddl.catalog.EventPosition;
import io.sluice.schema.history.HistoryConfig;
import io.sluice.schema.history.SchemaHistory;
import io.sluice.schema.history.SimulatedHistory;
import io.sluice.schema.history.database.HistoryLocation;
import io.sluice.schema.history.rows.StreamStart;
import io.sluice.schema.sql.SourceTraits;
import io.sluice.schema.table.TableName;
import io.sluice.stream.source.OneBinlog;
import io.sluice.stream.source.search.DumpStart;
import io.sluice.testkit.binlog.SyntheticBinlog;
import io.sluice.testkit.binlog.SyntheticBinlog.Change;
import io.sluice.testkit.binlog.SyntheticBinlog.Event;
import io.sluice.testkit.binlog.SyntheticBinlog.Flavour;
import io.sluice.testkit.binlog.SyntheticTable;
import io.sluice.testkit.time.HandTime;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HistoryGapTest {
    private static final UUID SERVER = UUID.fromString("323b686a-e4de-11f1-8f50-02fc00000001");
    private static final ServerAddress ADDRESS = new ServerAddress("db", 3306);
    private static final TableName ORDERS = new TableName("shop", "orders");
    private static final long SECONDS = 1_700_000_000;

    private final SyntheticBinlog binlog = new SyntheticBinlog(Flavour.MYSQL_GTID, 7, SERVER, SECONDS, false);

    /** A snapshot that is due is made before a DDL, at its event; then the DDL itself is lost. */
    @Test
    void replaysTheDdlAtWhichTheLastSnapshotWasMade() throws IOException {
        binlog.open(0);
        binlog.query("shop", "ALTER TABLE orders CHANGE a b varchar(20)");
        binlog.close();
        List<Event> events = binlog.events();
        BinlogPosition statement = new BinlogPosition(
                binlog.newestFile(), events.get(events.size() - 1).start());
        BinlogPosition end = new BinlogPosition(binlog.newestFile(), binlog.end());
        try (SimulatedHistory database = new SimulatedHistory();
                SchemaHistory history = database.open(config(), Time.SYSTEM)) {
            SchemaTracker tracker = new SchemaTracker(table -> null, SourceTraits.DEFAULT, history);
            history.setSource(SERVER.toString());
            tracker.catalog()
                    .define(ORDERS, "CREATE TABLE `orders` (`id` int NOT NULL, `a` varchar(20), PRIMARY KEY (`id`))");
            history.begin(tracker.catalog().state());
            history.snapshot(
                    StreamStart.at(SERVER.toString(), statement.file(), statement.offset(), 7, 1_700_000_000_000L),
                    tracker.catalog().state());
            HistoryGap gap = new HistoryGap("shop", history, 0, new OneBinlog(ADDRESS, binlog), Time.SYSTEM);

            HistoryGap.Extent extent = gap.extent(
                    DumpStart.at(end, new LastEvent(0, 7)),
                    new Cursor(ADDRESS.host(), ADDRESS.port(), end, "", 7, 1_700_000_000_000L),
                    true);

            assertThat(extent).isInstanceOf(HistoryGap.Extent.UpTo.class);
            assertThat(gap.close((HistoryGap.Extent.UpTo) extent, end, tracker)).isTrue();
            assertThat(tracker.catalog().table(ORDERS).columns())
                    .extracting(column -> column.name())
                    .containsExactly("id", "b");
        }
    }

    /** An operator has set the cursor to a position of another server. */
    @Test
    void whereTheHistoryEndsOnAnotherServerIsNotKnown() throws IOException {
        BinlogPosition end = new BinlogPosition(binlog.newestFile(), binlog.end());
        try (SimulatedHistory database = new SimulatedHistory();
                SchemaHistory history = database.open(config(), Time.SYSTEM)) {
            history.setSource("the former server");
            history.begin(new SchemaTracker(table -> null, SourceTraits.DEFAULT, history)
                    .catalog()
                    .state());
            HistoryGap gap = new HistoryGap("shop", history, 0, new OneBinlog(ADDRESS, binlog), Time.SYSTEM);
            Cursor cursor = new Cursor(ADDRESS.host(), ADDRESS.port(), end, "", 7, 1_700_000_000_000L)
                    .withSchema(new SchemaReference(history.reference().historyId(), 1, BinlogPosition.UNKNOWN));

            assertThat(gap.extent(DumpStart.at(end, new LastEvent(0, 7)), cursor, true))
                    .isInstanceOf(HistoryGap.Extent.Unknown.class);
        }
    }

    @Test
    void whereACursorOfAnotherServerWasMovedFromSaysNothingOfThisOne() throws IOException {
        BinlogPosition left = end();
        writeTable("x");
        try (SimulatedHistory database = new SimulatedHistory();
                SchemaHistory history = database.open(config(), Time.SYSTEM)) {
            history.setSource("the former server");
            history.begin(new SchemaTracker(table -> null, SourceTraits.DEFAULT, history)
                    .catalog()
                    .state());
            Cursor cursor = new Cursor("other", 3306, end(), "", 7, SECONDS * 1000)
                    .withSchema(new SchemaReference(history.reference().historyId(), 1, left));

            assertThat(gap(history).extent(DumpStart.at(end(), new LastEvent(0, 7)), cursor, true))
                    .isInstanceOf(HistoryGap.Extent.Unknown.class);
        }
    }

    /** What is of that server came before what the cursor refers to. */
    @Test
    void aCursorThatWasMovedAfterAFailOverIsCompleteUpToWhereItWas() throws IOException {
        BinlogPosition left = end();
        writeTable("x");
        try (SimulatedHistory database = new SimulatedHistory();
                SchemaHistory history = database.open(config(), Time.SYSTEM)) {
            SchemaTracker tracker = begun(history, "the former server");
            apply(tracker, "CREATE TABLE former (id int)", new BinlogPosition("binlog.000009", 400));
            history.setSource(SERVER.toString());

            assertThat(gap(history).extent(DumpStart.at(end(), new LastEvent(0, 7)), cursor(history, left), true))
                    .isEqualTo(new HistoryGap.Extent.UpTo(left, false, "the cursor was moved from " + left));
        }
    }

    @Test
    void aHistoryThatHasLostWhatACursorRefersToEndsAfterItsNewestStatement() throws IOException {
        try (SimulatedHistory database = new SimulatedHistory();
                SchemaHistory history = database.open(config(), Time.SYSTEM)) {
            SchemaTracker tracker = begun(history, SERVER.toString());
            BinlogPosition known = writeAndApply(tracker, "known");
            writeTable("lost");
            HistoryGap gap = gap(history);

            assertThat(gap.extent(DumpStart.at(end(), new LastEvent(0, 7)), cursor(history, end()), true))
                    .as("what it refers to is there")
                    .isEqualTo(new HistoryGap.Extent.Complete());
            assertThat(gap.extent(DumpStart.at(end(), new LastEvent(0, 7)), cursor(history, end()), false))
                    .isInstanceOfSatisfying(HistoryGap.Extent.UpTo.class, extent -> {
                        assertThat(extent.position()).isEqualTo(known);
                        assertThat(extent.knowsEventThere()).isFalse();
                    });
        }
    }

    @Test
    void aHistoryIsCompleteUpToTheEndOfItsNewestStatement() throws IOException {
        try (SimulatedHistory database = new SimulatedHistory();
                SchemaHistory history = database.open(config(), Time.SYSTEM)) {
            writeAndApply(begun(history, SERVER.toString()), "known");

            assertThat(gap(history).extent(DumpStart.at(end(), new LastEvent(0, 7)), null, false))
                    .isEqualTo(new HistoryGap.Extent.Complete());
        }
    }

    @Test
    void aHistoryIsCompleteWhereItWasReadBeforeAPartWasSkipped() throws IOException {
        try (SimulatedHistory database = new SimulatedHistory();
                SchemaHistory history = database.open(config(), Time.SYSTEM)) {
            SchemaTracker tracker = begun(history, SERVER.toString());
            BinlogPosition before = writeAndApply(tracker, "first");
            BinlogPosition known = writeAndApply(tracker, "second");
            writeTable("skipped");
            BinlogPosition after = end();
            writeTable("later");
            history.beginAt(
                    StreamStart.at(SERVER.toString(), after.file(), after.offset(), 7, SECONDS * 1000),
                    tracker.catalog().state());

            assertThat(gap(history).extent(DumpStart.at(before, new LastEvent(0, 7)), null, false))
                    .as("before its end")
                    .isEqualTo(new HistoryGap.Extent.Complete());
            assertThat(gap(history).extent(DumpStart.at(known, new LastEvent(0, 7)), null, false))
                    .as("at its end")
                    .isEqualTo(new HistoryGap.Extent.Complete());
        }
    }

    /** As where a table was asked for that an event of it is of. */
    @Test
    void theDdlIsReadFromTheBeginOfTheTransactionWithinWhichTheHistoryEnds() throws IOException {
        binlog.open(0);
        binlog.query("shop", "BEGIN");
        BinlogPosition within = end();
        binlog.rows(new SyntheticTable("shop", "orders", List.of("id", "a")), Change.INSERT, List.of(List.of(1, "2")));
        binlog.xid();
        binlog.close();
        BinlogPosition until = writeTable("x");
        try (SimulatedHistory database = new SimulatedHistory();
                SchemaHistory history = database.open(config(), Time.SYSTEM)) {
            SchemaTracker tracker = begun(history, SERVER.toString());
            HistoryGap.Extent.UpTo known = new HistoryGap.Extent.UpTo(within, false, "it ends there");

            assertThat(gap(history).close(known, until, tracker)).isTrue();

            assertThat(tracker.catalog().tables().knows(new TableName("shop", "x")))
                    .isTrue();
        }
    }

    /** A row of the history that does not state its end. Applied twice, the tables would have the columns of each other again. */
    @Test
    void theDdlAtWhichTheHistoryEndsIsNotReadAgainIfItsEffectIsKnown() throws IOException {
        binlog.open(0);
        BinlogPosition exchange = end();
        binlog.query("shop", "RENAME TABLE one TO third, other TO one, third TO other");
        binlog.close();
        BinlogPosition until = writeTable("x");
        try (SimulatedHistory database = new SimulatedHistory();
                SchemaHistory history = database.open(config(), Time.SYSTEM)) {
            SchemaTracker tracker = begun(history, SERVER.toString());
            tracker.catalog().define(new TableName("shop", "one"), "CREATE TABLE `one` (`of_other` int)");
            tracker.catalog().define(new TableName("shop", "other"), "CREATE TABLE `other` (`of_one` int)");
            HistoryGap.Extent.UpTo known = new HistoryGap.Extent.UpTo(exchange, true, "it ends there");

            assertThat(gap(history).close(known, until, tracker)).isTrue();

            assertThat(tracker.catalog().tables().knows(new TableName("shop", "x")))
                    .isTrue();
            assertThat(tracker.catalog().table(new TableName("shop", "one")).columns())
                    .extracting(column -> column.name())
                    .containsExactly("of_other");
        }
    }

    /** {@code log_bin} was changed. */
    @Test
    void whereAHistoryEndsAmongFilesOfAnotherSeriesIsNotKnown() throws IOException {
        try (SimulatedHistory database = new SimulatedHistory();
                SchemaHistory history = database.open(config(), Time.SYSTEM)) {
            writeAndApply(begun(history, SERVER.toString()), "known");
            BinlogPosition renamed = new BinlogPosition("mysql-bin.000001", 4);

            assertThat(gap(history).extent(DumpStart.at(renamed, new LastEvent(0, 7)), null, false))
                    .isInstanceOf(HistoryGap.Extent.Unknown.class);
        }
    }

    private HistoryGap gap(SchemaHistory history) {
        return new HistoryGap("shop", history, 0, new OneBinlog(ADDRESS, binlog), Time.SYSTEM);
    }

    /** A tracker that writes a history, which has a source and nothing of its binlog. */
    private static SchemaTracker begun(SchemaHistory history, String source) throws IOException {
        SchemaTracker tracker = new SchemaTracker(table -> null, SourceTraits.DEFAULT, history);
        history.setSource(source);
        history.begin(tracker.catalog().state());
        return tracker;
    }

    /** A cursor at the end of the binlog, which everything was known for up to a position. */
    private Cursor cursor(SchemaHistory history, BinlogPosition completeTo) {
        SchemaReference newest = history.reference();
        return new Cursor(
                new SourceServer(ADDRESS.host(), ADDRESS.port(), SERVER.toString()),
                end(),
                "",
                7,
                SECONDS * 1000,
                new SchemaReference(newest.historyId(), newest.rowId(), completeTo));
    }

    /** Creates a table, and returns the end of the statement, which is in the history. */
    private BinlogPosition writeAndApply(SchemaTracker tracker, String table) throws IOException {
        writeTable(table);
        List<Event> events = binlog.events();
        long start = events.get(events.size() - 1).start();
        apply(tracker, "CREATE TABLE %s (id int)".formatted(table), new BinlogPosition(binlog.newestFile(), start));
        return end();
    }

    private void apply(SchemaTracker tracker, String sql, BinlogPosition at) throws IOException {
        int length = at.file().equals(binlog.newestFile()) ? (int) (binlog.end() - at.offset()) : 100;
        tracker.catalog().moveTo(new EventPosition(at.file(), at.offset(), length, 7, SECONDS * 1000, null));
        tracker.statements().apply(sql, "shop");
    }

    private BinlogPosition end() {
        return new BinlogPosition(binlog.newestFile(), binlog.end());
    }

    /** canal numbers rows and snapshots separately, and names no server: its numbers say nothing of what is newer. */
    @Test
    void aHistoryOfCanalEndsWhereTheCursorWasMovedFrom(@TempDir Path dir) throws IOException, SQLException {
        writeTable("x");
        BinlogPosition left = new BinlogPosition(binlog.newestFile(), binlog.end());
        writeTable("y");
        BinlogPosition to = new BinlogPosition(binlog.newestFile(), binlog.end());
        HistoryConfig config = config(dir.resolve("history"));
        SchemaHistory.open(config, Time.SYSTEM).close();
        writeAsCanal(dir.resolve("history"), left);
        try (SchemaHistory history = SchemaHistory.open(config, Time.SYSTEM)) {
            history.setSource(SERVER.toString());
            history.restore(
                    new SchemaTracker(table -> null, SourceTraits.DEFAULT, history),
                    StreamStart.at(SERVER.toString(), left.file(), left.offset(), 7, 1_700_000_000_000L));
            SchemaReference reference = history.reference();
            assertThat(reference.rowId()).isEqualTo(20);
            assertThat(history.recorded().newestMillis()).isEqualTo(1_650_000_000_000L);
            Cursor cursor = new Cursor(
                    new SourceServer(ADDRESS.host(), ADDRESS.port(), SERVER.toString()),
                    to,
                    "",
                    7,
                    1_700_000_000_000L,
                    new SchemaReference(reference.historyId(), reference.rowId(), left));
            HistoryGap gap = new HistoryGap("shop", history, 0, new OneBinlog(ADDRESS, binlog), Time.SYSTEM);

            assertThat(gap.extent(DumpStart.at(to, new LastEvent(0, 7)), cursor, true))
                    .isEqualTo(new HistoryGap.Extent.UpTo(left, false, "the cursor was moved from " + left));
        }
    }

    /** It may be of before canal has run without a history, or of a backup. */
    @ParameterizedTest
    @CsvSource({"59, 0, true", "61, 0, false", "61, -100, false", "159, 100, true", "161, 100, false"})
    void aFileThatCanalHasClosedLongBeforeItsCursorMayLackDdl(
            int secondsBefore, int sourceIsAhead, boolean isComplete, @TempDir Path dir)
            throws IOException, SQLException {
        BinlogPosition known = writeTable("x");
        List<Event> events = binlog.events();
        long begin = events.get(events.size() - 1).start();
        BinlogPosition to = writeTable("y");
        Path file = dir.resolve("history");
        HistoryConfig config = config(file);
        SchemaHistory.open(config, Time.SYSTEM).close();
        writeAsCanal(file, known);
        SchemaHistory.open(config, Time.SYSTEM).close();
        long cursorMillis = SECONDS * 1000 + 100_000;
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            statement.executeUpdate("update meta_history set binlog_offest = %d, binlog_timestamp = %d"
                    .formatted(begin, binlog.seconds() * 1000));
            statement.executeUpdate(
                    "update meta_identity set imported_closed_millis = " + (cursorMillis - secondsBefore * 1000L));
        }
        try (SchemaHistory history = SchemaHistory.open(config, Time.SYSTEM)) {
            history.setSource(SERVER.toString());
            Cursor cursor = new Cursor(ADDRESS.host(), ADDRESS.port(), to, "", 7, cursorMillis);

            OneBinlog source = new OneBinlog(ADDRESS, binlog);
            HandTime ours = new HandTime();
            ours.passWall(Duration.ofMillis(source.clockMillis() - ours.millis() - sourceIsAhead * 1000L));
            HistoryGap.Extent extent = new HistoryGap("shop", history, 0, source, ours)
                    .extent(DumpStart.at(to, new LastEvent(cursorMillis, 7)), cursor, false);

            if (isComplete) {
                assertThat(extent).isEqualTo(new HistoryGap.Extent.Complete());
            } else {
                assertThat(extent)
                        .isEqualTo(new HistoryGap.Extent.UpTo(
                                known,
                                false,
                                "canal closed the file of its schema history at %s, and was at an event of 2023-11-14T22:15:00Z"
                                        .formatted(Instant.ofEpochMilli(cursorMillis - secondsBefore * 1000L))));
            }
        }
    }

    private BinlogPosition writeTable(String name) {
        binlog.open(0);
        binlog.query("shop", "CREATE TABLE %s (id int)".formatted(name));
        binlog.close();
        return end();
    }

    /** Many rows, and a newer snapshot with a smaller number. */
    private static void writeAsCanal(Path file, BinlogPosition at) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            statement.executeUpdate(
                    "insert into meta_history (id, gmt_create, gmt_modified, destination, binlog_file, binlog_offest, binlog_master_id,"
                            + " binlog_timestamp, use_schema, sql_text) values (5000, 0, 0, 'shop', '%s', 4, '7', 1600000000000, 'shop', 'create table old (id int)')"
                                    .formatted(at.file()));
            statement.executeUpdate(
                    "insert into meta_snapshot (id, gmt_create, gmt_modified, destination, binlog_file, binlog_offest, binlog_master_id,"
                            + " binlog_timestamp, data) values (1, 0, 0, 'shop', '0', 0, '-1', -2, '{}'),"
                            + " (20, 0, 0, 'shop', '%s', 100, '7', 1650000000000, '{}')".formatted(at.file()));
            statement.executeUpdate("delete from meta_identity");
        }
    }

    private static HistoryConfig config() {
        return config(Path.of("unused"));
    }

    private static HistoryConfig config(Path file) {
        return new HistoryConfig(
                "shop",
                new HistoryLocation.LocalFile(file, Path.of("unused"), ""),
                "",
                "",
                Duration.ZERO,
                Duration.ofDays(1));
    }
}
