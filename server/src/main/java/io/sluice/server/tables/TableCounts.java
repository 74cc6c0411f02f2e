package io.sluice.server.tables;

/**
 * What was delivered of one table, or of all that are not counted one by one, since it is counted.
 *
 * @param schema of the table; empty for the others
 * @param table its name; {@link #OTHERS} for the others
 * @param inserts rows that were inserted
 * @param updates rows that were updated
 * @param deletes rows that were deleted
 * @param bytes of the entries that held them, as the store counts them
 * @param lastChangeMillis when the newest of these was written at the source, in milliseconds since the epoch; 0 if there was none
 */
public record TableCounts(
        String schema, String table, long inserts, long updates, long deletes, long bytes, long lastChangeMillis) {
    /** The name of all tables that are not counted one by one. A schema's name is never empty, so no table is mistaken for it. */
    public static final String OTHERS = "(other)";

    /** All rows. */
    public long rows() {
        return inserts + updates + deletes;
    }
}
