package io.sluice.testkit.check;

import org.jspecify.annotations.Nullable;

/**
 * Something that the table holds and the delivered changes do not state, or the other way round.
 *
 * @param key the row's key, or the whole row in a table without key; empty if it is about the table
 * @param column null if it is about the row
 * @param type the column's type
 * @param expected what the table holds
 * @param actual what the changes state
 */
public record StateDifference(
        Kind kind,
        TableId table,
        String key,
        @Nullable String column,
        @Nullable String type,
        @Nullable String expected,
        @Nullable String actual) {
    /** What differs. */
    public enum Kind {
        /** The table holds a row that was never delivered, or is delivered as deleted. */
        LOST_ROW,
        /** A row was delivered that the table does not hold. */
        EXTRA_ROW,
        /** A value differs. */
        WRONG_VALUE,
        /** The table has a column that the delivered row lacks. */
        MISSING_COLUMN,
        /** The delivered row has a column that the table lacks. */
        EXTRA_COLUMN,
        /** A table was delivered that does not exist. */
        EXTRA_TABLE
    }

    @Override
    public String toString() {
        return column == null
                ? "%s: %s %s".formatted(kind, table, key)
                : "%s: %s %s column %s %s: expected <%s> but was <%s>"
                        .formatted(kind, table, key, column, type, expected, actual);
    }
}
