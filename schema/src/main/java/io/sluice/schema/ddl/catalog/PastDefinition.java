package io.sluice.schema.ddl.catalog;

import io.sluice.schema.table.TableSchema;
import io.sluice.schema.table.TableText;

/**
 * The definition that a table had at an event.
 *
 * @param createStatement the definition as a {@code CREATE TABLE}
 * @param isRecorded whether the recorder has it already
 */
record PastDefinition(TableSchema table, String createStatement, boolean isRecorded) {
    /** The definition of a table schema that was derived here, and is not recorded. */
    static PastDefinition derived(TableSchema table) {
        return new PastDefinition(table, TableText.of(table), false);
    }
}
