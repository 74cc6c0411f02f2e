package io.sluice.stream.differential;

import io.sluice.testkit.check.FixedBytes;
import io.sluice.testkit.check.SelectedValue;
import io.sluice.testkit.check.TableId;
import io.sluice.testkit.check.ValueKind;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;

/**
 * What the server itself reports of the tables of the random schemas.
 *
 * @param sequences the names of sequences, whose rows are not delivered
 */
record ServerSnapshot(Map<TableId, TableState> tables, Set<TableId> sequences) {
    private static final String WHERE = " where table_schema in ('" + String.join("', '", Identifiers.SCHEMAS) + "')";
    private static final int NO_SUCH_TABLE = 1146;

    ServerSnapshot {
        tables = Collections.unmodifiableMap(tables);
        sequences = Set.copyOf(sequences);
    }

    /**
     * Reads it.
     *
     * @param connection in UTC, and logging nothing
     */
    static ServerSnapshot read(Connection connection) throws SQLException {
        Map<TableId, TableState> tables = new LinkedHashMap<>();
        Set<TableId> sequences;
        try (Statement statement = connection.createStatement()) {
            Set<TableId> followers = names(
                    statement,
                    "select constraint_schema, table_name from information_schema.referential_constraints where"
                            + " update_rule not in ('RESTRICT', 'NO ACTION') or delete_rule not in ('RESTRICT', 'NO ACTION')");
            sequences = names(
                    statement,
                    "select table_schema, table_name from information_schema.tables" + WHERE
                            + " and table_type = 'SEQUENCE'");
            for (Map.Entry<TableId, List<ColumnState>> table :
                    columns(statement).entrySet()) {
                List<ColumnState> columns = table.getValue();
                TableId id = table.getKey();
                tables.put(id, new TableState(columns, rows(statement, id, columns), followers.contains(id)));
            }
        }
        return new ServerSnapshot(tables, sequences);
    }

    private static Set<TableId> names(Statement statement, String query) throws SQLException {
        Set<TableId> names = new HashSet<>();
        try (ResultSet rows = statement.executeQuery(query)) {
            while (rows.next()) {
                names.add(new TableId(rows.getString(1), rows.getString(2)));
            }
        }
        return names;
    }

    private static Map<TableId, List<ColumnState>> columns(Statement statement) throws SQLException {
        Set<List<String>> keys = new HashSet<>();
        try (ResultSet rows =
                statement.executeQuery("select table_schema, table_name, column_name from information_schema.statistics"
                        + WHERE + " and index_name = 'PRIMARY'")) {
            while (rows.next()) {
                keys.add(List.of(rows.getString(1), rows.getString(2), rows.getString(3)));
            }
        }
        Map<TableId, List<ColumnState>> columns = new LinkedHashMap<>();
        try (ResultSet rows = statement.executeQuery("select table_schema, table_name from information_schema.tables"
                + WHERE + " and table_type in ('BASE TABLE', 'SYSTEM VERSIONED') order by 1, 2")) {
            while (rows.next()) {
                columns.put(new TableId(rows.getString(1), rows.getString(2)), new ArrayList<>());
            }
        }
        try (ResultSet rows = statement.executeQuery(
                "select table_schema, table_name, column_name, column_type, generation_expression, extra"
                        + " from information_schema.columns" + WHERE + " order by 1, 2, ordinal_position")) {
            while (rows.next()) {
                TableId id = new TableId(rows.getString(1), rows.getString(2));
                if (columns.containsKey(id)) {
                    columns.get(id)
                            .add(new ColumnState(
                                    rows.getString(3),
                                    rows.getString(4),
                                    keys.contains(List.of(id.schema(), id.table(), rows.getString(3))),
                                    isGenerated(rows.getString(5), rows.getString(6))));
                }
            }
        }
        return columns;
    }

    private static boolean isGenerated(String expression, String extra) {
        return expression != null && !expression.isEmpty()
                || extra != null
                        && (extra.contains("VIRTUAL")
                                || extra.contains("STORED GENERATED")
                                || extra.contains("PERSISTENT"));
    }

    private static List<StoredRow> rows(Statement statement, TableId id, List<ColumnState> columns)
            throws SQLException {
        StringJoiner sql = new StringJoiner(
                ", ", "select ", " from " + Identifiers.quoted(id.schema()) + "." + Identifiers.quoted(id.table()));
        columns.forEach(column -> sql.add(SelectedValue.expression(column.name(), column.kind())));
        List<StoredRow> stored = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery(sql.toString())) {
            while (rows.next()) {
                String[] values = new String[columns.size()];
                for (int i = 0; i < values.length; i++) {
                    ValueKind kind = columns.get(i).kind();
                    String value = SelectedValue.read(rows, i + 1, kind);
                    values[i] = value == null ? null : FixedBytes.STRIPPED.of(kind, kind.canonical(value));
                }
                stored.add(StoredRow.of(values));
            }
        } catch (SQLException e) {
            if (e.getErrorCode() != NO_SUCH_TABLE) { // as a table without its tablespace is
                throw e;
            }
        }
        return stored;
    }
}
