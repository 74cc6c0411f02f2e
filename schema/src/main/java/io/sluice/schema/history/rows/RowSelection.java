package io.sluice.schema.history.rows;

/**
 * The rows that may matter beside a snapshot: those written after it, and those of events that are not much older.
 *
 * @param skipped only rows that followed it matter
 * @param isAll whether all of these may matter; the other components mean nothing then
 * @param afterId the id of the snapshot
 * @param fromMillis the time from which the events of older rows matter
 */
public record RowSelection(SkippedPart skipped, boolean isAll, long afterId, long fromMillis) {
    public static final RowSelection ALL = new RowSelection(SkippedPart.NONE, true, 0, 0);

    /** The rows beside a snapshot whose id is one of the common sequence. */
    public static RowSelection beside(HistorySnapshot snapshot, SkippedPart skipped) {
        return new RowSelection(
                skipped,
                false,
                snapshot.id(),
                snapshot.position().timeMillis() - HistoryPosition.MAX_STATEMENT.toMillis());
    }
}
