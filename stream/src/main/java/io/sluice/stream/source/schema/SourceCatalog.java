package io.sluice.stream.source.schema;

import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.MySqlConnection;
import io.sluice.mysql.wire.query.HeapBudget;
import io.sluice.mysql.wire.query.QueryResult;
import io.sluice.mysql.wire.query.ResultLimit;
import io.sluice.mysql.wire.query.RowTaker;
import io.sluice.protocol.time.Time;
import io.sluice.schema.table.TableName;
import io.sluice.stream.source.server.LongQuery;
import io.sluice.stream.source.server.UnloggedCascades;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Lists the base tables of a source, without those of the server itself.
 *
 * @param server its kind and version, as for people
 * @param rowImage its global {@code binlog_row_image}; empty if it has none
 * @param textsBesideRows whether it logs the statement beside the rows that it changed, by its global variables
 * @param tables in the order of their names
 * @param cascades of which tables foreign keys change rows without a trace in the binlog
 */
public record SourceCatalog(
        String server, String rowImage, boolean textsBesideRows, List<Table> tables, Cascades cascades) {
    /** Its caller waits for it without a sign of life. */
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    public SourceCatalog {
        tables = List.copyOf(tables);
    }

    /**
     * A table.
     *
     * @param columns in their order
     */
    public record Table(String schema, String table, List<Column> columns) {
        public Table {
            columns = List.copyOf(columns);
        }
    }

    /**
     * A column.
     *
     * @param key whether it is in the primary key
     * @param collation of its texts; empty if it has none, or its texts are those of members
     */
    public record Column(String name, boolean key, String collation) {}

    /**
     * The tables whose rows foreign keys change without a trace in the binlog.
     *
     * @param tables those that are delivered, as far as the account sees them
     * @param failure why they are not known, or not all; empty if they are
     */
    public record Cascades(List<TableName> tables, String failure) {
        /** No such table. */
        public static final Cascades NONE = new Cascades(List.of(), "");

        public Cascades {
            tables = List.copyOf(tables);
        }
    }

    /**
     * Asks a source. Names of tables may differ in case or accent only, and are the same then for {@code information_schema}.
     *
     * @param passes which tables are delivered; of others it is not asked what foreign keys do
     * @throws IOException if it cannot be asked, or does not begin to answer within a minute
     */
    public static SourceCatalog read(ConnectOptions login, Predicate<TableName> passes) throws IOException {
        try (MySqlConnection connection = MySqlConnection.open(login)) {
            CatalogTables tables = new CatalogTables();
            LongQuery.run(
                    connection,
                    login,
                    "SELECT c.table_schema, c.table_name, c.column_name, c.column_key,"
                            + " IF(c.data_type IN ('enum', 'set'), NULL, c.collation_name)"
                            + " FROM information_schema.columns c JOIN information_schema.tables t"
                            + " ON t.table_schema = c.table_schema AND t.table_name = c.table_name"
                            + " AND CAST(t.table_schema AS BINARY) = CAST(c.table_schema AS BINARY)"
                            + " AND CAST(t.table_name AS BINARY) = CAST(c.table_name AS BINARY)"
                            + " WHERE t.table_type IN ('BASE TABLE', 'SYSTEM VERSIONED') AND c.table_schema NOT IN"
                            + " ('mysql', 'information_schema', 'performance_schema', 'sys')"
                            + " ORDER BY c.table_schema, CAST(c.table_schema AS BINARY),"
                            + " c.table_name, CAST(c.table_name AS BINARY), c.ordinal_position",
                    TIMEOUT,
                    tables);
            String kind = connection.serverVersion().mariaDb() ? "MariaDB " : "MySQL ";
            return new SourceCatalog(
                    kind + connection.serverVersion().text(),
                    variable(connection, "binlog\\_row\\_image"),
                    isOn(variable(connection, "binlog\\_rows\\_query\\_log\\_events"))
                            || isOn(variable(connection, "binlog\\_annotate\\_row\\_events")),
                    tables.all(),
                    cascades(connection, login, passes));
        }
    }

    /** The last query of the connection, which a timeout makes unusable. */
    private static Cascades cascades(MySqlConnection connection, ConnectOptions login, Predicate<TableName> passes) {
        try {
            UnloggedCascades.Found found = UnloggedCascades.read(connection, login, passes, TIMEOUT, Time.SYSTEM);
            String failure = found.unknown() == 0
                    ? ""
                    : "there was no time to look at %d of the tables with foreign keys within %d seconds"
                            .formatted(found.unknown(), TIMEOUT.toSeconds());
            return new Cascades(found.tables(), failure);
        } catch (IOException e) {
            return new Cascades(List.of(), String.valueOf(e.getMessage()));
        }
    }

    private static String variable(MySqlConnection connection, String pattern) throws IOException {
        QueryResult.Row row =
                connection.query("SHOW GLOBAL VARIABLES LIKE '" + pattern + "'").firstRow();
        String value = row == null ? null : row.text(1);
        return value == null ? "" : value;
    }

    private static boolean isOn(String value) {
        return value.equalsIgnoreCase("ON") || value.equals("1");
    }

    /**
     * Gathers tables from rows with a column each, which are in the order of the tables. Equal texts, columns and lists of columns are in memory once, since most
     * tables of a source that has many have the same columns. For one thread.
     */
    static final class CatalogTables implements RowTaker {
        /** An object with two references, and its place in a map, besides the bytes of a text. */
        private static final int OBJECT_BYTES = 96;

        private static final int REFERENCE_BYTES = 4;

        private final HeapBudget budget;
        private final List<Table> tables = new ArrayList<>();
        private final Map<String, String> texts = new HashMap<>();
        private final Map<Column, Column> columns = new HashMap<>();
        private final Map<List<Column>, List<Column>> lists = new HashMap<>();
        private final List<Column> open = new ArrayList<>();
        private String schema = "";
        private String table = "";

        CatalogTables() {
            this(ResultLimit.CATALOG);
        }

        CatalogTables(ResultLimit limit) {
            budget = new HeapBudget(limit, "the list of all columns");
        }

        /** Takes schema, table and name of a column, {@code PRI} if it is in the primary key, and its collation, if it has one. */
        @Override
        public void take(QueryResult.Row row) throws IOException {
            String rowSchema = String.valueOf(row.text(0));
            String rowTable = String.valueOf(row.text(1));
            if (!rowSchema.equals(schema) || !rowTable.equals(table)) {
                end();
                schema = shared(rowSchema);
                table = rowTable;
            }
            open.add(shared(new Column(shared(row.text(2)), "PRI".equals(row.text(3)), shared(row.text(4)))));
        }

        private String shared(@Nullable String text) throws IOException {
            String own = text == null ? "" : text;
            String known = texts.putIfAbsent(own, own);
            if (known == null) {
                budget.take(OBJECT_BYTES + own.length());
            }
            return known == null ? own : known;
        }

        private Column shared(Column column) throws IOException {
            Column known = columns.putIfAbsent(column, column);
            if (known == null) {
                budget.take(OBJECT_BYTES);
            }
            return known == null ? column : known;
        }

        private void end() throws IOException {
            if (open.isEmpty()) {
                return;
            }
            List<Column> own = List.copyOf(open);
            List<Column> known = lists.putIfAbsent(own, own);
            if (known == null) {
                budget.take(OBJECT_BYTES + (long) REFERENCE_BYTES * own.size());
            }
            budget.take(OBJECT_BYTES + table.length());
            tables.add(new Table(schema, table, known == null ? own : known));
            open.clear();
        }

        /** Ends the last table, and returns all. */
        List<Table> all() throws IOException {
            end();
            return tables;
        }
    }
}
