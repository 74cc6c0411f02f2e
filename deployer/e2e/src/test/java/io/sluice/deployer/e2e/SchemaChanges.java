package io.sluice.deployer.e2e;

import io.sluice.testkit.mysql.ServerRelease;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Random changes of table schemas, and of rows between them: columns are renamed, exchanged, moved, added and dropped, tables
 * renamed, emptied, made again with other columns and by {@code CREATE TABLE ... SELECT}. All of it follows from the seed.
 */
final class SchemaChanges {
    /** The table into which {@link #mark} writes. */
    static final String END = "the_end";

    private static final int TABLES = 4;
    private static final int MAX_COLUMNS = 7;
    private static final int MAX_SELECTED = 5_000;
    private static final int MANY = 10_000;
    private static final int MANY_COLUMNS = 8;
    private static final List<String> NAMES =
            List.of("price", "qty", "discount", "note", "colour", "weight", "vendor", "rating", "region", "state");

    private final Random random;
    private final String schema;
    private final boolean selectsIntoTables;
    private final NamedValues values;
    private final Map<String, Table> tables = new TreeMap<>();
    private long nextKey = 1;
    private long version = 1;
    private int nextTable;

    private static final class Table {
        private final List<String> columns;
        private final List<Long> keys = new ArrayList<>();

        Table(List<String> columns) {
            this.columns = new ArrayList<>(columns);
        }
    }

    /**
     * Makes nothing yet.
     *
     * @param gtids whether the server has GTIDs on, with which MySQL 5.7 refuses {@code CREATE TABLE ... SELECT}
     * @param values learns what is committed
     */
    SchemaChanges(long seed, String schema, ServerRelease release, boolean gtids, NamedValues values) {
        this.random = new Random(seed);
        this.schema = schema;
        this.selectsIntoTables = release != ServerRelease.MYSQL_5_7_22 || !gtids;
        this.values = values;
    }

    /** Makes the schema with its tables. */
    void create(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + schema);
            statement.execute("CREATE TABLE %s.%s (id BIGINT PRIMARY KEY)".formatted(schema, END));
            for (int i = 0; i < TABLES; i++) {
                createTable(statement, "t" + nextTable++);
            }
        }
    }

    /** Runs some random steps, of which about a third changes table schemas. */
    void run(Connection connection, int steps) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (int i = 0; i < steps; i++) {
                if (random.nextInt(3) == 0) {
                    changeSchema(statement);
                } else {
                    changeRows(connection, statement);
                }
            }
        }
    }

    /** Changes the schema of a table, and then some rows. */
    void changeSchema(Connection connection, int rowChanges) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            changeSchema(statement);
            for (int i = 0; i < rowChanges; i++) {
                changeRows(connection, statement);
            }
        }
    }

    /** Whether the server has {@link #selectMany}. */
    boolean canSelectMany() {
        return selectsIntoTables;
    }

    /** Makes one more table with many large rows, in one statement and one transaction. */
    void selectMany(Connection connection) throws SQLException {
        version++;
        List<String> columns = new ArrayList<>(NAMES);
        Collections.shuffle(columns, random);
        String selected = columns.subList(0, MANY_COLUMNS).stream()
                .map(column ->
                        "CAST('%s' AS CHAR(250)) AS %s".formatted(NamedValues.longValue(column, version), column))
                .collect(Collectors.joining(", "));
        String tenTimes =
                IntStream.range(0, 10).mapToObj(n -> "SELECT " + n + " AS n").collect(Collectors.joining(" UNION "));
        String tables = "abcd"
                .chars()
                .mapToObj(name -> "(%s) %c".formatted(tenTimes, name))
                .collect(Collectors.joining(", "));
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET @k = " + (nextKey - 1));
            for (int key = 0; key < MANY; key++) {
                values.wrote(nextKey++, version);
            }
            statement.execute("CREATE TABLE %s.t%d (id BIGINT PRIMARY KEY) AS SELECT (@k := @k + 1) AS id, %s FROM %s"
                    .formatted(schema, nextTable++, selected, tables));
        }
    }

    /** Writes a row into {@link #END}. */
    void mark(Connection connection, int id) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("INSERT INTO %s.%s VALUES (%d)".formatted(schema, END, id));
        }
    }

    private void changeRows(Connection connection, Statement statement) throws SQLException {
        Map<Long, Long> wrote = new TreeMap<>();
        Map<String, List<Long>> inserted = new TreeMap<>();
        connection.setAutoCommit(false);
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            String name = any(tables.keySet());
            Table table = tables.get(name);
            version++;
            if (table.keys.isEmpty() || random.nextBoolean()) {
                List<Long> keys = new ArrayList<>();
                for (int row = 1 + random.nextInt(random.nextInt(10) == 0 ? 300 : 5); row > 0; row--) {
                    keys.add(nextKey++);
                }
                String rows = keys.stream()
                        .map(key -> "(%d, %s)".formatted(key, literals(table.columns)))
                        .collect(Collectors.joining(", "));
                statement.execute("INSERT INTO %s.%s (id, %s) VALUES %s"
                        .formatted(schema, name, String.join(", ", table.columns), rows));
                keys.forEach(key -> wrote.put(key, version));
                inserted.computeIfAbsent(name, any -> new ArrayList<>()).addAll(keys);
            } else {
                long key = table.keys.get(random.nextInt(table.keys.size()));
                statement.execute("UPDATE %s.%s SET %s WHERE id = %d"
                        .formatted(
                                schema,
                                name,
                                table.columns.stream()
                                        .map(column ->
                                                "%s = '%s'".formatted(column, NamedValues.value(column, version)))
                                        .collect(Collectors.joining(", ")),
                                key));
                wrote.put(key, version);
            }
        }
        if (random.nextInt(8) == 0) {
            connection.rollback();
        } else {
            connection.commit();
            wrote.forEach(values::wrote);
            inserted.forEach((name, keys) -> tables.get(name).keys.addAll(keys));
        }
        connection.setAutoCommit(true);
    }

    private String literals(List<String> columns) {
        return columns.stream()
                .map(column -> "'" + NamedValues.value(column, version) + "'")
                .collect(Collectors.joining(", "));
    }

    private void changeSchema(Statement statement) throws SQLException {
        String name = any(tables.keySet());
        Table table = tables.get(name);
        List<String> columns = table.columns;
        int place = random.nextInt(columns.size());
        String column = columns.get(place);
        String alter = "ALTER TABLE %s.%s ".formatted(schema, name);
        switch (random.nextInt(9)) {
            case 0 -> {
                String other = newName(columns);
                statement.execute(alter + "CHANGE %s %s VARCHAR(60)".formatted(column, other));
                columns.set(place, other);
            }
            case 1 -> exchange(statement, alter, columns);
            case 2 -> {
                if (columns.size() < MAX_COLUMNS) {
                    String added = newName(columns);
                    int after = random.nextInt(columns.size() + 1);
                    String where = after == 0 ? "AFTER id" : "AFTER " + columns.get(after - 1);
                    statement.execute(alter + "ADD COLUMN %s VARCHAR(60) %s".formatted(added, where));
                    columns.add(after, added);
                }
            }
            case 3 -> {
                if (columns.size() > 2) {
                    statement.execute(alter + "DROP COLUMN " + column);
                    columns.remove(place);
                }
            }
            case 4 -> {
                statement.execute(alter + "MODIFY %s VARCHAR(60) AFTER id".formatted(column));
                columns.remove(place);
                columns.add(0, column);
            }
            case 5 -> {
                String added = newName(columns);
                statement.execute(
                        alter + "DROP COLUMN %s, ADD COLUMN %s VARCHAR(60) AFTER id".formatted(column, added));
                columns.remove(place);
                columns.add(0, added);
            }
            case 6 -> {
                String other = "t" + nextTable++;
                statement.execute("RENAME TABLE %1$s.%2$s TO %1$s.%3$s".formatted(schema, name, other));
                tables.put(other, tables.remove(name));
            }
            case 7 -> {
                statement.execute("DROP TABLE %s.%s".formatted(schema, name));
                tables.remove(name);
                createTable(statement, random.nextBoolean() ? name : "t" + nextTable++);
            }
            default -> {
                if (selectsIntoTables) {
                    selectIntoTable(statement, name, table);
                }
            }
        }
    }

    private void exchange(Statement statement, String alter, List<String> columns) throws SQLException {
        int one = random.nextInt(columns.size());
        int other = random.nextInt(columns.size());
        if (one == other) {
            return;
        }
        statement.execute(alter
                + "CHANGE %1$s %2$s VARCHAR(60), CHANGE %2$s %1$s VARCHAR(60)"
                        .formatted(columns.get(one), columns.get(other)));
        Collections.swap(columns, one, other);
    }

    private void createTable(Statement statement, String name) throws SQLException {
        List<String> columns = new ArrayList<>(NAMES);
        Collections.shuffle(columns, random);
        Table table = new Table(columns.subList(0, 2 + random.nextInt(4)));
        statement.execute("CREATE TABLE %s.%s (id BIGINT PRIMARY KEY, %s)"
                .formatted(
                        schema,
                        name,
                        table.columns.stream()
                                .map(column -> column + " VARCHAR(60)")
                                .collect(Collectors.joining(", "))));
        tables.put(name, table);
    }

    /** Makes a table with the rows of another one several times, under new keys, in place of that. */
    private void selectIntoTable(Statement statement, String name, Table table) throws SQLException {
        version++;
        int times = table.keys.size() > MAX_SELECTED ? 0 : 1 + random.nextInt(9);
        Table made = new Table(table.columns);
        Collections.shuffle(made.columns, random);
        String selected = made.columns.stream()
                .map(column -> "CAST('%s' AS CHAR(60)) AS %s".formatted(NamedValues.value(column, version), column))
                .collect(Collectors.joining(", "));
        String other = "t" + nextTable++;
        statement.execute("SET @k = " + (nextKey - 1));
        statement.execute(("CREATE TABLE %1$s.%2$s (id BIGINT PRIMARY KEY)"
                        + " AS SELECT (@k := @k + 1) AS id, %3$s FROM %1$s.%4$s, (%5$s) times")
                .formatted(
                        schema,
                        other,
                        selected,
                        name,
                        IntStream.rangeClosed(0, times)
                                .mapToObj(n -> "SELECT " + n + " AS n")
                                .collect(Collectors.joining(" UNION "))));
        try (ResultSet rows = statement.executeQuery("SELECT id FROM %s.%s".formatted(schema, other))) {
            while (rows.next()) {
                made.keys.add(rows.getLong(1));
                nextKey = Math.max(nextKey, rows.getLong(1) + 1);
            }
        }
        made.keys.forEach(key -> values.wrote(key, version));
        statement.execute("DROP TABLE %s.%s".formatted(schema, name));
        tables.remove(name);
        tables.put(other, made);
    }

    private String newName(List<String> taken) {
        String name = NAMES.get(random.nextInt(NAMES.size()));
        while (taken.contains(name)) {
            name = NAMES.get(random.nextInt(NAMES.size()));
        }
        return name;
    }

    private String any(Collection<String> names) {
        return List.copyOf(names).get(random.nextInt(names.size()));
    }
}
