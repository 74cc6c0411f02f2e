package io.sluice.testkit.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A table that a workload makes: its key, its version column, and columns with values of their types.
 *
 * @param key the key's columns with their types, none for a table without key
 * @param keyOf the key's values, as written in a statement, of the row with a number
 */
record TableShape(
        String name,
        List<String> key,
        List<String> keyTypes,
        Function<Long, List<String>> keyOf,
        List<Column> columns) {
    /** A column: its definition, and what makes a value. */
    record Column(String name, String type, boolean nullable, Function<Literals, String> value) {
        String literal(Literals literals) {
            return nullable && literals.oneIn(8) ? "NULL" : value.apply(literals);
        }
    }

    boolean hasKey() {
        return !key.isEmpty();
    }

    String createStatement(String schema) {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < key.size(); i++) {
            lines.add(key.get(i) + " " + keyTypes.get(i) + " NOT NULL");
        }
        lines.add("version BIGINT NOT NULL");
        columns.forEach(c -> lines.add("%s %s %s".formatted(c.name(), c.type(), c.nullable() ? "NULL" : "NOT NULL")));
        lines.add(hasKey() ? "PRIMARY KEY (" + String.join(", ", key) + ")" : "KEY (version)");
        return "CREATE TABLE %s.%s (%s)".formatted(schema, name, String.join(", ", lines));
    }

    String columnList() {
        List<String> names = new ArrayList<>(key);
        names.add("version");
        columns.forEach(c -> names.add(c.name()));
        return String.join(", ", names);
    }

    String values(long row, long version, Literals literals) {
        List<String> values = new ArrayList<>(hasKey() ? keyOf.apply(row) : List.of());
        values.add(Long.toString(version));
        columns.forEach(c -> values.add(c.literal(literals)));
        return "(" + String.join(", ", values) + ")";
    }

    /** What finds a row: its key, or, without one, its version. */
    String condition(long row) {
        if (!hasKey()) {
            return "version = " + row;
        }
        List<String> values = keyOf.apply(row);
        List<String> terms = new ArrayList<>();
        for (int i = 0; i < key.size(); i++) {
            terms.add(key.get(i) + " = " + values.get(i));
        }
        return String.join(" AND ", terms);
    }
}
