package io.sluice.server.config;

import io.sluice.schema.filter.ColumnFilter;
import io.sluice.schema.filter.TableFilter;

/**
 * What an instance leaves out.
 *
 * @param include regular expressions of {@code schema.table}, separated by commas; blank keeps all
 * @param exclude the same, of tables to drop; blank drops none
 * @param keepColumns {@code schema.table:column/column}, separated by commas, of columns to keep; blank keeps all
 * @param dropColumns the same, of columns to drop; blank drops none
 * @param dropTransactionEntries whether begin and end are dropped before the store
 * @param dropDcl whether statements of type QUERY are dropped: DDL of schemas, and text that is not understood
 * @param dropDml whether DML that was logged as a statement is dropped, and the texts beside rows
 * @param dropDdl whether all statements are dropped (schemas are still kept up to date)
 * @param dropDdlOnly whether {@code dropDdl} spares DML that was logged as a statement
 * @param dropOther whether statements are dropped that are understood, but are about neither tables nor rows of them
 * @param parseStatements whether statements are read in full, not by their beginnings only
 * @param dropRows whether all rows are dropped
 * @param dropInserts whether inserted rows are dropped
 * @param dropUpdates whether updated rows are dropped
 * @param dropDeletes whether deleted rows are dropped
 * @param skipTableErrors whether rows are skipped whose table is gone, denied or of another shape, instead of stopping
 */
public record FilterConfig(
        String include,
        String exclude,
        String keepColumns,
        String dropColumns,
        boolean dropTransactionEntries,
        boolean dropDcl,
        boolean dropDml,
        boolean dropDdl,
        boolean dropDdlOnly,
        boolean dropOther,
        boolean parseStatements,
        boolean dropRows,
        boolean dropInserts,
        boolean dropUpdates,
        boolean dropDeletes,
        boolean skipTableErrors) {
    /** The filter that these texts describe. */
    public TableFilter tables() {
        return new TableFilter(include, exclude, new ColumnFilter(keepColumns, dropColumns));
    }
}
