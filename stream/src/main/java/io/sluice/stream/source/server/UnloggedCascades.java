package io.sluice.stream.source.server;

import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.MySqlConnection;
import io.sluice.mysql.wire.ServerVersion;
import io.sluice.mysql.wire.query.HeapBudget;
import io.sluice.mysql.wire.query.QueryBatch;
import io.sluice.mysql.wire.query.QueryResult;
import io.sluice.mysql.wire.query.ResultLimit;
import io.sluice.protocol.time.Time;
import io.sluice.schema.table.TableName;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Finds the tables whose rows a foreign key deletes or updates ({@code CASCADE}, {@code SET NULL}) without a trace in the binlog.
 *
 * <p>InnoDB does that below the layer that logs: on MariaDB, on MySQL before 9.6, and later with {@code innodb_native_foreign_keys=ON}.
 * Otherwise MySQL logs such rows as all others.
 */
public final class UnloggedCascades {
    /** The variable of MySQL 9.6 and later. */
    private static final String NATIVE = "innodb_native_foreign_keys";

    private static final String ACTIONS = "('CASCADE', 'SET NULL', 'SET DEFAULT')";

    /** So many tables are listed at once. */
    private static final int PAGE = 20_000;

    /** Of so many tables MariaDB shows the definition at once. */
    private static final int DEFINITIONS = 200;

    private static final String RULES =
            list("referential_constraints", "(delete_rule IN " + ACTIONS + " OR update_rule IN " + ACTIONS + ")");

    private static final String KEYS = list("key_column_usage", "referenced_table_name IS NOT NULL");

    /** A line of a definition. */
    private static final Pattern DEFINED_ACTION = Pattern.compile(
            "(?m)^ *CONSTRAINT .* FOREIGN KEY .* REFERENCES .* ON (?:DELETE|UPDATE) (?:CASCADE|SET (?:NULL|DEFAULT))");

    private static final int MOST_NAMES = 5;

    private UnloggedCascades() {}

    /**
     * What was found.
     *
     * @param tables in the order of their names
     * @param unknown of how many more tables with foreign keys it is not known, since there was no time
     */
    public record Found(List<TableName> tables, int unknown) {
        /** No table. */
        public static final Found NONE = new Found(List.of(), 0);

        public Found {
            tables = List.copyOf(tables);
        }
    }

    /**
     * Asks a server for them. It lists the tables for which the account has a privilege.
     *
     * @param login by which the connection was opened
     * @param passes which tables are of interest
     * @param timeout how long to take; MySQL 5.7 and MariaDB open the definition of each table for the list
     * @throws SocketTimeoutException if that was too short for the list; the connection is of no use then
     * @throws IOException as {@link MySqlConnection#query(String)}
     */
    public static Found read(
            MySqlConnection connection, ConnectOptions login, Predicate<TableName> passes, Duration timeout, Time time)
            throws IOException {
        return read(connection, login, passes, timeout, time, PAGE, DEFINITIONS);
    }

    static Found read(
            MySqlConnection connection,
            ConnectOptions login,
            Predicate<TableName> passes,
            Duration timeout,
            Time time,
            int page,
            int definitions)
            throws IOException {
        if (logsCascades(connection)) {
            return Found.NONE;
        }
        long deadline = time.nanos() + timeout.toNanos();
        boolean mariaDb = connection.serverVersion().mariaDb();
        List<TableName> tables = new ArrayList<>();
        HeapBudget budget = new HeapBudget(ResultLimit.LARGE, "the list of tables with foreign keys");
        int listed = 0;
        int last;
        do {
            Duration left = Duration.ofNanos(deadline - time.nanos());
            if (left.toMillis() <= 0) {
                throw new SocketTimeoutException(
                        "the server has not listed its foreign keys within %d seconds, but those of %d tables"
                                .formatted(timeout.toSeconds(), listed));
            }
            List<QueryResult.Row> rows = LongQuery.run(
                            connection, login, (mariaDb ? KEYS : RULES) + " LIMIT " + page + " OFFSET " + listed, left)
                    .rows();
            addPassing(rows, passes, budget, tables);
            last = rows.size();
            listed += last;
        } while (last == page);
        return mariaDb ? cascading(connection, tables, deadline, time, definitions) : new Found(tables, 0);
    }

    private static void addPassing(
            List<QueryResult.Row> rows, Predicate<TableName> passes, HeapBudget budget, List<TableName> tables)
            throws IOException {
        for (QueryResult.Row row : rows) {
            String schema = row.text(0);
            String table = row.text(1);
            if (schema != null && table != null) {
                TableName name = new TableName(schema, table);
                if (passes.test(name)) {
                    budget.takeRow(2, schema.length() + table.length(), 0);
                    tables.add(name);
                }
            }
        }
    }

    /** Of tables, whose names may differ in case or accent only. */
    private static String list(String from, String condition) {
        return "SELECT DISTINCT CAST(constraint_schema AS BINARY), CAST(table_name AS BINARY) FROM information_schema."
                + from + " WHERE " + condition
                + " AND constraint_schema NOT IN ('mysql', 'information_schema', 'performance_schema', 'sys')"
                + " ORDER BY 1, 2";
    }

    /** Those whose definitions have the action of a foreign key: MariaDB lists it to accounts with more than SELECT alone. */
    private static Found cascading(
            MySqlConnection connection, List<TableName> tables, long deadline, Time time, int atOnce)
            throws IOException {
        List<TableName> cascading = new ArrayList<>();
        int next = 0;
        while (next < tables.size() && time.nanos() - deadline < 0) {
            List<TableName> asked = tables.subList(next, Math.min(tables.size(), next + atOnce));
            QueryBatch batch = connection.queryAll(
                    asked.stream().map(UnloggedCascades::showCreate).toList(), ResultLimit.LARGE);
            for (int i = 0; i < batch.results().size(); i++) {
                QueryResult.Row row = batch.results().get(i).firstRow();
                String text = row == null ? null : row.text(1);
                if (text != null && DEFINED_ACTION.matcher(text).find()) {
                    cascading.add(asked.get(i));
                }
            }
            next += batch.results().size() + (batch.failure() == null ? 0 : 1);
        }
        return new Found(cascading, tables.size() - next);
    }

    private static String showCreate(TableName table) {
        return "SHOW CREATE TABLE `%s`.`%s`"
                .formatted(table.schema().replace("`", "``"), table.table().replace("`", "``"));
    }

    private static boolean logsCascades(MySqlConnection connection) throws IOException {
        ServerVersion version = connection.serverVersion();
        if (version.mariaDb() || !version.atLeast(9, 6, 0)) {
            return false;
        }
        QueryResult.Row row = connection
                .query("SHOW GLOBAL VARIABLES LIKE '" + NATIVE.replace("_", "\\_") + "'")
                .firstRow();
        String value = row == null ? null : row.text(1);
        return value == null || !value.toUpperCase(Locale.ROOT).equals("ON");
    }

    /** Some of the names, and how many more there are. */
    public static String named(List<TableName> tables) {
        String names =
                tables.stream().limit(MOST_NAMES).map(TableName::toString).collect(Collectors.joining(", "));
        return tables.size() <= MOST_NAMES ? names : names + " and " + (tables.size() - MOST_NAMES) + " more";
    }
}
