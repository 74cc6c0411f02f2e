package io.sluice.schema.ddl;

import io.sluice.schema.table.TableName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a statement does to the columns of a table.
 *
 * @param table the table; with an empty table name, all tables of a schema
 * @param created whether the table did not exist before the statement
 * @param complete whether the statement states all columns that the table has after it
 * @param origin the table that had the columns which the table has after it; null if it is none, or the table itself
 * @param copied whether the origin keeps them
 * @param added the names of the columns that it adds, if it does nothing else to the columns; null if it does
 */
public record TableEffect(
        TableName table,
        boolean created,
        boolean complete,
        @Nullable TableName origin,
        boolean copied,
        @Nullable List<String> added) {
    /** A change of columns. */
    static TableEffect change(TableName table) {
        return added(table, null);
    }

    /** The effect of a statement that merely adds columns, if their names are given. */
    static TableEffect added(TableName table, @Nullable List<String> names) {
        return new TableEffect(table, false, false, null, false, names);
    }

    /** The table has the columns that the statement names, or those of a query if it does not name them all. */
    static TableEffect made(TableName table, boolean created, boolean complete) {
        return new TableEffect(table, created, complete, null, false, null);
    }

    /** The table gets the columns of another one. */
    static TableEffect copy(TableName table, boolean created, TableName original) {
        return new TableEffect(table, created, false, original, true, null);
    }

    /** Another table gets its name. */
    static TableEffect renamed(TableName table, TableName former) {
        return new TableEffect(table, true, false, former, false, null);
    }

    /** Whether the columns that the table had before do not matter after it. */
    public boolean replacesAll() {
        return created || complete || origin != null;
    }
}
