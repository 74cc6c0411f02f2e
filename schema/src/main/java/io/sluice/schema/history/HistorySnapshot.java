package io.sluice.schema.history;

import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.gtid.MariaDbGtidSet;
import org.jspecify.annotations.Nullable;

/**
 * The position of a snapshot of all table schemas in the history, without its contents, which are read when needed.
 *
 * @param id its id
 * @param position the event before which the table schemas were as in the snapshot
 * @param executed the transactions whose DDL it holds, if the stream was there by GTIDs: some may be after the position; null if the position
 *     alone decides
 * @param beginning if DDL before it may be missing, since what came before was not read, or was skipped: the id that the first snapshot of its position
 *     had, so that rows with larger ids are of what followed; 0 if none is missing
 * @param writtenMillis when the first snapshot of its position was written, by the clock of the server that wrote it, in milliseconds since the
 *     epoch; 0 if that is not known: the time of the position is of the source's clock
 */
record HistorySnapshot(
        long id, HistoryPosition position, @Nullable GtidSet executed, long beginning, long writtenMillis) {
    /** The key of the transactions in what is stored with a snapshot. */
    static final String EXECUTED = "executed";

    /** The key of {@link #beginning} there. */
    static final String BEGINNING = "beginning";

    /** The key of {@link #writtenMillis} there. */
    static final String WRITTEN = "written";

    /** Whether its table schemas are certainly not newer than those where a stream begins. */
    boolean isAtOrBefore(StreamStart start) {
        GtidSet before = start.executed();
        return executed != null && before != null && isComparable(executed, before, position.isOfSameBinlog(start))
                ? before.containsAll(executed)
                : position.isAtOrBefore(start);
    }

    /** Whether it is newer than another one that is not after the start of the same stream either. */
    boolean isNewer(HistorySnapshot than) {
        if (position.isFirst() || than.position.isFirst()) {
            return than.position.isFirst();
        }
        if (executed != null
                && than.executed != null
                && isComparable(executed, than.executed, position.source().equals(than.position.source()))) {
            boolean hasAll = executed.containsAll(than.executed);
            if (hasAll != than.executed.containsAll(executed)) {
                return hasAll;
            }
        }
        int order = position.source().equals(than.position.source())
                ? HistoryPosition.IN_BINLOG.compare(position, than.position)
                : Long.compare(position.timeMillis(), than.position.timeMillis());
        return order == 0 ? id > than.id : order > 0;
    }

    /** Whether it holds what a row did. */
    boolean covers(HistoryPosition row) {
        if (position.isFirst()) {
            return false;
        }
        boolean isSame = row.source().equals(position.source());
        Boolean passed = isSame && !StreamStart.ordersByNumber(executed, row.gtid())
                ? null
                : StreamStart.passed(executed, row.gtid());
        if (passed != null) {
            return passed;
        }
        if (isSame) {
            return HistoryPosition.IN_BINLOG.compare(row, position) < 0;
        }
        int order = row.compareTransactions(position);
        return order == 0 ? row.timeMillis() < position.timeMillis() : order < 0;
    }

    /**
     * Whether two sets tell the order of what they are of.
     *
     * @param isSame whether that is in one binlog, so that positions tell it where numbers of MariaDB do not
     */
    private static boolean isComparable(GtidSet one, GtidSet other, boolean isSame) {
        if (one instanceof MariaDbGtidSet first && other instanceof MariaDbGtidSet second) {
            return !isSame || first.isOrderedByNumber(second);
        }
        return one instanceof MariaDbGtidSet == other instanceof MariaDbGtidSet;
    }
}
