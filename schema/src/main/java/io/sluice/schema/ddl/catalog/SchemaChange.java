package io.sluice.schema.ddl.catalog;

import io.sluice.schema.sql.UnreadableSqlException;
import io.sluice.schema.table.TableSchema;

/** A change of a table schema. */
@FunctionalInterface
public interface SchemaChange {
    /**
     * Returns the schema after the change.
     *
     * @throws UnreadableSqlException if the change does not match the schema before it
     */
    TableSchema apply(TableSchema before) throws UnreadableSqlException;
}
