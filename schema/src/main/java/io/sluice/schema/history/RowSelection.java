package io.sluice.schema.history;

/**
 * The rows that may matter beside a snapshot: those written after it, and those of events that are not much older.
 *
 * @param isAll whether all rows may matter; the other components mean nothing then
 * @param afterId the id of the snapshot
 * @param fromMillis the time from which the events of older rows matter
 */
record RowSelection(boolean isAll, long afterId, long fromMillis) {
    static final RowSelection ALL = new RowSelection(true, 0, 0);

    /** The rows beside a snapshot whose id is one of the common sequence. */
    static RowSelection beside(HistorySnapshot snapshot) {
        return new RowSelection(
                false, snapshot.id(), snapshot.position().timeMillis() - HistoryPosition.MAX_STATEMENT.toMillis());
    }
}
