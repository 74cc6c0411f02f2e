package io.sluice.stream.mapping;

import io.sluice.schema.table.TableName;

/** Called for each table with rows. */
@FunctionalInterface
public interface TableListener {
    /**
     * Rows of a table follow, whether the filter passes it or not. Called before the first ones, before the first ones after its columns were changed, and
     * perhaps again in between.
     *
     * @param isNamed whether the binlog names their columns, as with {@code binlog_row_metadata=FULL}
     */
    void rows(TableName table, boolean isNamed);
}
