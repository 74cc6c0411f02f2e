package io.sluice.schema.history;

import io.sluice.protocol.time.Time;
import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.schema.ddl.catalog.SchemaState;
import io.sluice.schema.history.database.HistoryLocation;
import io.sluice.schema.history.database.SqliteDatabase;
import io.sluice.schema.history.rows.HistoryPosition;
import io.sluice.schema.history.rows.HistoryTables;
import io.sluice.schema.history.rows.StreamStart;
import io.sluice.schema.sql.SourceTraits;
import io.sluice.schema.table.TableName;
import io.sluice.schema.table.TableSchema;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * A program that restores a position of a large history, and prints how.
 *
 * <p>Arguments: the path of the history without its suffix, the offset of the position, a table whose columns are counted.
 */
public final class LargeHistory {
    public static final long TIME = 1_700_000_000_000L;
    public static final String SOURCE = "uuid";
    static final String FILE = "binlog.000001";
    private static final int TABLES = 1_000;

    private LargeHistory() {}

    /** Writes rows for tables in turn: each is created, then gets a column and loses it again with every further row. Row n is at the offset 1000 n. */
    public static void write(Path path, long rows) throws IOException {
        try (SqliteDatabase database = SqliteDatabase.open(path.resolveSibling(path.getFileName() + ".sqlite"))) {
            HistoryTables tables = new HistoryTables(database, "shop");
            tables.create();
            database.atomically(() -> {
                database.update("with recursive n(i) as (select 1 union all select i + 1 from n where i < " + rows + ")"
                        + " insert into meta_history (id, gmt_create, gmt_modified, destination, binlog_file, binlog_offest,"
                        + " binlog_master_id, binlog_timestamp, use_schema, sql_schema, sql_table, sql_type, extra, sql_text)"
                        + " select i + 1, current_timestamp, current_timestamp, 'shop', '" + FILE + "', 1000 * i, '1', "
                        + TIME
                        + " + i * 1000, 'shop', 'shop', 't' || (i % " + TABLES + "), 'ALTER',"
                        + " '{\"end\":\"' || (1000 * i + 200) || '\",\"mode\":\"\",\"source\":\"" + SOURCE + "\"}',"
                        + " case when i <= " + TABLES + " then 'create table t' || (i % " + TABLES
                        + ") || ' (id bigint not null"
                        + " primary key, name varchar(100))'"
                        + " else 'alter table t' || (i % " + TABLES + ") || case when ((i - 1) / " + TABLES
                        + ") % 2 = 1 then ' add column c varchar(200)' else ' drop column c' end end from n");
                database.update("update meta_identity set last_id = " + (rows + 1));
            });
        }
    }

    /** Writes a snapshot of the tables as they are after the last row of a turn in which columns were taken away. */
    static void writeSnapshot(Path path, long row) throws IOException {
        StringBuilder definitions = new StringBuilder();
        for (int table = 0; table < TABLES; table++) {
            definitions.append(
                    "create table t%d (id bigint not null primary key, name varchar(100));\n".formatted(table));
        }
        try (SqliteDatabase database = SqliteDatabase.open(path.resolveSibling(path.getFileName() + ".sqlite"))) {
            HistoryPosition position = new HistoryPosition(SOURCE, FILE, 1000 * row + 1, "1", TIME + row * 1000, "");
            new HistoryTables(database, "shop")
                    .snapshots()
                    .add(position, null, false, new SchemaState(Map.of("shop", definitions.toString()), Map.of()));
        }
    }

    static StreamStart start(long offset) {
        return StreamStart.at(SOURCE, FILE, offset, 1, TIME + offset);
    }

    static SchemaHistory open(Path path) throws IOException {
        HistoryConfig config = HistoryConfigs.of("shop", HistoryLocation.besideH2(path, ""));
        SchemaHistory history = SchemaHistory.open(config, Time.SYSTEM);
        history.setSource(SOURCE);
        return history;
    }

    public static void main(String[] arguments) throws IOException {
        long begin = System.nanoTime();
        try (SchemaHistory history = open(Path.of(arguments[0]))) {
            long opened = System.nanoTime();
            SchemaTracker tracker = new SchemaTracker(name -> null, SourceTraits.DEFAULT, history);
            history.restore(tracker, start(Long.parseLong(arguments[1])));
            long restored = System.nanoTime();
            TableSchema table = tracker.catalog().table(new TableName("shop", arguments[2]));
            System.out.printf(
                    "columns=%d open_ms=%d restore_ms=%d cpu_ms=%d%n",
                    table == null ? 0 : table.columns().size(),
                    (opened - begin) / 1_000_000,
                    (restored - opened) / 1_000_000,
                    ProcessHandle.current()
                            .info()
                            .totalCpuDuration()
                            .orElse(Duration.ZERO)
                            .toMillis());
        }
    }
}
