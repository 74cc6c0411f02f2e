package io.sluice.format.split;

import java.util.List;

/**
 * The columns that rows are split by.
 *
 * @param primary whether the columns of the table's primary key count; then {@code columns} is empty
 * @param columns their names, in the order in which the rule names them
 */
public record RowKey(boolean primary, List<String> columns) {
    /** The columns of the primary key. */
    public static final RowKey PRIMARY = new RowKey(true, List.of());

    public RowKey {
        columns = List.copyOf(columns);
        if (primary == !columns.isEmpty()) {
            throw new IllegalArgumentException("a key is either the primary one or of at least one column: " + columns);
        }
    }

    /** Columns by their names. */
    public static RowKey of(List<String> columns) {
        return new RowKey(false, columns);
    }
}
