package io.sluice.testkit.workload;

import io.sluice.testkit.workload.Literals.Charset;
import io.sluice.testkit.workload.TableShape.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The tables of a workload. */
final class Shapes {
    private static final int SET_MEMBERS = 64;
    private static final int LONG_TEXT = 2_000;

    private Shapes() {}

    static TableShape orders() {
        return new TableShape(
                "orders",
                List.of("id"),
                List.of("BIGINT"),
                row -> List.of(Long.toString(row)),
                List.of(
                        new Column("customer", "INT UNSIGNED", false, l -> l.integer(4, true)),
                        new Column("amount", "DECIMAL(12,2)", false, l -> l.decimal(12, 2, false)),
                        new Column("status", "ENUM('new','paid','sent')", true, l -> l.member("new", "paid", "sent")),
                        new Column("note", "VARCHAR(200)", true, l -> l.text(Charset.UTF8MB4, 200)),
                        new Column("made", "DATETIME(3)", true, l -> l.dateTime(3)),
                        new Column("touched", "TIMESTAMP(6)", true, l -> l.timestamp(6))));
    }

    static TableShape composite() {
        return new TableShape(
                "order_lines",
                List.of("sku", "line"),
                List.of("VARCHAR(30)", "INT"),
                row -> List.of("'sku-%d'".formatted(row / 7), Long.toString(row % 7 + row / 1_000)),
                List.of(
                        new Column("quantity", "SMALLINT", true, l -> l.integer(2, false)),
                        new Column("price", "DOUBLE", true, Literals::doubling),
                        new Column("extra", "JSON", true, Literals::json)));
    }

    static TableShape byString() {
        return new TableShape(
                "customers",
                List.of("code"),
                List.of("VARCHAR(40)"),
                row -> List.of("'客-%d-é'".formatted(row)),
                List.of(
                        new Column("name", "VARCHAR(60) CHARACTER SET gbk", true, l -> l.text(Charset.GBK, 60)),
                        new Column("photo", "BLOB", true, l -> l.bytes(300)),
                        new Column("born", "DATE", true, Literals::date)));
    }

    static TableShape withoutKey() {
        return new TableShape(
                "visits",
                List.of(),
                List.of(),
                row -> List.of(),
                List.of(
                        new Column("page", "VARCHAR(80)", true, l -> l.text(Charset.UTF8MB4, 80)),
                        new Column("took", "FLOAT", true, Literals::floating),
                        new Column("seen", "DATETIME", true, l -> l.dateTime(0))));
    }

    static TableShape everyType() {
        List<Column> columns = new ArrayList<>();
        addNumbers(columns);
        addTimes(columns);
        addTexts(columns);
        addBytes(columns);
        addOthers(columns);
        return new TableShape("every_type", List.of("id"), List.of("INT"), row -> List.of(Long.toString(row)), columns);
    }

    private static void addNumbers(List<Column> columns) {
        both(columns, "tiny", "TINYINT", l -> l.integer(1, false));
        both(columns, "small", "SMALLINT", l -> l.integer(2, false));
        both(columns, "medium", "MEDIUMINT", l -> l.integer(3, false));
        both(columns, "plain", "INT", l -> l.integer(4, false));
        both(columns, "big", "BIGINT", l -> l.integer(8, false));
        both(columns, "u_tiny", "TINYINT UNSIGNED", l -> l.integer(1, true));
        both(columns, "u_small", "SMALLINT UNSIGNED", l -> l.integer(2, true));
        both(columns, "u_medium", "MEDIUMINT UNSIGNED", l -> l.integer(3, true));
        both(columns, "u_plain", "INT UNSIGNED", l -> l.integer(4, true));
        both(columns, "u_big", "BIGINT UNSIGNED", l -> l.integer(8, true));
        some(columns, "flag", "BOOL", l -> l.pick("0", "1"));
        some(columns, "filled", "INT(8) ZEROFILL", l -> l.integer(2, true));
        for (int[] shape :
                new int[][] {{1, 0}, {5, 1}, {10, 2}, {4, 4}, {19, 9}, {20, 10}, {38, 18}, {65, 0}, {65, 30}}) {
            String name = "d_%d_%d".formatted(shape[0], shape[1]);
            String type = "DECIMAL(%d,%d)".formatted(shape[0], shape[1]);
            some(columns, name, type, l -> l.decimal(shape[0], shape[1], false));
        }
        some(columns, "u_decimal", "DECIMAL(12,3) UNSIGNED", l -> l.decimal(12, 3, true));
        both(columns, "f", "FLOAT", Literals::floating);
        both(columns, "d", "DOUBLE", Literals::doubling);
        some(columns, "f_7_3", "FLOAT(7,3)", l -> l.decimal(7, 3, false));
        some(columns, "d_15_5", "DOUBLE(15,5)", l -> l.decimal(15, 5, false));
        for (int bits : new int[] {1, 7, 8, 9, 33, 64}) {
            some(columns, "bit_" + bits, "BIT(%d)".formatted(bits), l -> l.bit(bits));
        }
    }

    private static void addTimes(List<Column> columns) {
        both(columns, "y", "YEAR", Literals::year);
        both(columns, "day", "DATE", Literals::date);
        for (int fraction = 0; fraction <= 6; fraction++) {
            int f = fraction;
            some(columns, "t_" + f, "TIME(%d)".formatted(f), l -> l.time(f));
            some(columns, "dt_" + f, "DATETIME(%d)".formatted(f), l -> l.dateTime(f));
            some(columns, "ts_" + f, "TIMESTAMP(%d)".formatted(f), l -> l.timestamp(f));
        }
    }

    private static void addTexts(List<Column> columns) {
        for (Charset charset : Charset.values()) {
            String suffix = charset.name().toLowerCase(Locale.ROOT);
            String set = " CHARACTER SET " + suffix;
            some(columns, "c_" + suffix, "CHAR(20)" + set, l -> l.text(charset, 20));
            both(columns, "v_" + suffix, "VARCHAR(100)" + set, l -> l.text(charset, 100));
            some(columns, "x_" + suffix, "TEXT" + set, l -> l.text(charset, LONG_TEXT));
        }
        some(columns, "v_long", "VARCHAR(300)", l -> l.text(Charset.UTF8MB4, 300));
        some(columns, "tt", "TINYTEXT", l -> l.text(Charset.UTF8MB4, 60));
        some(columns, "mt", "MEDIUMTEXT", l -> l.text(Charset.UTF8MB4, LONG_TEXT));
        some(columns, "lt", "LONGTEXT", l -> l.text(Charset.UTF8MB4, LONG_TEXT));
    }

    private static void addBytes(List<Column> columns) {
        both(columns, "b_16", "BINARY(16)", l -> l.bytes(16));
        both(columns, "vb", "VARBINARY(100)", l -> l.bytes(100));
        some(columns, "tb", "TINYBLOB", l -> l.bytes(255));
        some(columns, "bl", "BLOB", l -> l.bytes(LONG_TEXT));
        some(columns, "mb", "MEDIUMBLOB", l -> l.bytes(LONG_TEXT));
        some(columns, "lb", "LONGBLOB", l -> l.bytes(LONG_TEXT));
    }

    private static void addOthers(List<Column> columns) {
        both(columns, "e", "ENUM('one','two','it''s','中')", l -> l.member("one", "two", "it's", "中"));
        String members =
                IntStream.range(0, SET_MEMBERS).mapToObj(i -> "'m" + i + "'").collect(Collectors.joining(","));
        some(columns, "s_3", "SET('x','y','z')", l -> l.members(3));
        some(columns, "s_64", "SET(" + members + ")", l -> l.members(SET_MEMBERS));
        both(columns, "j", "JSON", Literals::json);
        some(columns, "g", "GEOMETRY", Literals::geometry);
        some(columns, "p", "POINT", l -> l.point(0));
        some(columns, "p_4326", "POINT", l -> l.point(4326));
        some(columns, "line", "LINESTRING", Literals::lineString);
        some(columns, "area", "POLYGON", Literals::polygon);
    }

    private static void some(List<Column> columns, String name, String type, Function<Literals, String> value) {
        columns.add(new Column(name, type, true, value));
    }

    /** One column that may be null and one that may not. */
    private static void both(List<Column> columns, String name, String type, Function<Literals, String> value) {
        some(columns, name, type, value);
        columns.add(new Column(name + "_nn", type, false, value));
    }
}
