package io.sluice.server.check;

import java.util.List;

/**
 * The columns of one table that would be delivered.
 *
 * @param schema its schema
 * @param table its name
 * @param delivered whether its rows are
 * @param reason the key, and the expression in it, that decided
 * @param columns those that are delivered; of a table that is not, none
 * @param leftOut the other columns of a table that is delivered
 * @param columnsReason the key that leaves them out; empty if none are left out
 */
public record TableReport(
        String schema,
        String table,
        boolean delivered,
        String reason,
        List<String> columns,
        List<String> leftOut,
        String columnsReason) {
    public TableReport {
        columns = List.copyOf(columns);
        leftOut = List.copyOf(leftOut);
    }

    /** {@code schema.table}. */
    public String name() {
        return schema + "." + table;
    }
}
