package io.sluice.stream.matrix;

import io.sluice.format.entry.Entry;
import io.sluice.testkit.check.Change;
import io.sluice.testkit.check.ExpectedState;
import io.sluice.testkit.check.FixedBytes;
import io.sluice.testkit.check.Row;
import io.sluice.testkit.check.ServerState;
import io.sluice.testkit.check.ValueKind;
import io.sluice.testkit.mysql.ServerRelease;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/** All tables of a schema filled, changed and emptied in one way, with what they held meanwhile. */
final class MatrixRun {
    private static final int MAX_SHOWN = 300;

    private final MatrixCell cell;
    private final boolean asStated;
    private final boolean isMariaDb;
    private final String schema;
    private final Map<String, MatrixTable> tables = new LinkedHashMap<>();
    private final Map<String, Map<String, ValueKind>> kinds = new HashMap<>();
    private final Map<String, Map<String, String>> types = new HashMap<>();
    private final Map<String, Set<String>> large = new HashMap<>();
    private final Map<String, Map<String, Row>> inserted;
    private final Map<String, Map<String, Row>> updated;
    private final List<String> differences = new ArrayList<>();

    /**
     * Runs the statements.
     *
     * @param asStated whether the table schemas come from the statements that made the tables
     * @param source a schema with a copy of the tables when they are full
     */
    MatrixRun(
            MatrixCell cell,
            String schema,
            boolean asStated,
            List<MatrixTable> tables,
            Connection connection,
            String source,
            ServerRelease release)
            throws SQLException {
        this.cell = cell;
        this.asStated = asStated;
        this.isMariaDb = release.isMariaDb();
        this.schema = schema;
        tables.forEach(table -> this.tables.put(table.name(), table));
        try (Statement statement = connection.createStatement()) {
            for (String setting : cell.settings(release)) {
                statement.execute(setting);
            }
            for (MatrixTable table : tables) {
                statement.execute(table.insert(schema));
            }
            inserted = snapshot(connection);
            for (MatrixTable table : tables) {
                statement.execute(table.update(schema, source));
            }
            updated = snapshot(connection);
            for (MatrixTable table : tables) {
                statement.execute(table.delete(schema));
            }
        }
    }

    /** All rows by table and id. */
    private Map<String, Map<String, Row>> snapshot(Connection connection) {
        Map<String, Map<String, Row>> all = new HashMap<>();
        for (ExpectedState.Table table : ServerState.of(connection, schema).tables()) {
            String name = table.id().table();
            Map<String, ValueKind> byColumn = new HashMap<>();
            Set<String> largeColumns = new HashSet<>();
            table.types().forEach((column, type) -> {
                byColumn.put(column, ValueKind.of(type));
                if (type.matches("(?i).*(text|blob|json|geom|point|linestring|polygon|vector).*")) {
                    largeColumns.add(column);
                }
            });
            kinds.put(name, byColumn);
            types.put(name, table.types());
            large.put(name, largeColumns);
            Map<String, Row> rows = new TreeMap<>();
            table.forEachRow(table.types(), row -> rows.put(row.value("id"), row));
            all.put(name, rows);
        }
        return all;
    }

    /** Compares what was delivered of it. */
    void deliver(List<Entry> entries) {
        Map<String, Integer> counts = new TreeMap<>();
        Set<Map<String, String>> named = new HashSet<>();
        for (Delivered change : Delivered.of(entries)) {
            if (!change.raw().table().schema().equals(schema)) {
                continue;
            }
            String table = change.raw().table().table();
            String kind = kindOf(change.raw());
            counts.merge(table + " " + kind, 1, Integer::sum);
            compare(table, kind, "protobuf", change.raw(), change.raw());
            compare(table, kind, "JSON", change.raw(), change.flat());
            checkColumns(table, kind, change.raw());
            if (named.add(change.raw().types())) {
                checkTypes(table, change.raw().types());
            }
        }
        Map<String, Integer> expected = new TreeMap<>();
        tables.forEach((name, table) ->
                List.of("insert", "update", "delete").forEach(kind -> expected.put(name + " " + kind, table.rows())));
        if (!counts.equals(expected)) {
            differences.add("changes delivered: %s, changes made: %s".formatted(counts, expected));
        }
    }

    private static String kindOf(Change.OfRow change) {
        return change.before() == null ? "insert" : change.after() == null ? "delete" : "update";
    }

    /** @param image of the same change, which says which row it is about */
    private void compare(String table, String kind, String form, Change.OfRow image, Change.OfRow change) {
        Row named = image.before() == null ? image.after() : image.before();
        String id = Objects.requireNonNull(named).value("id");
        Row first = inserted.get(table).get(id);
        Row second = updated.get(table).get(id);
        if (first == null || second == null) {
            differences.add("%s of %s: no row %s".formatted(kind, table, id));
            return;
        }
        if (change.before() != null) {
            compare(table, kind + " before", form, kind.equals("delete") ? second : first, change.before(), change);
        }
        if (change.after() != null) {
            compare(table, kind + " after", form, kind.equals("insert") ? first : second, change.after(), change);
        }
    }

    private void compare(String table, String where, String form, Row expected, Row actual, Change.OfRow change) {
        for (String column : actual.columns()) {
            boolean isGuessed = form.equals("JSON") && where.equals("update before") && !isOld(column, change);
            if (!isGuessed && !Objects.equals(toDeliver(table, expected, column), canonical(table, actual, column))) {
                differences.add("%s.%s (%s), %s in %s, row %s: the server has %s, delivered was %s"
                        .formatted(
                                table,
                                column,
                                change.types().get(column),
                                where,
                                form,
                                expected.value("id"),
                                show(table, expected, column),
                                show(table, actual, column)));
            }
        }
    }

    /** What is not in {@code old} of a flat message was filled in from {@code data}. */
    private static boolean isOld(String column, Change.OfRow change) {
        return change.after() == null
                || !change.after().has(column)
                || !Objects.equals(change.after().value(column), change.before().value(column));
    }

    /** Types are named as the server does, or as the statement did that made the table. */
    private void checkTypes(String table, Map<String, String> named) {
        named.forEach((column, type) -> {
            String right = types.get(table).get(column).replaceAll(" */\\*.*\\*/", "");
            boolean isRight = type.equalsIgnoreCase(right);
            if (asStated && !isRight) { // statements that are not understood have the server asked, too
                right = tables.get(table).definition(column);
                isRight = right.regionMatches(true, 0, type, 0, type.length());
            }
            if (!isRight) {
                differences.add("%s.%s is called %s and not %s".formatted(table, column, type, right));
            }
        });
    }

    /** Whether the images have the columns that their kind promises. */
    private void checkColumns(String table, String kind, Change.OfRow change) {
        MatrixTable shape = tables.get(table);
        Set<String> all = kinds.get(table).keySet();
        // MariaDB 11.8.9 leaves generated columns out of all images of updated and deleted rows.
        boolean mayLackGenerated = isMariaDb && !kind.equals("insert");
        if (change.before() != null) {
            for (String column : all) {
                boolean isWanted = switch (cell.rowImage()) {
                    case "FULL" -> true;
                    case "MINIMAL" -> column.equals("id");
                    default -> !large.get(table).contains(column);
                };
                isWanted &= !mayLackGenerated || !shape.isComputed(column);
                boolean isUnwanted = !column.equals("id") && cell.rowImage().equals("MINIMAL");
                if ((isWanted && !change.before().has(column))
                        || (isUnwanted && change.before().has(column))) {
                    differences.add("%s.%s, %s: before image has columns %s"
                            .formatted(table, column, kind, change.before().columns()));
                }
            }
        }
        if (change.after() != null) {
            for (MatrixColumn column : shape.columns()) {
                boolean isWanted = !column.isComputed() || (cell.rowImage().equals("FULL") && !mayLackGenerated);
                if (isWanted && !change.after().has(column.name())) {
                    differences.add("%s.%s, %s: after image has columns %s"
                            .formatted(
                                    table, column.name(), kind, change.after().columns()));
                }
            }
        }
    }

    /** What the binlog has of what the server shows. */
    private String toDeliver(String table, Row row, String column) {
        String value = canonical(table, row, column);
        return value == null ? null : FixedBytes.STRIPPED.of(kind(table, column), value);
    }

    private String canonical(String table, Row row, String column) {
        String value = row.value(column);
        return value == null ? null : kind(table, column).canonical(value);
    }

    private String show(String table, Row row, String column) {
        String value = row.value(column);
        if (value == null) {
            return row.has(column) ? "NULL" : "no such column";
        }
        String shown = kind(table, column).show(value);
        return shown.length() > MAX_SHOWN ? shown.substring(0, MAX_SHOWN) + "..." : shown;
    }

    private ValueKind kind(String table, String column) {
        return kinds.get(table).getOrDefault(column, ValueKind.TEXT);
    }

    /** What was not as it must be, for people. */
    List<String> differences() {
        return differences;
    }

    @Override
    public String toString() {
        return cell + " in " + schema;
    }
}
