package io.sluice.schema.history;

/**
 * The rows that may matter beside a snapshot: those written after it, and those of events that are not much older.
 *
 * @param gapId only rows with larger ids matter
 * @param isAll whether all of these may matter; the other components mean nothing then
 * @param afterId the id of the snapshot
 * @param fromMillis the time from which the events of older rows matter
 */
record RowSelection(long gapId, boolean isAll, long afterId, long fromMillis) {
    static final RowSelection ALL = new RowSelection(0, true, 0, 0);

    /** The rows beside a snapshot whose id is one of the common sequence. */
    static RowSelection beside(HistorySnapshot snapshot, long gapId) {
        return new RowSelection(
                gapId,
                false,
                snapshot.id(),
                snapshot.position().timeMillis() - HistoryPosition.MAX_STATEMENT.toMillis());
    }
}
