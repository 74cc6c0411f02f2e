package io.sluice.server.probe;

import io.sluice.connector.api.probe.Findings;
import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.MySqlConnection;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.mysql.wire.query.HeapBudget;
import io.sluice.mysql.wire.query.QueryBatch;
import io.sluice.mysql.wire.query.ResultLimit;
import io.sluice.protocol.pattern.ExpensivePatternException;
import io.sluice.schema.filter.TableFilter;
import io.sluice.schema.table.TableName;
import io.sluice.stream.source.server.LongQuery;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Tries whether the tables that pass an instance's filter can be read: by the statement that reads their definitions. A server
 * does not list tables to users without any right to them.
 */
final class SourceTables {
    private static final int TABLES_AT_ONCE = 200;
    private static final int MOST_TABLES = 2_000;
    private static final int MOST_NAMES = 5;

    private static final int TABLE_ACCESS_DENIED = 1142;
    private static final int NO_SUCH_TABLE = 1146;
    private static final int UNKNOWN_DATABASE = 1049;

    private final MySqlConnection connection;
    private final ConnectOptions login;
    private final TableFilter filter;
    private final String user;
    private final Findings findings;

    /**
     * Makes it.
     *
     * @param login by which the connection was opened
     * @param user the account as the server names it, quoted
     */
    SourceTables(MySqlConnection connection, ConnectOptions login, TableFilter filter, String user, Findings findings) {
        this.connection = connection;
        this.login = login;
        this.filter = filter;
        this.user = user;
        this.findings = findings;
    }

    /**
     * Tries them.
     *
     * @return those that pass, and that the user can see
     */
    List<TableName> judge() throws IOException {
        List<TableName> visible = visible(connection, login, Integer.MAX_VALUE);
        List<TableName> passing;
        try {
            passing = visible.stream()
                    .filter(table -> filter.passes(table.schema(), table.table()))
                    .toList();
        } catch (ExpensivePatternException e) {
            findings.failed("filter", String.valueOf(e.getMessage()), "simplify canal.instance.filter.regex");
            return List.of();
        }
        List<TableName> hidden = hidden(visible);
        if (passing.isEmpty() && hidden.isEmpty()) {
            judgeNone(visible);
            return passing;
        }
        List<TableName> tried = new ArrayList<>(hidden);
        tried.addAll(passing.subList(0, Math.min(passing.size(), MOST_TABLES)));
        Map<TableName, ServerErrorException> failures = tryAll(tried);
        List<TableName> missing = failures.entrySet().stream()
                .filter(failure -> isMissing(failure.getValue()))
                .map(Map.Entry::getKey)
                .toList();
        if (!passing.isEmpty()) {
            findings.ok(
                    "filter",
                    "%d of %d visible table%s pass%s"
                            .formatted(
                                    passing.size(),
                                    visible.size(),
                                    visible.size() == 1 ? "" : "s",
                                    passing.size() == 1 ? "es" : ""));
        }
        if (!missing.isEmpty()) {
            findings.warning(
                    "filter",
                    "canal.instance.filter.regex names tables that do not exist: " + named(missing),
                    "correct the names, or create the tables");
        }
        missing.forEach(failures::remove);
        judgeSelect(failures, tried.size() - missing.size());
        return passing;
    }

    private void judgeNone(List<TableName> visible) {
        if (visible.isEmpty()) {
            findings.failed(
                    "SELECT",
                    "the user sees no table at all, so no definition of a table can be read",
                    "grant select on *.* to " + user + ", or on the schemas of the tables that are to be delivered");
        } else {
            findings.warning(
                    "filter",
                    "none of the %d tables that the user can see passes".formatted(visible.size()),
                    "check canal.instance.filter.regex and canal.instance.filter.black.regex, and that the user has SELECT on the"
                            + " tables that are meant; sluice.sh check shows what excludes each");
        }
    }

    private void judgeSelect(Map<TableName, ServerErrorException> failures, int tried) {
        if (!failures.isEmpty()) {
            ServerErrorException first = failures.values().iterator().next();
            Set<String> schemas =
                    failures.keySet().stream().map(TableName::schema).collect(Collectors.toCollection(TreeSet::new));
            findings.failed(
                    "SELECT",
                    "the definition of %s cannot be read: server error %d: %s"
                            .formatted(named(List.copyOf(failures.keySet())), first.errno(), first.serverMessage()),
                    first.errno() == TABLE_ACCESS_DENIED
                            ? schemas.stream()
                                    .map(schema -> "grant select on `%s`.* to %s".formatted(schema, user))
                                    .collect(Collectors.joining("; "))
                            : "look the error up in the server's manual");
        } else if (tried > 0) {
            findings.ok(
                    "SELECT",
                    tried == 1
                            ? "the definition of 1 table can be read"
                            : "the definitions of %d tables can be read".formatted(tried));
        }
    }

    /**
     * The tables that the user of a connection can see, besides those of the server itself.
     *
     * @param login by which the connection was opened
     * @param limit how many there may be
     * @throws SocketTimeoutException if there are too many to list them in time
     */
    static List<TableName> visible(MySqlConnection connection, ConnectOptions login, int limit) throws IOException {
        List<TableName> tables = new ArrayList<>();
        String sql = "SELECT table_schema, table_name FROM information_schema.tables"
                + " WHERE table_type IN ('BASE TABLE', 'SYSTEM VERSIONED') AND table_schema NOT IN"
                + " ('mysql', 'information_schema', 'performance_schema', 'sys')"
                + " ORDER BY table_schema, table_name LIMIT " + limit;
        HeapBudget budget = new HeapBudget(ResultLimit.CATALOG, "the list of tables");
        LongQuery.run(connection, login, sql, login.readTimeout(), row -> {
            TableName name = new TableName(String.valueOf(row.text(0)), String.valueOf(row.text(1)));
            budget.takeRow(2, name.schema().length() + name.table().length(), 0);
            tables.add(name);
        });
        return tables;
    }

    /** Tables that the filter names, and that the user does not see. */
    private List<TableName> hidden(List<TableName> visible) {
        Set<String> names = visible.stream()
                .map(table -> table.toString().toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet());
        return filter.namedTables().stream()
                .filter(name -> !names.contains(name))
                .map(name -> {
                    int dot = name.indexOf('.');
                    return new TableName(name.substring(0, dot), name.substring(dot + 1));
                })
                .filter(table -> filter.passes(table.schema(), table.table()))
                .toList();
    }

    private Map<TableName, ServerErrorException> tryAll(List<TableName> tables) throws IOException {
        Map<TableName, ServerErrorException> failures = new LinkedHashMap<>();
        int next = 0;
        while (next < tables.size()) {
            List<TableName> asked = tables.subList(next, Math.min(tables.size(), next + TABLES_AT_ONCE));
            QueryBatch batch = connection.queryAll(
                    asked.stream().map(SourceTables::showCreate).toList(), ResultLimit.LARGE);
            next += batch.results().size();
            ServerErrorException failure = batch.failure();
            if (failure != null) {
                failures.put(tables.get(next), failure);
                next++;
            }
        }
        return failures;
    }

    private static boolean isMissing(ServerErrorException failure) {
        return failure.errno() == NO_SUCH_TABLE || failure.errno() == UNKNOWN_DATABASE;
    }

    private static String showCreate(TableName table) {
        return "SHOW CREATE TABLE " + quoted(table.schema()) + "." + quoted(table.table());
    }

    private static String quoted(String name) {
        return "`" + name.replace("`", "``") + "`";
    }

    private static String named(List<TableName> tables) {
        String names =
                tables.stream().limit(MOST_NAMES).map(TableName::toString).collect(Collectors.joining(", "));
        return tables.size() <= MOST_NAMES ? names : names + " and " + (tables.size() - MOST_NAMES) + " more";
    }
}
