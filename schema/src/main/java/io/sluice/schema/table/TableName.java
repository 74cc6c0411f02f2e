package io.sluice.schema.table;

/**
 * A qualified table name, without quotes and in the case in which it was written.
 *
 * @param schema empty if a statement names none and its session had none
 * @param table the table
 */
public record TableName(String schema, String table) {
    @Override
    public String toString() {
        return schema + "." + table;
    }
}
