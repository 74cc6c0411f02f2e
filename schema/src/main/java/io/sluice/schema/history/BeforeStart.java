package io.sluice.schema.history;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Determines what of a history is before the start of a stream: by position in the same binlog, in others by GTID, or else by time. The stream
 * reads a DDL of another binlog again that is older by its time than rows before it, so statements that were found after the start count as after it. For
 * one thread.
 */
final class BeforeStart {
    private final HistoryTables tables;
    private final StreamStart start;
    private final SkippedPart skipped;
    private final LaterRows later;
    /** Where the stream came from another binlog last, at or before the start; null if that is not known. */
    private final @Nullable HistorySnapshot arrival;
    /** Whether the stream came to another binlog since, and is not there now. */
    private boolean isArrivalLeft;

    /**
     * Finds out what can be told by positions.
     *
     * @param referredId as in {@link SchemaHistory#restore(SchemaTracker, StreamStart, long)}
     * @param found statements that come after the start
     */
    BeforeStart(HistoryTables tables, HistoryExtent extent, StreamStart start, long referredId, LaterStatements found)
            throws IOException {
        this.tables = tables;
        this.start = start;
        this.skipped = extent.skippedBefore(start, referredId);
        this.later = found.isEmpty() ? LaterRows.NONE : LaterRows.of(olderByTime((id, position) -> true), found);
        this.arrival = extent.returns(start, referredId) ? null : newestArrival();
    }

    /** Rows of other binlogs whose times alone are before the start, by not more than a statement takes. */
    private OrderedRows olderByTime(OrderedRows.Choice choice) throws IOException {
        RowSelection young = new RowSelection(
                skipped, false, Long.MAX_VALUE, start.timeMillis() - HistoryPosition.MAX_STATEMENT.toMillis());
        return new OrderedRows(
                tables,
                young,
                (id, position) ->
                        position.isKnownByTime(start) && position.isBefore(start) && choice.isWanted(id, position));
    }

    private @Nullable HistorySnapshot newestArrival() throws IOException {
        HistorySnapshot newest = null;
        long newestElsewhere = 0;
        for (HistorySnapshot snapshot : tables.snapshots()) {
            if (isElsewhere(snapshot)) {
                newestElsewhere = Math.max(newestElsewhere, snapshot.arrival());
            } else if (snapshot.arrival() > (newest == null ? 0 : newest.arrival()) && isAtOrBefore(snapshot)) {
                newest = snapshot;
            }
        }
        isArrivalLeft = newestElsewhere > (newest == null ? 0 : newest.arrival());
        return newest;
    }

    /** Whether it is an arrival of which nothing tells whether the start is after it. */
    private boolean isElsewhere(HistorySnapshot snapshot) {
        return snapshot.arrival() > 0 && !start.byTime() && !snapshot.position().isOfSameBinlog(start);
    }

    private boolean isAtOrBefore(HistorySnapshot snapshot) {
        return snapshot.id() >= skipped.id()
                && !isElsewhere(snapshot)
                && snapshot.isAtOrBefore(start)
                && (snapshot.position().isOfSameBinlog(start) || !later.isIn(snapshot));
    }

    /** Whether the stream came to another binlog after all that matters, and is not there now: what follows is not of that. */
    boolean isArrivalLeft() {
        return isArrivalLeft;
    }

    /** What was skipped before what the start is in. */
    SkippedPart skipped() {
        return skipped;
    }

    /** Whether a row of another binlog is before the start by its time alone, so that its statement may come after it nevertheless. */
    boolean hasRowsByTime() throws IOException {
        return start.timeMillis() != 0 && !olderByTime(this::matters).isEmpty();
    }

    /** Whether the table schemas of a snapshot are those of the start, or of before, and of what matters. */
    boolean isUsable(HistorySnapshot snapshot) {
        return isAtOrBefore(snapshot) && matters(snapshot.id(), snapshot.position());
    }

    /** Whether a row is before the start and matters. */
    boolean has(long id, HistoryPosition position) {
        return position.isBefore(start)
                && !(position.isKnownByTime(start) && later.has(position))
                && (position.isKnownByTransaction(start) || matters(id, position));
    }

    /** Whether time alone tells whether a row or snapshot, which matters, is before the start. */
    boolean isByTime(long id, HistoryPosition position) {
        return start.timeMillis() != 0 && position.isKnownByTime(start) && matters(id, position);
    }

    /** Whether something is not from before the arrival. */
    private boolean matters(long id, HistoryPosition position) {
        return arrival == null || arrival.isFollowedBy(id, position);
    }
}
