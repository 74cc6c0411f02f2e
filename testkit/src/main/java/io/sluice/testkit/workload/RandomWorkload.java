package io.sluice.testkit.workload;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Random changes of tables with all column types, with a composite key, with a string key and without one.
 *
 * <p>The same seed gives the same statements. Every change gives its row a new {@code version}, which grows over all
 * tables, so that no two changes are alike. Another thread may watch the {@link #progress} while it runs.
 */
public final class RandomWorkload {
    private static final String END_TABLE = "sluice_end";
    private static final int MAX_ROWS_PER_STATEMENT = 40;
    private static final int MAX_STATEMENTS_PER_TRANSACTION = 6;
    private static final int ROLLBACK_ONE_IN = 25;

    private final Options options;
    private final Random random;
    private final Literals literals;
    private final List<Table> tables = new ArrayList<>();
    private final AtomicLong done = new AtomicLong();
    private long version;
    private long inserts;
    private long updates;
    private long deletes;
    private long transactions;
    private long rollbacks;

    /**
     * What a workload does.
     *
     * @param seed the same for the same statements
     * @param rowChanges how many rows it changes, about
     * @param schema is dropped and created again
     * @param keyChanges whether primary keys change, which moves rows between partitions that are chosen by the key
     */
    public record Options(long seed, int rowChanges, String schema, boolean keyChanges) {
        /** In the schema {@code workload}, key changes included. */
        public static Options of(long seed, int rowChanges) {
            return new Options(seed, rowChanges, "workload", true);
        }

        /** Returns a copy in the given schema. */
        public Options schema(String other) {
            return new Options(seed, rowChanges, other, keyChanges);
        }

        /** Returns a copy in which all primary keys are left as they are. */
        public Options withoutKeyChanges() {
            return new Options(seed, rowChanges, schema, false);
        }
    }

    /** How many rows were changed in transactions that were committed. */
    public record Counts(long inserts, long updates, long deletes, long transactions, long rollbacks) {
        /** All row changes. */
        public long total() {
            return inserts + updates + deletes;
        }
    }

    /** A workload that has not begun. */
    public RandomWorkload(Options options) {
        this.options = options;
        random = new Random(options.seed());
        literals = new Literals(random);
        tables.add(new Table(Shapes.orders(), 10));
        tables.add(new Table(Shapes.composite(), 4));
        tables.add(new Table(Shapes.byString(), 3));
        tables.add(new Table(Shapes.withoutKey(), 2));
        tables.add(new Table(Shapes.everyType(), 1));
    }

    /** Makes the tables and changes their rows. */
    public Counts run(Connection connection) throws SQLException {
        createTables(connection);
        return change(connection);
    }

    /** Drops the schema and creates it again, with all tables empty. */
    public void createTables(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("DROP DATABASE IF EXISTS " + options.schema());
            statement.execute("CREATE DATABASE " + options.schema() + " CHARACTER SET utf8mb4");
            for (Table table : tables) {
                statement.execute(table.shape.createStatement(options.schema()));
            }
            statement.execute("CREATE TABLE %s.%s (id BIGINT PRIMARY KEY AUTO_INCREMENT, version BIGINT NOT NULL)"
                    .formatted(options.schema(), END_TABLE));
        }
    }

    /** Changes rows of the tables, which must be as {@link #createTables} left them. */
    public Counts change(Connection connection) throws SQLException {
        boolean autoCommit = connection.getAutoCommit();
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET SESSION sql_mode = 'NO_ENGINE_SUBSTITUTION', time_zone = '+00:00'");
            connection.setAutoCommit(false);
            while (done.get() < options.rowChanges()) {
                if (Thread.currentThread().isInterrupted()) {
                    break;
                }
                transaction(connection, statement);
            }
        } finally {
            connection.setAutoCommit(autoCommit);
        }
        return new Counts(inserts, updates, deletes, transactions, rollbacks);
    }

    /** How many row changes were committed so far. */
    public long progress() {
        return done.get();
    }

    /** The schema that is changed. */
    public String schema() {
        return options.schema();
    }

    /** The table into which {@link #markTheEnd} writes. */
    public String endTable() {
        return END_TABLE;
    }

    /** Writes a last row: a reader that has it has everything. */
    public void markTheEnd(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    "INSERT INTO %s.%s (version) VALUES (%d)".formatted(options.schema(), END_TABLE, ++version));
            if (!connection.getAutoCommit()) {
                connection.commit();
            }
        }
    }

    private void transaction(Connection connection, Statement statement) throws SQLException {
        boolean isRolledBack = literals.oneIn(ROLLBACK_ONE_IN);
        long[] counts = {inserts, updates, deletes};
        if (isRolledBack) {
            tables.forEach(Table::remember);
        }
        int statements = 1 + random.nextInt(MAX_STATEMENTS_PER_TRANSACTION);
        for (int i = 0; i < statements; i++) {
            for (String sql : next(pickTable())) {
                statement.addBatch(sql);
            }
        }
        statement.executeBatch();
        if (isRolledBack) {
            connection.rollback();
            tables.forEach(Table::recall);
            inserts = counts[0];
            updates = counts[1];
            deletes = counts[2];
            rollbacks++;
        } else {
            connection.commit();
            transactions++;
            done.set(inserts + updates + deletes);
        }
    }

    private Table pickTable() {
        int weights = tables.stream().mapToInt(t -> t.weight).sum();
        int pick = random.nextInt(weights);
        for (Table table : tables) {
            pick -= table.weight;
            if (pick < 0) {
                return table;
            }
        }
        throw new AssertionError("the weights do not add up");
    }

    private List<String> next(Table table) {
        int rows = 1 + random.nextInt(MAX_ROWS_PER_STATEMENT);
        if (table.rows.size() < 2 * MAX_ROWS_PER_STATEMENT) {
            return List.of(insert(table, rows));
        }
        return switch (random.nextInt(20)) {
            case 0, 1, 2, 3, 4, 5 -> List.of(insert(table, rows));
            case 6, 7, 8, 9, 10 -> update(table, rows);
            case 11, 12 -> options.keyChanges() && table.shape.hasKey() ? changeKeys(table) : update(table, rows);
            case 13, 14 -> table.shape.hasKey() ? List.of(replace(table, rows)) : update(table, rows);
            case 15 -> table.shape.hasKey() ? List.of(insertOrUpdate(table, rows)) : List.of(insert(table, rows));
            default -> List.of(delete(table, rows));
        };
    }

    private String insert(Table table, int count) {
        return "INSERT INTO %s (%s) VALUES %s"
                .formatted(nameOf(table), table.shape.columnList(), newRows(table, count));
    }

    private String newRows(Table table, int count) {
        StringBuilder values = new StringBuilder();
        for (int i = 0; i < count; i++) {
            long row = table.shape.hasKey() ? table.next++ : version + 1; // a row without key is known by its version
            values.append(i == 0 ? "" : ", ").append(table.shape.values(row, ++version, literals));
            table.rows.add(row);
            inserts++;
        }
        return values.toString();
    }

    /** Some rows at once to the same values, or one after the other. */
    private List<String> update(Table table, int count) {
        if (!table.shape.hasKey() || random.nextBoolean()) {
            List<String> statements = new ArrayList<>();
            for (int i = 0; i < Math.min(count, 5); i++) {
                int index = random.nextInt(table.rows.size());
                statements.add("UPDATE %s SET %s WHERE %s"
                        .formatted(nameOf(table), assignments(table), table.shape.condition(table.rows.get(index))));
                if (!table.shape.hasKey()) {
                    table.rows.set(index, version);
                }
                updates++;
            }
            return statements;
        }
        String assignments = assignments(table);
        List<String> conditions = new ArrayList<>();
        for (int index : table.distinct(random, count)) {
            conditions.add("(" + table.shape.condition(table.rows.get(index)) + ")");
            updates++;
        }
        return List.of(
                "UPDATE %s SET %s WHERE %s".formatted(nameOf(table), assignments, String.join(" OR ", conditions)));
    }

    private String assignments(Table table) {
        StringBuilder set = new StringBuilder("version = ").append(++version);
        for (TableShape.Column column : table.shape.columns()) {
            if (literals.oneIn(3)) {
                set.append(", ").append(column.name()).append(" = ").append(column.literal(literals));
            }
        }
        return set.toString();
    }

    private List<String> changeKeys(Table table) {
        int index = random.nextInt(table.rows.size());
        long to = table.next++;
        List<String> keys = table.shape.keyOf().apply(to);
        StringBuilder set = new StringBuilder("version = ").append(++version);
        for (int i = 0; i < keys.size(); i++) {
            set.append(", ").append(table.shape.key().get(i)).append(" = ").append(keys.get(i));
        }
        String sql =
                "UPDATE %s SET %s WHERE %s".formatted(nameOf(table), set, table.shape.condition(table.rows.get(index)));
        table.rows.set(index, to);
        updates++;
        return List.of(sql);
    }

    private String replace(Table table, int count) {
        return "REPLACE INTO %s (%s) VALUES %s"
                .formatted(nameOf(table), table.shape.columnList(), oldAndNewRows(table, count));
    }

    private String insertOrUpdate(Table table, int count) {
        return "INSERT INTO %s (%s) VALUES %s ON DUPLICATE KEY UPDATE version = VALUES(version)"
                .formatted(nameOf(table), table.shape.columnList(), oldAndNewRows(table, count));
    }

    private String oldAndNewRows(Table table, int count) {
        StringBuilder values = new StringBuilder();
        for (int index : table.distinct(random, (count + 1) / 2)) {
            values.append(values.isEmpty() ? "" : ", ")
                    .append(table.shape.values(table.rows.get(index), ++version, literals));
            updates++;
        }
        if (count > 1) {
            values.append(", ").append(newRows(table, count / 2));
        }
        return values.toString();
    }

    private String delete(Table table, int count) {
        List<String> conditions = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int index = random.nextInt(table.rows.size());
            int last = table.rows.size() - 1;
            conditions.add("(" + table.shape.condition(table.rows.get(index)) + ")");
            table.rows.set(index, table.rows.get(last));
            table.rows.remove(last);
            deletes++;
        }
        return "DELETE FROM %s WHERE %s".formatted(nameOf(table), String.join(" OR ", conditions));
    }

    private String nameOf(Table table) {
        return options.schema() + "." + table.shape.name();
    }

    /** A table and its rows: the numbers in their keys, or their versions in a table without key. */
    private static final class Table {
        private final TableShape shape;
        private final int weight;
        private List<Long> rows = new ArrayList<>();
        private List<Long> remembered = List.of();
        private long next = 1;

        Table(TableShape shape, int weight) {
            this.shape = shape;
            this.weight = weight;
        }

        void remember() {
            remembered = List.copyOf(rows);
        }

        void recall() {
            rows = new ArrayList<>(remembered);
        }

        int[] distinct(Random random, int count) {
            return random.ints(0, rows.size()).distinct().limit(count).toArray();
        }
    }
}
