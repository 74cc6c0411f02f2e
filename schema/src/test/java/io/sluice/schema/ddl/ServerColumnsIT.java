package io.sluice.schema.ddl;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.type.TypeFamily;
import io.sluice.schema.ddl.catalog.TableDefinitions;
import io.sluice.schema.sql.SourceTraits;
import io.sluice.schema.sql.SqlMode;
import io.sluice.schema.table.ColumnSchema;
import io.sluice.schema.table.TableName;
import io.sluice.schema.table.TableSchema;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ServerRelease;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * After each statement of a list, the table schemas that follow from the binlog's text have the columns that the server has, also those that
 * it does not show of system-versioned tables. Types are compared by their kind, those of times by name, members of ENUM and SET one by one; and by their texts where they are to be spelled as the
 * server does.
 */
class ServerColumnsIT {
    private static final Pattern USE = Pattern.compile("use [`\"]((?:[^`\"]|``)*)[`\"]; ");
    private static final Pattern CONDITION =
            Pattern.compile("\\[(mysql|mariadb|from (\\d+)|before (\\d+))] (.*)", Pattern.DOTALL);
    private static final String OF_USERS =
            " table_schema not in ('mysql', 'sys', 'performance_schema', 'information_schema')";

    private Connection connection;
    private String file;
    private long offset;

    @ParameterizedTest
    @EnumSource(
            value = ServerRelease.class,
            names = {"MYSQL_5_7_22", "MYSQL_8_0_31", "MARIADB_10_11", "MARIADB_11_8"})
    void haveTheColumnsOfTheServer(ServerRelease release) throws Exception {
        check(MySqlOptions.defaults().release(release), "statements.sql", false);
    }

    private void check(MySqlOptions options, String resource, boolean foldsNames) throws Exception {
        try (MySqlServer server = MySqlServer.start(options);
                Connection opened = server.connect()) {
            connection = opened;
            BinlogEnd end = server.binlogEnd();
            file = end.file();
            offset = end.offset();
            boolean mariaDb = server.release().isMariaDb();
            int version = version();
            SourceTraits source = new SourceTraits(mariaDb, version, foldsNames);
            SchemaTracker tracker = new SchemaTracker(new NoDefinitions(), source);
            SchemaTracker respelled = new SchemaTracker(new NoDefinitions(), source);
            respelled.catalog().tables().spellAsSource();
            for (String line : lines(resource)) {
                String statement = statementFor(line, mariaDb, version);
                if (statement == null) {
                    continue;
                }
                SqlMode mode = SqlMode.parse(Objects.requireNonNull(query("select @@sql_mode")));
                execute(statement);
                for (String logged : loggedSince()) {
                    Matcher use = USE.matcher(logged);
                    boolean named = use.lookingAt();
                    String sql = named ? logged.substring(use.end()) : logged;
                    String schema = named ? use.group(1).replace("``", "`") : "";
                    tracker.statements().apply(sql, schema, mode);
                    respelled.statements().apply(sql, schema, mode);
                }
                assertThat(ours(tracker, foldsNames)).as(statement).isEqualTo(theirs(foldsNames));
                assertThat(ours(respelled, foldsNames)).as(statement).isEqualTo(theirs(foldsNames));
                assertThat(types(respelled, foldsNames)).as(statement).isEqualTo(typesOfServer(foldsNames));
            }
            assertThat(tracker.counts().doubtfulStatements()).isZero();
        }
    }

    /** Tables that the statements make are known from them. */
    private final class NoDefinitions implements TableDefinitions {
        @Override
        public @Nullable String createStatement(TableName table) {
            return null;
        }

        @Override
        public @Nullable String schemaCharset(String schema) throws IOException {
            try {
                return query("select default_character_set_name from information_schema.schemata where schema_name = '"
                        + schema + "'");
            } catch (SQLException e) {
                throw new IOException(e);
            }
        }
    }

    private static List<String> lines(String resource) throws IOException {
        try (InputStream in = ServerColumnsIT.class.getResourceAsStream(resource)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("--"))
                    .toList();
        }
    }

    /** Null if a condition before the statement excludes this server. */
    private static @Nullable String statementFor(String line, boolean mariaDb, int version) {
        Matcher condition = CONDITION.matcher(line);
        if (!condition.matches()) {
            return line;
        }
        boolean holds;
        if (condition.group(2) != null) {
            holds = version >= Integer.parseInt(condition.group(2));
        } else if (condition.group(3) != null) {
            holds = version < Integer.parseInt(condition.group(3));
        } else {
            holds = condition.group(1).equals(mariaDb ? "mariadb" : "mysql");
        }
        return holds ? statementFor(condition.group(4), mariaDb, version) : null;
    }

    private int version() throws SQLException {
        Matcher number = Pattern.compile("(\\d+)\\.(\\d+)\\.(\\d+)").matcher(query("select version()"));
        assertThat(number.find()).isTrue();
        return Integer.parseInt(number.group(1)) * 10_000
                + Integer.parseInt(number.group(2)) * 100
                + Integer.parseInt(number.group(3));
    }

    private List<String> loggedSince() throws SQLException {
        List<String> logged = new ArrayList<>();
        try (java.sql.Statement statement = connection.createStatement();
                ResultSet events =
                        statement.executeQuery("show binlog events in '%s' from %d".formatted(file, offset))) {
            while (events.next()) {
                offset = events.getLong("End_log_pos");
                String info = events.getString("Info");
                if (events.getString("Event_type").startsWith("Query")
                        && !Set.of("BEGIN", "COMMIT").contains(info)) {
                    logged.add(info);
                }
            }
        }
        return logged;
    }

    private static Map<String, List<String>> ours(SchemaTracker tracker, boolean foldsNames) {
        Map<String, List<String>> tables = new TreeMap<>();
        for (TableSchema table : tracker.catalog().tables().schemas()) {
            List<String> columns = new ArrayList<>();
            for (ColumnSchema column : table.columns()) {
                columns.add(column.isHidden() ? hidden(column.name()) : text(column));
            }
            tables.put(nameOf(table.name(), foldsNames), columns);
        }
        return tables;
    }

    private static Map<String, List<String>> types(SchemaTracker tracker, boolean foldsNames) {
        Map<String, List<String>> tables = new TreeMap<>();
        for (TableSchema table : tracker.catalog().tables().schemas()) {
            tables.put(
                    nameOf(table.name(), foldsNames),
                    table.columns().stream()
                            .filter(column -> !column.isHidden())
                            .map(column -> withoutBlanks(column.mysqlType()))
                            .toList());
        }
        return tables;
    }

    private Map<String, List<String>> typesOfServer(boolean foldsNames) throws SQLException {
        Map<String, List<String>> tables = new TreeMap<>();
        try (java.sql.Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select table_schema, table_name, column_type"
                        + " from information_schema.columns join information_schema.tables"
                        + " using (table_schema, table_name) where table_type in ('BASE TABLE', 'SYSTEM VERSIONED')"
                        + " and" + OF_USERS + " order by ordinal_position")) {
            while (rows.next()) {
                TableName table = new TableName(rows.getString("table_schema"), rows.getString("table_name"));
                tables.computeIfAbsent(nameOf(table, foldsNames), key -> new ArrayList<>())
                        .add(withoutBlanks(rows.getString("column_type")));
            }
        }
        return tables;
    }

    /** The server removes blanks at the end of members, and shows a BLOB otherwise while a session has the mode ORACLE, to which it would be a LONGBLOB. */
    private static String withoutBlanks(String type) {
        return type.replaceAll(" +'(?=[,)])", "'").replaceAll(" /\\*.*\\*/", "").replace("blob(65535)", "blob");
    }

    private Map<String, List<String>> theirs(boolean foldsNames) throws SQLException {
        Set<String> keys = keys();
        Map<String, List<String>> tables = new TreeMap<>();
        try (java.sql.Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "select table_schema, table_name, column_name, column_type, character_set_name"
                                + " from information_schema.columns join information_schema.tables"
                                + " using (table_schema, table_name) where table_type in ('BASE TABLE', 'SYSTEM VERSIONED')"
                                + " and" + OF_USERS + " order by ordinal_position")) {
            while (rows.next()) {
                String name = rows.getString("column_name");
                String type = rows.getString("column_type");
                TableName table = new TableName(rows.getString("table_schema"), rows.getString("table_name"));
                ColumnSchema column = new ColumnSchema(
                        name,
                        type,
                        keys.contains(table + "." + name),
                        type.contains("unsigned"),
                        rows.getString("character_set_name"));
                tables.computeIfAbsent(nameOf(table, foldsNames), key -> new ArrayList<>())
                        .add(text(column));
            }
        }
        for (TableName table : tablesWithHiddenPeriod()) {
            tables.get(nameOf(table, foldsNames)).addAll(List.of(hidden("row_start"), hidden("row_end")));
        }
        return tables;
    }

    private List<TableName> tablesWithHiddenPeriod() throws SQLException {
        List<TableName> tables = new ArrayList<>();
        try (java.sql.Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "select table_schema, table_name from information_schema.tables where table_type = 'SYSTEM VERSIONED'"
                                + " and (table_schema, table_name) not in (select table_schema, table_name"
                                + " from information_schema.columns where generation_expression = 'ROW START')")) {
            while (rows.next()) {
                tables.add(new TableName(rows.getString(1), rows.getString(2)));
            }
        }
        return tables;
    }

    private static String hidden(String name) {
        return "hidden " + name;
    }

    private Set<String> keys() throws SQLException {
        Set<String> keys = new TreeSet<>();
        try (java.sql.Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select table_schema, table_name, column_name"
                        + " from information_schema.statistics where index_name = 'PRIMARY' and" + OF_USERS)) {
            while (rows.next()) {
                keys.add(rows.getString(1) + "." + rows.getString(2) + "." + rows.getString(3));
            }
        }
        return keys;
    }

    private static String nameOf(TableName table, boolean foldsNames) {
        return foldsNames ? table.toString().toLowerCase(Locale.ROOT) : table.toString();
    }

    private static String text(ColumnSchema column) {
        boolean isBinary = "binary".equals(column.charset());
        TypeFamily family = switch (column.family()) {
            case CHAR -> isBinary ? TypeFamily.BINARY : TypeFamily.CHAR;
            case TEXT -> isBinary ? TypeFamily.BLOB : TypeFamily.TEXT;
            case JSON -> TypeFamily.TEXT; // as MariaDB shows it
            default -> column.family();
        };
        String charset = column.charset() == null || isBinary ? "" : column.charset();
        if (charset.equals("utf8")) {
            charset = "utf8mb3";
        }
        String members = family == TypeFamily.ENUM || family == TypeFamily.SET
                ? column.mysqlType().substring(column.mysqlType().indexOf('(')).replaceAll(" +'(?=[,)])", "'")
                : "";
        return column.name()
                + (column.primaryKey() ? "* " : " ")
                + (family == TypeFamily.TEMPORAL
                        ? column.mysqlType().split("[ (]")[0].toUpperCase(Locale.ROOT)
                        : family)
                + members
                + (column.unsigned() ? " unsigned" : "")
                + (column.family() == TypeFamily.JSON ? " utf8mb4" : " " + charset);
    }

    private void execute(String sql) throws SQLException {
        try (java.sql.Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new SQLException("refused: " + sql, e);
        }
    }

    private @Nullable String query(String sql) throws SQLException {
        try (java.sql.Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            return rows.next() ? rows.getString(1) : null;
        }
    }
}
