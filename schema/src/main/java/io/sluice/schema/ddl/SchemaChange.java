package io.sluice.schema.ddl;

import io.sluice.schema.sql.UnreadableSqlException;
import io.sluice.schema.table.TableSchema;

/** A change of a table schema. */
@FunctionalInterface
interface SchemaChange {
    /**
     * Returns the schema after the change.
     *
     * @throws UnreadableSqlException if the change does not match the schema before it
     */
    TableSchema apply(TableSchema before) throws UnreadableSqlException;
}
