package io.sluice.stream.differential;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;

/** The values of a row by the number of their column; some may be unknown. */
final class StoredRow {
    private final String[] values;
    private final BitSet unknown;

    private StoredRow(String[] values, BitSet unknown) {
        this.values = values;
        this.unknown = unknown;
    }

    /** A row whose values are known, null for NULL. */
    static StoredRow of(String... values) {
        return new StoredRow(values.clone(), new BitSet());
    }

    static StoredRow unknown(int columns) {
        BitSet unknown = new BitSet();
        unknown.set(0, columns);
        return new StoredRow(new String[columns], unknown);
    }

    StoredRow with(int column, String value) {
        StoredRow changed = copy();
        changed.values[column] = value;
        changed.unknown.clear(column);
        return changed;
    }

    StoredRow withoutKnowing(int column) {
        StoredRow changed = copy();
        changed.unknown.set(column);
        return changed;
    }

    private StoredRow copy() {
        return new StoredRow(values.clone(), (BitSet) unknown.clone());
    }

    /** Whether the value of a column is this one, or unknown. */
    boolean mayHave(int column, String value) {
        return unknown.get(column) || Objects.equals(values[column], value);
    }

    /** The columns in which another row, all of whose values are known, differs. */
    List<Integer> differences(StoredRow known) {
        List<Integer> columns = new ArrayList<>();
        for (int i = 0; i < values.length; i++) {
            if (!mayHave(i, known.values[i])) {
                columns.add(i);
            }
        }
        return columns;
    }

    /** The value of a column, for a report. */
    String show(int column) {
        return unknown.get(column) ? "*" : values[column] == null ? "NULL" : Shown.of(values[column]);
    }

    @Override
    public String toString() {
        List<String> shown = new ArrayList<>();
        for (int i = 0; i < values.length; i++) {
            shown.add(show(i));
        }
        return shown.toString();
    }
}
