package io.sluice.schema.ddl;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a statement does to the columns of a table.
 *
 * @param table the table; with an empty table name, all tables of a schema
 * @param created whether the table did not exist before the statement
 * @param added the names of the columns that it adds, if it does nothing else to the columns; null if it does
 */
public record TableEffect(
        TableName table, boolean created, @Nullable List<String> added) {
    /** One that does not merely add columns. */
    public TableEffect(TableName table, boolean created) {
        this(table, created, null);
    }
}
