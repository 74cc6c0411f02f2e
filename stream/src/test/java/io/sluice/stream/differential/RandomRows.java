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

    /** A change of rows of a table that exists. */
    String change(TableId id) {
        List<ColumnState> columns = columns(id);
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
        List<String> assignments = new ArrayList<>();
        ColumnState first = dice.oneOf(columns);
        for (ColumnState column : columns) {
            if (column.equals(first) || dice.percent(30)) {
                boolean json = column.type().equals("json") && !scene.mariaDb() && dice.percent(60);
                assignments.add(Identifiers.quoted(column.name()) + " = "
                        + (json ? values.jsonChange(column) : values.value(column)));
            }
        }
        return String.join(", ", assignments);
    }

    private List<ColumnState> columns(TableId id) {
        return scene.columns(id).stream().filter(column -> !column.generated()).toList();
    }

    private String row(List<ColumnState> columns) {
        StringJoiner row = new StringJoiner(", ", "(", ")");
        columns.forEach(column -> row.add(dice.percent(8) ? "default" : values.value(column)));
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
