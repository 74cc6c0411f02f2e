package io.sluice.schema.ddl;

/**
 * What a statement does to the columns of a table.
 *
 * @param table the table; with an empty table name, all tables of a schema
 * @param created whether the table did not exist before the statement
 */
public record TableEffect(TableName table, boolean created) {}
