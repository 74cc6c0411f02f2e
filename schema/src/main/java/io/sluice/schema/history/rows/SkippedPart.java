package io.sluice.schema.history.rows;

import org.jspecify.annotations.Nullable;

/**
 * What was not read before the newest beginning of a history, so that DDL may be missing between the rows from before it and those that followed.
 *
 * @param id of the snapshot of that beginning; 0 if nothing was skipped that matters
 * @param end the position of that beginning; null if nothing was skipped that matters
 */
public record SkippedPart(long id, @Nullable HistoryPosition end) {
    public static final SkippedPart NONE = new SkippedPart(0, null);

    /** The part before a beginning. */
    public static SkippedPart before(HistorySnapshot beginning) {
        return new SkippedPart(beginning.beginning(), beginning.position());
    }

    /**
     * Whether a row is of what followed: it was written later, or it is after the end in the same binlog, and has its id since it was read there
     * before, too.
     */
    public boolean isFollowedBy(long rowId, HistoryPosition row) {
        return rowId >= id
                || end != null
                        && !end.source().isEmpty()
                        && end.source().equals(row.source())
                        && HistoryPosition.IN_BINLOG.compare(row, end) >= 0;
    }
}
