package io.sluice.stream.source.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.position.SchemaReference;
import io.sluice.protocol.position.SourceServer;
import io.sluice.protocol.time.Time;
import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.schema.history.HistoryConfig;
import io.sluice.schema.history.SchemaHistory;
import io.sluice.schema.history.SimulatedHistory;
import io.sluice.schema.history.StreamStart;
import io.sluice.schema.history.database.HistoryLocation;
import io.sluice.schema.sql.SourceTraits;
import io.sluice.schema.table.TableName;
import io.sluice.stream.source.OneBinlog;
import io.sluice.stream.source.search.DumpStart;
import io.sluice.stream.source.server.ConfiguredStart;
import io.sluice.stream.source.server.SourceHost;
import io.sluice.testkit.binlog.SyntheticBinlog;
import io.sluice.testkit.binlog.SyntheticBinlog.Event;
import io.sluice.testkit.binlog.SyntheticBinlog.Flavour;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryGapTest {
    private static final UUID SERVER = UUID.fromString("323b686a-e4de-11f1-8f50-02fc00000001");
    private static final ServerAddress ADDRESS = new ServerAddress("db", 3306);
    private static final TableName ORDERS = new TableName("shop", "orders");

    private final SyntheticBinlog binlog = new SyntheticBinlog(Flavour.MYSQL_GTID, 7, SERVER, 1_700_000_000, false);

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
            tracker.define(ORDERS, "CREATE TABLE `orders` (`id` int NOT NULL, `a` varchar(20), PRIMARY KEY (`id`))");
            history.begin(tracker.state());
            history.snapshot(
                    new StreamStart(SERVER.toString(), statement.file(), statement.offset(), 7, 1_700_000_000_000L),
                    tracker.state());
            HistoryGap gap = new HistoryGap(
                    "shop",
                    history,
                    new SourceHost(ConnectOptions.of(ADDRESS, "sluice", ""), new ConfiguredStart.Newest()),
                    new OneBinlog(ADDRESS, binlog),
                    Time.SYSTEM);

            HistoryGap.Extent extent = gap.extent(
                    DumpStart.at(end, 7, 0),
                    new Cursor(ADDRESS.host(), ADDRESS.port(), end, "", 7, 1_700_000_000_000L),
                    true);

            assertThat(extent).isInstanceOf(HistoryGap.Extent.UpTo.class);
            assertThat(gap.close((HistoryGap.Extent.UpTo) extent, end, tracker)).isTrue();
            assertThat(tracker.table(ORDERS).columns())
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
            history.begin(new SchemaTracker(table -> null, SourceTraits.DEFAULT, history).state());
            HistoryGap gap = new HistoryGap(
                    "shop",
                    history,
                    new SourceHost(ConnectOptions.of(ADDRESS, "sluice", ""), new ConfiguredStart.Newest()),
                    new OneBinlog(ADDRESS, binlog),
                    Time.SYSTEM);
            Cursor cursor = new Cursor(ADDRESS.host(), ADDRESS.port(), end, "", 7, 1_700_000_000_000L)
                    .withSchema(new SchemaReference(history.reference().historyId(), 1, BinlogPosition.UNKNOWN));

            assertThat(gap.extent(DumpStart.at(end, 7, 0), cursor, true)).isInstanceOf(HistoryGap.Extent.Unknown.class);
        }
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
                    new StreamStart(SERVER.toString(), left.file(), left.offset(), 7, 1_700_000_000_000L));
            SchemaReference reference = history.reference();
            assertThat(reference.rowId()).isEqualTo(20);
            assertThat(history.newestMillis()).isEqualTo(1_650_000_000_000L);
            Cursor cursor = new Cursor(
                    new SourceServer(ADDRESS.host(), ADDRESS.port(), SERVER.toString()),
                    to,
                    "",
                    7,
                    1_700_000_000_000L,
                    new SchemaReference(reference.historyId(), reference.rowId(), left));
            HistoryGap gap = new HistoryGap(
                    "shop",
                    history,
                    new SourceHost(ConnectOptions.of(ADDRESS, "sluice", ""), new ConfiguredStart.Newest()),
                    new OneBinlog(ADDRESS, binlog),
                    Time.SYSTEM);

            assertThat(gap.extent(DumpStart.at(to, 7, 0), cursor, true))
                    .isEqualTo(new HistoryGap.Extent.UpTo(left, false, "the cursor was moved from " + left));
        }
    }

    private void writeTable(String name) {
        binlog.open(0);
        binlog.query("shop", "CREATE TABLE %s (id int)".formatted(name));
        binlog.close();
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
