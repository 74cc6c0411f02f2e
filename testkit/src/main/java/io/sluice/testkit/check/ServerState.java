package io.sluice.testkit.check;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the tables of a server's schemas hold, read through JDBC when it is compared.
 *
 * <p>The connection must not be used for anything else meanwhile. Timestamps are read in UTC.
 */
public final class ServerState implements ExpectedState {
    private final Connection connection;
    private final List<Table> tables = new ArrayList<>();

    private ServerState(Connection connection) {
        this.connection = connection;
    }

    /** The state of all base tables of some schemas. */
    public static ServerState of(Connection connection, String... schemas) {
        ServerState state = new ServerState(connection);
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET time_zone = '+00:00'");
            for (String schema : schemas) {
                state.readTables(schema);
            }
        } catch (SQLException e) {
            throw new IllegalStateException("could not read the table schema of " + String.join(", ", schemas), e);
        }
        return state;
    }

    @Override
    public List<Table> tables() {
        return List.copyOf(tables);
    }

    private void readTables(String schema) throws SQLException {
        List<String> names = new ArrayList<>();
        try (PreparedStatement query = connection.prepareStatement("SELECT TABLE_NAME FROM information_schema.TABLES"
                + " WHERE TABLE_SCHEMA = ? AND TABLE_TYPE IN ('BASE TABLE', 'SYSTEM VERSIONED') ORDER BY TABLE_NAME")) {
            query.setString(1, schema);
            try (ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    names.add(rows.getString(1));
                }
            }
        }
        for (String name : names) {
            tables.add(readTable(new TableId(schema, name)));
        }
    }

    private Table readTable(TableId id) throws SQLException {
        Map<String, String> types = new LinkedHashMap<>();
        collect(
                "SELECT COLUMN_NAME, COLUMN_TYPE FROM information_schema.COLUMNS"
                        + " WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ? ORDER BY ORDINAL_POSITION",
                id,
                types);
        Map<String, String> key = new LinkedHashMap<>();
        collect(
                "SELECT COLUMN_NAME, INDEX_NAME FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = ?"
                        + " AND TABLE_NAME = ? AND INDEX_NAME = 'PRIMARY' ORDER BY SEQ_IN_INDEX",
                id,
                key);
        return new ServerTable(id, List.copyOf(key.keySet()), types);
    }

    private void collect(String sql, TableId id, Map<String, String> into) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(sql)) {
            query.setString(1, id.schema());
            query.setString(2, id.table());
            try (ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    into.put(rows.getString(1), rows.getString(2));
                }
            }
        }
    }

    private final class ServerTable implements Table {
        private final TableId id;
        private final List<String> key;
        private final Map<String, String> types;
        private final Columns columns;
        private final List<ValueKind> kinds;

        ServerTable(TableId id, List<String> key, Map<String, String> types) {
            this.id = id;
            this.key = key;
            this.types = types;
            columns = new Columns(List.copyOf(types.keySet()));
            kinds = types.values().stream().map(ValueKind::of).toList();
        }

        @Override
        public TableId id() {
            return id;
        }

        @Override
        public List<String> key() {
            return key;
        }

        @Override
        public Map<String, String> types() {
            return types;
        }

        @Override
        public void forEachRow(Map<String, String> deliveredTypes, Consumer<Row> receiver) {
            String list = columns.names().stream()
                    .map(name -> SelectedValue.expression(name, kinds.get(columns.indexOf(name))))
                    .collect(Collectors.joining(", "));
            String sql = "SELECT %s FROM %s.%s".formatted(list, quoted(id.schema()), quoted(id.table()));
            try (Statement statement =
                    connection.createStatement(ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_READ_ONLY)) {
                statement.setFetchSize(Integer.MIN_VALUE); // the driver's word for row by row
                try (ResultSet rows = statement.executeQuery(sql)) {
                    while (rows.next()) {
                        receiver.accept(row(rows));
                    }
                }
            } catch (SQLException e) {
                throw new IllegalStateException("could not read the rows of " + id, e);
            }
        }

        private Row row(ResultSet rows) throws SQLException {
            @Nullable String[] values = new String[kinds.size()];
            for (int i = 0; i < values.length; i++) {
                values[i] = SelectedValue.read(rows, i + 1, kinds.get(i));
            }
            return new Row(columns, values);
        }

        private static String quoted(String name) {
            return "`" + name.replace("`", "``") + "`";
        }
    }
}
