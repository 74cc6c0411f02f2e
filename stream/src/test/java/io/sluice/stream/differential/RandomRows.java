package io.sluice.stream.differential;

import io.sluice.testkit.check.TableId;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;

/** Statements that change rows. */
final class RandomRows {
    private static final int MANY_ROWS = 8;

    private final Scene scene;
    private final Dice dice;
    private final RandomValues values;

    RandomRows(Scene scene) {
        this.scene = scene;
        dice = scene.dice();
        values = new RandomValues(scene);
    }

    /** A row with a value for every column that can have one. */
    String insert(TableId id) {
        List<ColumnState> columns = columns(id);
        return "insert ignore into " + name(id) + names(columns) + " values " + row(columns);
    }

    /** A row for a table that probably has the columns of another one. */
    String insertInto(TableId id, TableId original) {
        List<ColumnState> columns = columns(original);
        return "insert ignore into " + name(id) + names(columns) + " values " + row(columns);
    }

    /** A change of rows of two tables by a join. */
    String changeOfTwo() {
        TableId one = scene.someTable();
        TableId other = scene.someTable();
        if (dice.percent(30)) {
            return "delete x, y from " + name(one) + " as x join " + name(other) + " as y"
                    + dice.oneOf("", " on 1 = 0", " where rand() < 0.5");
        }
        return "update ignore " + name(one) + " as x join " + name(other) + " as y set "
                + assignments("x.", columns(one))
                + (columns(other).isEmpty() || dice.percent(30) ? "" : ", " + assignments("y.", columns(other)));
    }

    /** A change of rows of a table that exists. */
    String change(TableId id) {
        List<ColumnState> columns = columns(id);
        if (dice.percent(30) && hasPeriod(columns)) {
            return portion(id, columns);
        }
        int rows = scene.snapshot().tables().get(id).rows().size();
        if (columns.isEmpty()) {
            return "delete from " + name(id) + " limit 1";
        }
        int kind = rows == 0 ? 0 : rows > MANY_ROWS ? 8 + dice.below(4) : dice.below(14);
        return switch (kind) {
            case 0, 1, 2, 3, 4, 5 -> insertSome(id, columns);
            case 6 -> insert(id) + " on duplicate key update " + assignments(columns);
            case 7 ->
                "insert ignore into " + name(id) + names(columns) + " select " + list(columns) + " from " + name(id)
                        + " limit 2";
            case 8, 9 ->
                "update ignore " + name(id) + " set " + assignments(columns) + dice.oneOf("", " limit 1", " limit 2");
            case 10, 11 ->
                rows > MANY_ROWS
                        ? "delete from " + name(id)
                        : "update ignore " + name(id) + " set " + assignments(columns) + " limit 1";
            default -> "delete from " + name(id) + dice.oneOf("", " limit 1", " limit 1");
        };
    }

    private static boolean hasPeriod(List<ColumnState> columns) {
        return has(columns, RandomTables.PERIOD_START) && has(columns, RandomTables.PERIOD_END);
    }

    private static boolean has(List<ColumnState> columns, String name) {
        return columns.stream().anyMatch(column -> column.name().equals(name));
    }

    /** A change of what a row says of a part of its period. */
    private String portion(TableId id, List<ColumnState> all) {
        List<ColumnState> columns =
                all.stream().filter(column -> !isOfPeriod(column)).toList();
        String portion = name(id) + " for portion of p from '200" + dice.below(9) + "-02-03' to '201" + dice.below(9)
                + "-04-05'";
        return columns.isEmpty() || dice.percent(40)
                ? "delete from " + portion
                : "update ignore " + portion + " set " + assignments("", columns);
    }

    private static boolean isOfPeriod(ColumnState column) {
        return column.name().equals(RandomTables.PERIOD_START) || column.name().equals(RandomTables.PERIOD_END);
    }

    /** REPLACE names all columns: a row image that is not full may lack those that it resets. */
    private String insertSome(TableId id, List<ColumnState> all) {
        boolean replaces = dice.percent(30);
        List<ColumnState> columns = replaces || dice.percent(60)
                ? all
                : all.stream().filter(column -> dice.percent(60)).toList();
        StringJoiner rows = new StringJoiner(", ");
        for (int i = 1 + dice.below(3); i > 0; i--) {
            rows.add(row(columns));
        }
        return (replaces ? "replace into " : "insert ignore into ") + name(id) + names(columns) + " values " + rows;
    }

    private String assignments(List<ColumnState> columns) {
        return assignments("", columns);
    }

    private String assignments(String table, List<ColumnState> columns) {
        if (columns.isEmpty()) {
            return table + "nothing = 1";
        }
        List<String> assignments = new ArrayList<>();
        ColumnState first = dice.oneOf(columns);
        for (ColumnState column : columns) {
            if (column.equals(first) || dice.percent(30)) {
                boolean json = column.type().equals("json") && !scene.mariaDb() && dice.percent(60);
                assignments.add(table + Identifiers.quoted(column.name()) + " = "
                        + (json && table.isEmpty() ? values.jsonChange(column) : values.value(column)));
            }
        }
        return String.join(", ", assignments);
    }

    private List<ColumnState> columns(TableId id) {
        return scene.columns(id).stream().filter(column -> !column.generated()).toList();
    }

    private String row(List<ColumnState> columns) {
        StringJoiner row = new StringJoiner(", ", "(", ")");
        boolean hasPeriod = hasPeriod(columns);
        columns.forEach(column -> row.add(
                hasPeriod && isOfPeriod(column) && dice.percent(90)
                        ? column.name().equals(RandomTables.PERIOD_START) ? "'2001-02-03'" : "'2018-02-03'"
                        : dice.percent(8) ? "default" : values.value(column)));
        return row.toString();
    }

    private static String names(List<ColumnState> columns) {
        return " (" + list(columns) + ")";
    }

    private static String list(List<ColumnState> columns) {
        return String.join(
                ", ",
                columns.stream()
                        .map(column -> Identifiers.quoted(column.name()))
                        .toList());
    }

    private static String name(TableId id) {
        return Identifiers.quoted(id.schema()) + "." + Identifiers.quoted(id.table());
    }
}
