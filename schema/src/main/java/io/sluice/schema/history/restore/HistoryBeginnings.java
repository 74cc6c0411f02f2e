package io.sluice.schema.history.restore;

import io.sluice.protocol.position.BinlogPosition;
import io.sluice.schema.history.rows.HistoryPosition;
import io.sluice.schema.history.rows.HistorySnapshot;
import io.sluice.schema.history.rows.HistoryTables;
import io.sluice.schema.history.rows.SkippedPart;
import io.sluice.schema.history.rows.StreamStart;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The snapshots with which a history was begun: at its start, and wherever a part of what was to be read was skipped, so that DDL before them may be
 * missing. As {@link RecordedDdl}, it reads the database as it is now. For one thread.
 */
public final class HistoryBeginnings {
    private final HistoryTables tables;
    private final RecordedDdl recorded;
    private final HistoryScan scan;

    public HistoryBeginnings(HistoryTables tables, RecordedDdl recorded) {
        this.tables = tables;
        this.recorded = recorded;
        this.scan = new HistoryScan(tables);
    }

    /**
     * What was skipped before the newest beginning, if DDL of it may be missing for a stream that begins in another binlog. It may not if that
     * binlog was read beyond the start before that beginning. Otherwise where the start is among what was read before it and what was skipped is known by time
     * only.
     *
     * @param referredId the row to which the cursor at the start refers; 0 if there is none, or it does not count
     */
    SkippedPart skippedBefore(StreamStart start, long referredId) throws IOException {
        HistorySnapshot newest = newestBeginningElsewhere(start);
        return newest == null || wasReadBefore(newest, start, referredId)
                ? SkippedPart.NONE
                : SkippedPart.before(newest);
    }

    /** Whether a stream begins where its binlog was read before what was skipped before the newest beginning, which is in another one. */
    boolean returns(StreamStart start, long referredId) throws IOException {
        HistorySnapshot newest = newestBeginningElsewhere(start);
        return newest != null && wasReadBefore(newest, start, referredId);
    }

    private @Nullable HistorySnapshot newestBeginningElsewhere(StreamStart start) throws IOException {
        HistorySnapshot newest = start.byTransactions() ? null : newestBeginning();
        return newest == null || newest.position().isOfSameBinlog(start) ? null : newest;
    }

    private boolean wasReadBefore(HistorySnapshot beginning, StreamStart start, long referredId) throws IOException {
        return referredId > 0 && referredId < beginning.beginning() || recorded.reaches(start, beginning.beginning());
    }

    private @Nullable HistorySnapshot newestBeginning() throws IOException {
        HistorySnapshot newest = null;
        for (HistorySnapshot snapshot : tables.snapshots().all()) {
            if (snapshot.beginning() > (newest == null ? 0 : newest.beginning())) {
                newest = snapshot;
            }
        }
        return newest;
    }

    /**
     * When the event before the beginning of this history was written, or earlier, in milliseconds since the epoch: the newest one, if what was to be
     * read was skipped.
     *
     * @return 0 if that is not known: nothing was written, or canal has begun it
     * @throws IOException if its server cannot be reached
     */
    public long millis() throws IOException {
        HistorySnapshot newest = newestBeginning();
        HistorySnapshot beginning = beginning(newest == null ? 0 : newest.beginning());
        return beginning == null ? 0 : beginning.position().timeMillis();
    }

    /**
     * The oldest snapshot that has a position, from an id on: the DDL before it is not known. Null if there is none, or canal has written
     * the first one.
     */
    private @Nullable HistorySnapshot beginning(long fromId) throws IOException {
        HistorySnapshot oldest = null;
        for (HistorySnapshot snapshot : tables.snapshots().all()) {
            HistoryPosition position = snapshot.position();
            if (!position.isFirst() && snapshot.id() >= fromId) {
                if (oldest == null && position.source().isEmpty()) {
                    return null;
                }
                boolean isOlder = oldest == null
                        || position.timeMillis() < oldest.position().timeMillis();
                oldest = isOlder ? snapshot : oldest;
            }
        }
        return oldest;
    }

    /**
     * The beginning of this history, if the start is before it. Null if all DDL after the start is known, or that cannot be determined: the history
     * is canal's, or GTIDs decide what is read from another server.
     */
    @Nullable HistorySnapshot beginningAfter(StreamStart start, SkippedPart skipped) throws IOException {
        HistorySnapshot beginning = beginning(skipped.id());
        if (beginning == null || beginning.position().isAtOrBefore(start)) {
            return null;
        }
        return beginning.position().isOfSameBinlog(start) || !start.byTransactions() ? beginning : null;
    }

    /**
     * Up to where this history knows the DDL of a binlog before what was skipped after a position: {@link RecordedDdl#end} states
     * nothing about a part that was skipped before it.
     *
     * @return null if nothing was skipped after the position, according to this history
     * @throws IOException if its server cannot be reached
     */
    public @Nullable HistorySkip skipAfter(String source, long epoch, BinlogPosition position) throws IOException {
        HistorySnapshot beginning = nextBeginning(source, epoch, position);
        return beginning == null
                ? null
                : new HistorySkip(
                        endBefore(beginning),
                        new BinlogPosition(
                                beginning.position().file(),
                                beginning.position().offset()));
    }

    /** The beginning that is nearest after a position in a binlog of a source, and before which something was skipped; null if there is none. */
    private @Nullable HistorySnapshot nextBeginning(String source, long epoch, BinlogPosition after)
            throws IOException {
        HistorySnapshot nearest = null;
        for (HistorySnapshot snapshot : tables.snapshots().all()) {
            HistoryPosition position = snapshot.position();
            if (snapshot.beginning() > 0
                    && position.isIn(source, epoch)
                    && compare(position, after) > 0
                    && (nearest == null || HistoryPosition.IN_BINLOG.compare(position, nearest.position()) < 0)
                    && !wasReadBeyond(snapshot)) {
                nearest = snapshot;
            }
        }
        return nearest;
    }

    /** Whether a stream has returned there: something of the binlog was read at or after a beginning before that. */
    private boolean wasReadBeyond(HistorySnapshot beginning) throws IOException {
        HistoryPosition begin = beginning.position();
        return scan.newestId(
                        beginning.beginning(),
                        0,
                        position -> position.isIn(begin.source(), begin.epoch())
                                && HistoryPosition.IN_BINLOG.compare(position, begin) >= 0)
                > 0;
    }

    /**
     * The newest position before a beginning in its binlog, up to which its DDL is known; null if there is none, or another binlog was read after it and
     * before that beginning.
     */
    @Nullable HistoryEnd endBefore(HistorySnapshot beginning) throws IOException {
        String source = beginning.position().source();
        long epoch = beginning.position().epoch();
        long here = scan.newestId(beginning.beginning(), 0, position -> position.isIn(source, epoch));
        long elsewhere = scan.newestId(
                beginning.beginning(), here, position -> !position.source().isEmpty() && !position.isIn(source, epoch));
        return elsewhere > here
                ? null
                : recorded.end(
                        source,
                        epoch,
                        position -> HistoryPosition.IN_BINLOG.compare(position, beginning.position()) < 0);
    }

    private static int compare(HistoryPosition position, BinlogPosition other) {
        int order = HistoryPosition.compareFiles(position.file(), other.file());
        return order != 0 ? order : Long.compare(position.offset(), other.offset());
    }
}
