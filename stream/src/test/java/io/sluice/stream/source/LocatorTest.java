package io.sluice.stream.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.format.value.ColumnTypes;
import io.sluice.mysql.failure.Reaction;
import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.time.Time;
import io.sluice.schema.filter.TableFilter;
import io.sluice.schema.history.HistoryConfig;
import io.sluice.schema.history.SimulatedHistory;
import io.sluice.schema.history.database.HistoryLocation;
import io.sluice.schema.table.TableName;
import io.sluice.store.ring.EntryRing;
import io.sluice.store.ring.RingConfig;
import io.sluice.stream.options.StreamOptions;
import io.sluice.stream.reader.EventReader;
import io.sluice.stream.source.schema.SchemaOptions;
import io.sluice.stream.source.schema.StreamSchemas;
import io.sluice.stream.source.search.PositionOptions;
import io.sluice.stream.source.server.ConfiguredStart;
import io.sluice.stream.source.server.SourceHost;
import io.sluice.testkit.binlog.SyntheticBinlog;
import io.sluice.testkit.binlog.SyntheticBinlog.Change;
import io.sluice.testkit.binlog.SyntheticBinlog.Flavour;
import io.sluice.testkit.binlog.SyntheticTable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LocatorTest {
    private static final UUID SERVER = UUID.fromString("323b686a-e4de-11f1-8f50-02fc00000001");
    private static final ServerAddress ADDRESS = new ServerAddress("db", 3306);
    private static final SourceHost HOST =
            new SourceHost(ConnectOptions.of(ADDRESS, "sluice", ""), new ConfiguredStart.Newest());
    private static final TableName ORDERS = new TableName("shop", "orders");

    private final SyntheticBinlog binlog =
            new SyntheticBinlog(Flavour.MYSQL_ANONYMOUS, 7, SERVER, 1_700_000_000, false);
    private final List<Cursor> resets = new ArrayList<>();
    private String column = "a";
    /** What the table's column is renamed to while it is read; null if it is not. */
    private @Nullable String renamedTo;

    /** A start there, and a stream that was read, cannot name the rows before a change of the table that came while the tables were read. */
    @Test
    void readingContinuesAtANewerPositionIfATableIsChangedWhileTheTablesAreRead()
            throws IOException, InterruptedException {
        whereTheCursorIsPurged((locator, schemas, source) -> {
            for (String next : List.of("b", "c")) { // a start, and a stream that was read
                locator.relocateToNewest();
                renamedTo = next;

                SourceException failure =
                        catchThrowableOfType(SourceException.class, () -> locator.locate(HOST, source, () -> {}));

                assertThat(failure).hasMessageContaining("shop.orders (by the DDL at ");
                assertThat(failure.failure().reaction()).isEqualTo(Reaction.RETRY);
                assertThat(locator.locate(HOST, source, () -> {}).position()).isEqualTo(end());
                assertThat(schemas.areTorn()).isFalse();
            }
        });
        assertThat(resets).hasSize(2);
    }

    /** An event of another file that has no begin is damage, and would be read again and again. */
    @Test
    void readingBeginsEarlierOnlyForAnEventOfTheFileInWhichItBegan() throws IOException, InterruptedException {
        whereTheCursorIsPurged((locator, schemas, source) -> {
            assertThat(locator.relocateBefore(end())).as("before a start").isFalse();
            locator.relocateToNewest();
            locator.locate(HOST, source, () -> {});

            assertThat(locator.relocateBefore(new BinlogPosition("binlog.000002", 400)))
                    .isFalse();
            assertThat(locator.relocateBefore(end())).isTrue();
        });
    }

    @FunctionalInterface
    private interface Scenario {
        void run(Locator locator, StreamSchemas schemas, OneBinlog source) throws IOException, InterruptedException;
    }

    private void whereTheCursorIsPurged(Scenario scenario) throws IOException, InterruptedException {
        Cursor purged = new Cursor(
                ADDRESS.host(), ADDRESS.port(), new BinlogPosition("gone.000001", 4), "", 7, 1_600_000_000_000L);
        PositionOptions rules = new PositionOptions(false, false, true, Duration.ZERO);
        SourceOptions options = Sources.options(rules, HOST);
        SourceStream stream = new SourceStream(
                StreamOptions.DEFAULT,
                new TableFilter("", ""),
                ColumnTypes.defaults(ZoneOffset.UTC),
                new SchemaOptions(history()),
                EventReader.DEFAULT_MAPPING_BYTES);
        Tables tables = new Tables();
        OneBinlog source = new OneBinlog(ADDRESS, binlog);
        try (SimulatedHistory database = new SimulatedHistory();
                StreamSchemas schemas = new StreamSchemas(
                        "shop", tables, stream.filter(), stream.schema(), database::open, Time.SYSTEM);
                StreamStages stages = new StreamStages(
                        options,
                        stream,
                        new EntryRing(new RingConfig(64, 64, false)),
                        null,
                        tables,
                        schemas,
                        Time.SYSTEM)) {
            scenario.run(new Locator("shop", options, purged, new Resets(), schemas, stages), schemas, source);
        }
    }

    private BinlogPosition end() {
        return new BinlogPosition(binlog.newestFile(), binlog.end());
    }

    private void rename(String to) {
        binlog.open(0);
        binlog.query("shop", "BEGIN");
        binlog.rows(
                new SyntheticTable("shop", "orders", List.of("id", column)), Change.INSERT, List.of(List.of(1, "2")));
        binlog.xid();
        binlog.close();
        binlog.open(0);
        binlog.query("shop", "ALTER TABLE orders RENAME COLUMN %s TO %s".formatted(column, to));
        binlog.close();
        column = to;
    }

    private static HistoryConfig history() {
        return new HistoryConfig(
                "shop",
                new HistoryLocation.LocalFile(Path.of("unused"), Path.of("unused"), ""),
                "",
                "",
                Duration.ZERO,
                Duration.ofDays(1));
    }

    private final class Resets implements SourceListener {
        @Override
        public void onStart(Cursor first) {}

        @Override
        public void onReset(Cursor newest) {
            resets.add(newest);
        }

        @Override
        public void onState(SourceState state) {}
    }

    /** A source that has one table, which may be changed when it is read. */
    private final class Tables implements EmptySource {
        @Override
        public void moveTo(SourceHost host) {}

        @Override
        public String createStatement(TableName table) {
            return "CREATE TABLE `orders` (`id` int NOT NULL, `%s` int, PRIMARY KEY (`id`))".formatted(column);
        }

        @Override
        public Map<TableName, String> createStatements(List<TableName> tables) {
            String to = renamedTo;
            if (to != null) {
                renamedTo = null;
                rename(to);
            }
            return Map.of(ORDERS, createStatement(ORDERS));
        }

        @Override
        public List<TableName> tables(TableFilter filter) {
            return List.of(ORDERS);
        }

        @Override
        public @Nullable String schemaCharset(String schema) {
            return null;
        }

        @Override
        public BinlogPosition binlogEnd() {
            return end();
        }

        @Override
        public void abort() {}

        @Override
        public void close() {}
    }
}
