package io.sluice.server.config;

/**
 * What an instance leaves out.
 *
 * @param include regular expressions of {@code schema.table}, separated by commas; blank keeps all
 * @param exclude the same, of tables to drop; blank drops none
 * @param dropTransactionEntries whether begin and end are dropped before the store
 * @param dropDcl whether statements that are neither DML nor DDL are dropped
 * @param dropDml whether DML that was logged as a statement is dropped
 * @param dropDdl whether DDL is dropped (schemas are still kept up to date)
 * @param dropRows whether all rows are dropped
 * @param dropInserts whether inserted rows are dropped
 * @param dropUpdates whether updated rows are dropped
 * @param dropDeletes whether deleted rows are dropped
 * @param skipTableErrors whether rows are skipped whose table is gone, denied or of another shape, instead of stopping
 */
public record FilterConfig(
        String include,
        String exclude,
        boolean dropTransactionEntries,
        boolean dropDcl,
        boolean dropDml,
        boolean dropDdl,
        boolean dropRows,
        boolean dropInserts,
        boolean dropUpdates,
        boolean dropDeletes,
        boolean skipTableErrors) {}
