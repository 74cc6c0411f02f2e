package io.sluice.stream.source.schema;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.mysql.wire.auth.PasswordOptions;
import io.sluice.mysql.wire.error.ResultTooLargeException;
import io.sluice.mysql.wire.tls.TlsMode;
import io.sluice.mysql.wire.tls.TlsOptions;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.LastEvent;
import io.sluice.protocol.time.Time;
import io.sluice.schema.ddl.catalog.TableCatalog;
import io.sluice.schema.filter.TableFilter;
import io.sluice.schema.history.HistoryConfig;
import io.sluice.schema.history.SchemaHistory;
import io.sluice.schema.history.database.HistoryLocation;
import io.sluice.schema.history.rows.StreamStart;
import io.sluice.schema.sql.SourceTraits;
import io.sluice.schema.table.TableName;
import io.sluice.stream.mapping.HiddenColumns;
import io.sluice.stream.source.OneBinlog;
import io.sluice.stream.source.search.DumpStart;
import io.sluice.stream.source.server.SourceHost;
import io.sluice.stream.source.server.SourceQueries;
import io.sluice.testkit.binlog.SyntheticBinlog;
import io.sluice.testkit.binlog.SyntheticBinlog.Flavour;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Starts a stream with so many tables of a source and a schema history, and prints how that ends. The names of their columns are all different.
 *
 * <p>Arguments: the history, which is a file or host and port of a MySQL server; the number of tables, and of columns of each; then the filter of each start. After
 * the last start the next snapshot is written.
 */
final class RecordedTablesProgram {
    private RecordedTablesProgram() {}

    public static void main(String[] arguments) throws IOException {
        SyntheticBinlog binlog = new SyntheticBinlog(
                Flavour.MYSQL_GTID, 7, UUID.fromString("323b686a-e4de-11f1-8f50-02fc00000001"), 1_700_000_000, false);
        BinlogPosition end = new BinlogPosition(binlog.newestFile(), binlog.end());
        HistoryConfig config =
                new HistoryConfig("shop", location(arguments[0]), "root", "", Duration.ZERO, Duration.ofDays(1));
        ManyTables tables = new ManyTables(Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]), end);
        for (int i = 3; i < arguments.length; i++) {
            record(new TableFilter(arguments[i], ""), tables, config, binlog, i == arguments.length - 1);
        }
    }

    private static HistoryLocation location(String history) {
        int colon = history.indexOf(':');
        return colon < 0
                ? HistoryLocation.besideH2(Path.of(history), "")
                : new HistoryLocation.MySql(
                        new ServerAddress(history.substring(0, colon), Integer.parseInt(history.substring(colon + 1))),
                        "history",
                        TlsOptions.of(TlsMode.DISABLED),
                        PasswordOptions.STRICT);
    }

    private static void record(
            TableFilter filter, ManyTables tables, HistoryConfig config, SyntheticBinlog binlog, boolean isLast)
            throws IOException {
        AtomicReference<SchemaHistory> opened = new AtomicReference<>();
        HistoryOpener opener = (wanted, time) -> {
            SchemaHistory history = SchemaHistory.open(wanted, time);
            opened.set(history);
            return history;
        };
        try (StreamSchemas schemas =
                new StreamSchemas("shop", tables, filter, new SchemaOptions(config), opener, Time.SYSTEM)) {
            OneBinlog source = new OneBinlog(new ServerAddress("db", 3306), binlog);
            DumpStart start =
                    schemas.enter(DumpStart.at(tables.end(), new LastEvent(1_700_000_000_000L, 7)), null, null, source);
            TableCatalog catalog = schemas.trackerAt(start, null, source).catalog();
            System.out.println("recorded=" + catalog.tables().count());
            if (isLast) {
                StreamStart next = StreamStart.at(
                        binlog.uuid().toString(),
                        tables.end().file(),
                        tables.end().offset(),
                        7,
                        1_700_000_000_000L);
                opened.get().snapshot(next, catalog::state);
                System.out.println("written=" + catalog.tables().count());
            }
        } catch (ResultTooLargeException e) {
            System.out.println("too large: " + e.getMessage());
        } catch (SourceException e) {
            System.out.println("failed: " + e.getMessage() + ": " + e.remedy());
        }
    }

    private record ManyTables(int count, int columns, BinlogPosition end) implements SourceQueries {
        @Override
        public void moveTo(SourceHost host) {}

        @Override
        public String createStatement(TableName table) {
            String definitions = IntStream.range(0, columns)
                    .mapToObj(i -> "`%s_column_%d` varchar(%d) NOT NULL".formatted(table.table(), i, i + 1))
                    .collect(Collectors.joining(", "));
            return "CREATE TABLE `%s` (%s)".formatted(table.table(), definitions);
        }

        @Override
        public Map<TableName, String> createStatements(List<TableName> tables) {
            Map<TableName, String> statements = new LinkedHashMap<>();
            tables.forEach(table -> statements.put(table, createStatement(table)));
            return statements;
        }

        @Override
        public List<TableName> tables(TableFilter filter) {
            return IntStream.range(0, count)
                    .mapToObj(i -> new TableName("shop", "t" + i))
                    .filter(table -> filter.passes(table.schema(), table.table()))
                    .toList();
        }

        @Override
        public String schemaCharset(String schema) {
            return "utf8mb4";
        }

        @Override
        public Map<String, String> schemaCharsets() {
            return Map.of("shop", "utf8mb4");
        }

        @Override
        public BinlogPosition binlogEnd() {
            return end;
        }

        @Override
        public HiddenColumns hiddenColumns() {
            return HiddenColumns.NONE;
        }

        @Override
        public SourceTraits traits() {
            return SourceTraits.DEFAULT;
        }

        @Override
        public @Nullable String variable(String name) {
            return null;
        }

        @Override
        public void abort() {}

        @Override
        public void close() {}
    }
}
