package io.sluice.server.check;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A row that an operator has written down.
 *
 * @param text as written: {@code column=value,column=value}
 * @param values by column; null for NULL
 */
public record GivenRow(String text, Map<String, @Nullable String> values) {
    public GivenRow {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    /**
     * Reads one. A column without a sign of equality is NULL; a backslash takes from the next sign what it means.
     *
     * @throws IllegalArgumentException if a column has no name, or comes twice
     */
    public static GivenRow parse(String text) {
        Map<String, @Nullable String> values = new LinkedHashMap<>();
        StringBuilder part = new StringBuilder();
        String column = null;
        for (int i = 0; i <= text.length(); i++) {
            char c = i < text.length() ? text.charAt(i) : ',';
            if (i == text.length() || c == ',') {
                put(values, column == null ? part.toString() : column, column == null ? null : part.toString());
                column = null;
                part.setLength(0);
            } else if (c == '=' && column == null) {
                column = part.toString();
                part.setLength(0);
            } else if (c == '\\' && i + 1 < text.length()) {
                i++;
                part.append(text.charAt(i));
            } else {
                part.append(c);
            }
        }
        return new GivenRow(text, values);
    }

    private static void put(Map<String, @Nullable String> values, String column, @Nullable String value) {
        String name = column.strip();
        if (name.isEmpty()) {
            throw new IllegalArgumentException("a row is column=value,column=value: a column has no name");
        }
        if (values.containsKey(name)) {
            throw new IllegalArgumentException("the row has the column " + name + " twice");
        }
        values.put(name, value);
    }

    /** The name under which a column is here; null if it is not. */
    @Nullable String find(String column, boolean ignoreCase) {
        for (String name : values.keySet()) {
            if (ignoreCase ? name.equalsIgnoreCase(column) : name.equals(column)) {
                return name;
            }
        }
        return null;
    }

    /** All values, and null for NULL. */
    List<@Nullable String> all() {
        return new ArrayList<>(values.values());
    }
}
