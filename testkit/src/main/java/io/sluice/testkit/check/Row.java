package io.sluice.testkit.check;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/** A row's values by their column, as texts; a column may be absent, which is not the same as null. */
public final class Row {
    private final Columns columns;
    private final @Nullable String[] values;

    Row(Columns columns, @Nullable String[] values) {
        this.columns = columns;
        this.values = values;
    }

    /** A row of its own columns, in the map's order. */
    public static Row of(Map<String, ? extends @Nullable String> values) {
        return new Row(
                new Columns(List.copyOf(values.keySet())), values.values().toArray(new String[0]));
    }

    /** The names of the columns that are there. */
    public List<String> columns() {
        return columns.names();
    }

    /** Whether the column is there. */
    public boolean has(String column) {
        return columns.has(column);
    }

    /** The column's text; null if it is NULL or absent. */
    public @Nullable String value(String column) {
        int index = columns.indexOf(column);
        return index < 0 ? null : values[index];
    }

    /** The values of some columns, in the order asked for. */
    public List<@Nullable String> values(List<String> names) {
        List<@Nullable String> picked = new ArrayList<>(names.size());
        for (String name : names) {
            picked.add(value(name));
        }
        return Collections.unmodifiableList(picked);
    }

    boolean hasAll(List<String> names) {
        return names.stream().allMatch(columns::has);
    }

    /** A row of the same columns, whose texts a function makes of a column's name and text; what is null stays so. */
    Row map(BinaryOperator<String> function) {
        @Nullable String[] mapped = new String[values.length];
        for (int i = 0; i < mapped.length; i++) {
            String value = values[i];
            mapped[i] = value == null ? null : function.apply(columns.names().get(i), value);
        }
        return new Row(columns, mapped);
    }

    /** This row, with the columns it lacks taken from another. */
    Row completedBy(Row other) {
        if (hasAll(other.columns())) {
            return this;
        }
        List<String> names = new ArrayList<>(other.columns());
        columns().stream().filter(name -> !other.has(name)).forEach(names::add);
        @Nullable String[] merged = new String[names.size()];
        for (int i = 0; i < merged.length; i++) {
            String name = names.get(i);
            merged[i] = has(name) ? value(name) : other.value(name);
        }
        return new Row(new Columns(names), merged);
    }

    /** The columns, among those that both have, in which the two differ. */
    List<String> differingColumns(Row other) {
        List<String> differing = new ArrayList<>();
        for (String name : columns()) {
            if (other.has(name) && !Objects.equals(value(name), other.value(name))) {
                differing.add(name);
            }
        }
        return differing;
    }

    @Override
    public boolean equals(@Nullable Object o) {
        return o instanceof Row other
                && columns.names().equals(other.columns.names())
                && Arrays.equals(values, other.values);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(values);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("{");
        for (int i = 0; i < values.length; i++) {
            text.append(i == 0 ? "" : ", ")
                    .append(columns.names().get(i))
                    .append(": ")
                    .append(values[i]);
        }
        return text.append('}').toString();
    }
}
