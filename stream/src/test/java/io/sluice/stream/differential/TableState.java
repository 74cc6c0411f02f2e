package io.sluice.stream.differential;

import java.util.List;

/**
 * The columns and rows of a table at one time.
 *
 * @param rows values in the order of the columns, null for NULL
 * @param follows whether a foreign key may change its rows, which servers do not log
 */
record TableState(List<ColumnState> columns, List<StoredRow> rows, boolean follows) {
    TableState {
        columns = List.copyOf(columns);
        rows = List.copyOf(rows);
    }

    /** Whether both have the same rows, in any order. */
    boolean hasSameRows(TableState other) {
        return rows.stream()
                .map(StoredRow::toString)
                .sorted()
                .toList()
                .equals(other.rows.stream().map(StoredRow::toString).sorted().toList());
    }
}
