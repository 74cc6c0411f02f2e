package io.sluice.schema.filter;

import io.sluice.protocol.pattern.MarkedSyntaxException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Decides which columns of a table are delivered: those of a keep list, or all but those of a drop list. A table in neither
 * keeps all; for one in both the drop list means nothing.
 *
 * <p>A list is {@code schema.table:column/column,schema.table:column}; names are compared in upper case, and are no
 * expressions. Immutable.
 */
public final class ColumnFilter {
    /** Lets all columns pass. */
    public static final ColumnFilter NONE = new ColumnFilter("", "");

    private final Map<String, Set<String>> keeps;
    private final Map<String, Set<String>> drops;

    /**
     * Makes a filter.
     *
     * @param keep the columns that pass, of the tables in it; empty for none
     * @param drop the columns that do not pass; empty for none
     * @throws MarkedSyntaxException if a list cannot be read
     */
    public ColumnFilter(String keep, String drop) {
        this.keeps = parse(keep);
        this.drops = parse(drop);
    }

    /** Whether a column is delivered. */
    public boolean passes(String schema, String table, String column) {
        String name = upper(schema + "." + table);
        Set<String> kept = keeps.get(name);
        if (kept != null) {
            return kept.contains(upper(column));
        }
        Set<String> dropped = drops.get(name);
        return dropped == null || !dropped.contains(upper(column));
    }

    /** Whether a keep list is what decides for a table; the drop list is, or nothing, otherwise. */
    public boolean isKept(String schema, String table) {
        return keeps.containsKey(upper(schema + "." + table));
    }

    /** The tables that a list names, in upper case. */
    public Set<String> namedTables() {
        Set<String> names = new TreeSet<>(keeps.keySet());
        names.addAll(drops.keySet());
        return names;
    }

    /** The columns that a list names for a table, in upper case; null if the table is in none. */
    public @Nullable Set<String> namedColumns(String schema, String table) {
        String name = upper(schema + "." + table);
        Set<String> kept = keeps.get(name);
        return kept != null ? kept : drops.get(name);
    }

    private static Map<String, Set<String>> parse(String list) {
        Map<String, Set<String>> columns = new HashMap<>();
        int from = 0;
        while (from <= list.length()) {
            int comma = list.indexOf(',', from);
            int to = comma < 0 ? list.length() : comma;
            if (!list.substring(from, to).isBlank()) {
                item(list, from, to, columns);
            }
            from = to + 1;
        }
        return Map.copyOf(columns);
    }

    private static void item(String list, int from, int to, Map<String, Set<String>> columns) {
        String item = list.substring(from, to);
        int colon = item.indexOf(':');
        if (colon < 0 || item.indexOf(':', colon + 1) >= 0) {
            int place = colon < 0 ? item.length() : item.indexOf(':', colon + 1);
            throw new MarkedSyntaxException(
                    list, from + place, "an entry is schema.table:column/column, with one colon");
        }
        String table = item.substring(0, colon).strip();
        if (table.indexOf('.') <= 0 || table.endsWith(".")) {
            throw new MarkedSyntaxException(list, from, "'" + table + "' is not a table with its schema");
        }
        List<String> names = List.of(item.substring(colon + 1).strip().split("/", -1));
        int at = from + item.indexOf(item.substring(colon + 1).strip(), colon + 1);
        for (String name : names) {
            if (name.isEmpty() || !name.equals(name.strip())) {
                String what = name.isBlank() ? "a column has no name" : "blanks beside '/' become part of a name";
                throw new MarkedSyntaxException(list, at, what);
            }
            at += name.length() + 1;
        }
        if (columns.put(
                        upper(table),
                        Set.copyOf(names.stream()
                                .map(ColumnFilter::upper)
                                .distinct()
                                .toList()))
                != null) {
            throw new MarkedSyntaxException(list, from, "'" + table + "' is in the list twice");
        }
    }

    private static String upper(String name) {
        return name.toUpperCase(Locale.ROOT);
    }
}
