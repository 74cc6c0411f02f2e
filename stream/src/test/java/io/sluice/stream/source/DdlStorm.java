package io.sluice.stream.source;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Changes the table schemas at random, and rows between that, and remembers which columns the server reported that a
 * table had when a row was written.
 */
final class DdlStorm {
    static final String SCHEMA = "storm";
    static final String OTHER_SCHEMA = "库 two";

    static final List<String> TABLES =
            List.of("t1", "t2", "t3", "订单", "weird `name", "select", "Ünï", "two words", "_t1_gho", "_t1_del");
    private static final List<String> COLUMNS =
            List.of("a", "b", "c", "d", "e", "列", "col `q", "order", "MiXed", "é", "two words", "key", "f.g");
    private static final List<String> TYPES = List.of(
            "INT",
            "integer",
            "INT(10) UNSIGNED",
            "bigint(20) unsigned zerofill",
            "TINYINT(1)",
            "BOOL",
            "smallint",
            "MEDIUMINT UNSIGNED",
            "DECIMAL",
            "numeric(7)",
            "DEC(9,3)",
            "float",
            "DOUBLE PRECISION",
            "FLOAT(53)",
            "REAL",
            "BIT",
            "bit(17)",
            "date",
            "DATETIME",
            "datetime(3)",
            "TIMESTAMP(6) NULL",
            "time(2)",
            "year",
            "CHAR",
            "char(7) character set latin1",
            "VARCHAR(30)",
            "character varying(12) collate utf8mb4_bin",
            "NVARCHAR(5)",
            "varchar(20) CHARACTER SET gbk COMMENT 'a, b) `c'",
            "binary(4)",
            "VARBINARY(9)",
            "tinytext",
            "TEXT",
            "text character set latin1",
            "MEDIUMBLOB",
            "blob",
            "LONGTEXT",
            "json",
            "enum('a','b''c', 'd,e')",
            "SET('x','y') CHARACTER SET ascii",
            "ENUM('甲','乙') character set utf8mb4",
            "varchar(9) default 'x)y,'",
            "int default 5 comment 'first after b'",
            "bigint not null default 0");

    private final Connection connection;
    private final Random random;
    private final boolean mariaDb;
    private final List<Written> written = new ArrayList<>();
    private final List<String> taken = new ArrayList<>();
    private int statements;
    private int refused;
    private long counter;

    /** A row that was written, with the columns that its table had then. */
    record Written(String schema, String table, String event, List<Column> columns, int afterTaken) {}

    /** A column as {@code information_schema} names it. */
    record Column(String name, String type, boolean key) {}

    DdlStorm(Connection connection, Random random, boolean mariaDb) {
        this.connection = connection;
        this.random = random;
        this.mariaDb = mariaDb;
    }

    /** What was written so far. */
    List<Written> written() {
        return written;
    }

    /** The last statements before a row that name its table. */
    List<String> before(Written row) {
        List<String> before = taken.subList(0, row.afterTaken()).stream()
                .filter(sql -> sql.contains(row.table().replace("`", "``")))
                .toList();
        return before.subList(Math.max(0, before.size() - 6), before.size());
    }

    /** All statements that the server took. */
    List<String> taken() {
        return taken;
    }

    int statements() {
        return statements;
    }

    /** How many statements the server did not take. */
    int refused() {
        return refused;
    }

    void begin() throws SQLException {
        must("set session sql_mode = ''");
        for (String schema : List.of(SCHEMA, OTHER_SCHEMA)) {
            must("drop database if exists " + quoted(schema));
            must("create database " + quoted(schema) + " default charset "
                    + (schema.equals(SCHEMA) ? "utf8mb4" : "gbk"));
        }
        must("use " + SCHEMA);
        for (int i = 0; i < 4; i++) {
            createTable();
        }
    }

    /** One change of a table schema, or some rows. */
    void step() throws SQLException {
        switch (random.nextInt(30)) {
            case 0, 1, 2 -> createTable();
            case 3 -> run("create table %s like %s".formatted(anyTable(), aTable()));
            case 4 -> run("drop table %s%s".formatted(random.nextBoolean() ? "if exists " : "", dropped()));
            case 5 -> run("truncate %s%s".formatted(random.nextBoolean() ? "table " : "", aTable()));
            case 6 -> run("rename table %s to %s".formatted(aTable(), anyTable()));
            case 7 -> swap();
            case 8 -> run("alter table %s rename %s%s".formatted(aTable(), oneOf("to ", "as ", ""), anyTable()));
            case 9 -> run("create index i%d on %s (%s)".formatted(random.nextInt(4), aTable(), aColumn()));
            case 10 -> recreateSchema();
            case 11 -> {
                if (mariaDb && random.nextBoolean()) {
                    throughPartitions();
                    break;
                }
                run("alter table %s partition by key () partitions %d".formatted(aTable(), 1 + random.nextInt(3)));
            }
            case 12 -> run(oneOf("analyze table ", "optimize table ", "check table ", "repair table ") + aTable());
            case 13 ->
                run("/* a; comment */ alter table %s /*!50700 add */ %s int -- the end"
                        .formatted(aTable(), anyColumn()));
            default -> alter();
        }
        for (int i = random.nextInt(4); i > 0; i--) {
            writeRow();
        }
    }

    /** A statement that our reader cannot apply, and a row of that table. */
    void unreadable() throws SQLException {
        String table = aTable();
        String column = quoted("u" + random.nextInt(1_000_000));
        if (run("alter table %s drop primary key, add (%s int not null, primary key (%s))"
                        .formatted(table, column, column))
                || run("alter table %s add (%s int not null, primary key (%s))".formatted(table, column, column))) {
            writeRow(table);
        }
    }

    /** A partition becomes a table, and if the table has still the same columns, that a partition again. */
    private void throughPartitions() throws SQLException {
        String table = aTable();
        String made = anyTable();
        run("alter table %s partition by list (%s) (partition p0 values in (0, 1), partition p1 values in (2, 3))"
                .formatted(table, aColumn(table)));
        run("alter table %s convert partition p0 to table %s".formatted(table, made));
        writeRow(made);
        if (random.nextInt(3) == 0) {
            alter();
        }
        run("alter table %s convert table %s to partition p0 values in (0, 1)".formatted(table, made));
        writeRow(table);
        run("create table if not exists %s (%s %s)".formatted(made, anyColumn(), anyType()));
        run("alter table %s remove partitioning".formatted(table));
    }

    private void createTable() throws SQLException {
        StringBuilder sql = new StringBuilder("create table ");
        sql.append(oneOf("", "", "if not exists ")).append(anyTable()).append(" (");
        String key = random.nextInt(4) == 0 ? null : quoted(oneOf("id", "主键", "Id"));
        if (key != null) {
            sql.append(key)
                    .append(oneOf(" int", " BIGINT UNSIGNED", " varchar(20)"))
                    .append(" not null");
            sql.append(random.nextBoolean() ? " primary key" : ", primary key (" + key + ")");
        }
        List<String> names = new ArrayList<>();
        for (int i = random.nextInt(5) + (key == null ? 1 : 0); i > 0; i--) {
            String name = anyColumn();
            if (!names.contains(name)) {
                sql.append(names.isEmpty() && key == null ? "" : ", ")
                        .append(name)
                        .append(' ')
                        .append(anyType());
                names.add(name);
            }
        }
        if (random.nextInt(5) == 0 && !names.isEmpty()) {
            sql.append(", gen int as (length(")
                    .append(names.get(0))
                    .append(")) ")
                    .append(oneOf("virtual", "stored"));
        }
        sql.append(')').append(oneOf("", "", " charset=gbk", " default character set latin1", " engine=InnoDB"));
        sql.append(oneOf("", " comment='x'';--'"));
        run(sql.toString());
    }

    private void alter() throws SQLException {
        String table = aTable();
        StringBuilder sql = new StringBuilder("alter table ").append(table).append(' ');
        for (int i = 0, items = 1 + random.nextInt(3); i < items; i++) {
            sql.append(i == 0 ? "" : ", ").append(item(table));
        }
        run(sql.toString());
    }

    private String item(String table) throws SQLException {
        String old = aColumn(table);
        return switch (random.nextInt(14)) {
            case 0, 1, 2, 3 -> "add %s%s %s%s".formatted(oneOf("column ", ""), anyColumn(), anyType(), place(table));
            case 4, 5 -> "drop %s%s".formatted(oneOf("column ", ""), old);
            case 6 -> "modify %s %s%s".formatted(old, anyType(), place(table));
            case 7, 8 -> "change %s %s %s%s".formatted(old, anyColumn(), anyType(), place(table));
            case 9 -> "rename column %s to %s".formatted(old, anyColumn());
            case 10 -> "add (%s %s, %s %s)".formatted(anyColumn(), anyType(), anyColumn(), anyType());
            case 11 -> oneOf("comment='c'", "engine=InnoDB", "convert to character set utf8mb4", "force");
            case 12 -> oneOf("drop primary key", "add unique key u1 (" + old + ")", "add primary key (" + old + ")");
            default ->
                mariaDb && random.nextInt(3) > 0
                        ? addedTwice(anyColumn(), table)
                        : mariaDb
                                ? "alter column %s set default '1'".formatted(old)
                                : "add column %s int invisible default 7".formatted(anyColumn());
        };
    }

    private String addedTwice(String column, String table) throws SQLException {
        String first = "add %s %s%s".formatted(column, anyType(), place(table));
        return first
                + (random.nextBoolean() ? ", " + item(table) : "")
                + ", modify %s %s%s".formatted(column, anyType(), place(table));
    }

    private String place(String table) throws SQLException {
        return switch (random.nextInt(4)) {
            case 0 -> " first";
            case 1 -> " after " + aColumn(table);
            default -> "";
        };
    }

    private String dropped() throws SQLException {
        return random.nextInt(3) == 0 ? aTable() + ", " + aTable() : aTable();
    }

    private void swap() throws SQLException {
        String first = aTable();
        String second = aTable();
        run("rename table %s to %s.swap_tmp, %s to %s, %s.swap_tmp to %s"
                .formatted(first, SCHEMA, second, first, SCHEMA, second));
    }

    private void recreateSchema() throws SQLException {
        if (random.nextInt(3) == 0) {
            run("drop database " + quoted(OTHER_SCHEMA));
            run("create database %s default charset %s".formatted(quoted(OTHER_SCHEMA), oneOf("utf8mb4", "latin1")));
        }
    }

    private void writeRow() throws SQLException {
        writeRow(aTable());
    }

    private void writeRow(String table) throws SQLException {
        List<Column> columns = columns(table);
        if (columns.isEmpty()) {
            return;
        }
        List<String> names = new ArrayList<>();
        List<String> values = new ArrayList<>();
        List<String> generated = generatedColumns(table);
        for (Column column : columns) {
            if (!generated.contains(column.name())) {
                names.add(quoted(column.name()));
                values.add(value(column));
            }
        }
        String sql;
        String event;
        switch (random.nextInt(4)) {
            case 0 -> {
                event = "UPDATE";
                int i = random.nextInt(names.size());
                sql = "update ignore %s set %s = %s limit 1".formatted(table, names.get(i), values.get(i));
            }
            case 1 -> {
                event = "DELETE";
                sql = "delete from %s limit 1".formatted(table);
            }
            default -> {
                event = "INSERT";
                sql = "insert ignore into %s (%s) values (%s)"
                        .formatted(table, String.join(", ", names), String.join(", ", values));
            }
        }
        try (Statement statement = connection.createStatement()) {
            if (statement.executeUpdate(sql) == 1) {
                String[] parts = parts(table);
                written.add(new Written(parts[0], parts[1], event, columns, taken.size()));
            }
        } catch (SQLException e) {
            refused++; // a value that this type never takes, or a row that grew too long
        }
    }

    private String value(Column column) {
        counter++;
        String type = column.type();
        if (type.startsWith("json")) {
            return "'{}'";
        }
        if (type.startsWith("year") || type.startsWith("bit") || type.startsWith("tinyint")) {
            return Long.toString(counter % 2);
        }
        if (type.startsWith("date") || type.startsWith("time")) {
            return "'2024-02-29 10:00:00'";
        }
        return type.startsWith("enum") || type.startsWith("set") ? "1" : "'" + counter % 9_999 + "'";
    }

    private List<String> generatedColumns(String table) throws SQLException {
        return texts("select column_name from information_schema.columns where %s and generation_expression <> ''"
                .formatted(isTable(table)));
    }

    private List<Column> columns(String table) throws SQLException {
        List<Column> columns = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "select column_name, column_type, column_key from information_schema.columns where "
                                + isTable(table) + " order by ordinal_position")) {
            while (rows.next()) {
                columns.add(new Column(
                        rows.getString(1), rows.getString(2), rows.getString(3).equals("PRI")));
            }
        }
        return isReallyKeyed(table) ? columns : withoutKeys(columns);
    }

    /** The server calls a unique key over columns that take no null a primary one if there is none. */
    private boolean isReallyKeyed(String table) throws SQLException {
        return !texts("select 'PRI' from information_schema.statistics where index_name = 'PRIMARY' and "
                        + isTable(table))
                .isEmpty();
    }

    private static List<Column> withoutKeys(List<Column> columns) {
        return columns.stream()
                .map(column -> new Column(column.name(), column.type(), false))
                .toList();
    }

    private static String isTable(String table) {
        String[] parts = parts(table);
        return "table_schema = '%s' and table_name = '%s'".formatted(parts[0], parts[1]);
    }

    /** Schema and table of a name as {@link #aTable} gives it. */
    private static String[] parts(String table) {
        int dot = table.indexOf("`.`");
        return new String[] {
            table.substring(1, dot).replace("``", "`"),
            table.substring(dot + 3, table.length() - 1).replace("``", "`")
        };
    }

    /** A table that is there; one that is not, if there is none. */
    private String aTable() throws SQLException {
        List<String> tables = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select table_schema, table_name from information_schema.tables"
                        + " where table_schema in ('%s', '%s') order by 1, 2".formatted(SCHEMA, OTHER_SCHEMA))) {
            while (rows.next()) {
                tables.add(quoted(rows.getString(1)) + "." + quoted(rows.getString(2)));
            }
        }
        return tables.isEmpty() ? anyTable() : tables.get(random.nextInt(tables.size()));
    }

    private String anyTable() {
        return quoted(random.nextInt(4) == 0 ? OTHER_SCHEMA : SCHEMA) + "."
                + quoted(TABLES.get(random.nextInt(TABLES.size())));
    }

    private String aColumn() throws SQLException {
        return aColumn(aTable());
    }

    private String aColumn(String table) throws SQLException {
        List<String> names =
                texts("select column_name from information_schema.columns where %s order by ordinal_position"
                        .formatted(isTable(table)));
        return names.isEmpty() ? "nothing" : quoted(names.get(random.nextInt(names.size())));
    }

    private String anyColumn() {
        return quoted(COLUMNS.get(random.nextInt(COLUMNS.size())));
    }

    private String anyType() {
        return TYPES.get(random.nextInt(TYPES.size()));
    }

    private String oneOf(String... texts) {
        return texts[random.nextInt(texts.length)];
    }

    private static String quoted(String name) {
        return "`" + name.replace("`", "``") + "`";
    }

    private List<String> texts(String sql) throws SQLException {
        List<String> texts = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                texts.add(rows.getString(1));
            }
        }
        return texts;
    }

    private void must(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Whether the server took it; many statements do not fit the tables that there are. */
    private boolean run(String sql) {
        statements++;
        try {
            must(sql);
            taken.add(sql);
            return true;
        } catch (SQLException e) {
            refused++;
            return false;
        }
    }
}
