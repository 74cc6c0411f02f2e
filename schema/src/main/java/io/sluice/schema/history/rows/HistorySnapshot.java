package io.sluice.schema.history.rows;

import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.gtid.MariaDbGtid;
import io.sluice.mysql.gtid.MariaDbGtidSet;
import java.io.IOException;
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
public record HistorySnapshot(
        long id, HistoryPosition position, @Nullable GtidSet executed, long beginning, long writtenMillis) {
    /** The key of the transactions in what is stored with a snapshot. */
    static final String EXECUTED = "executed";

    /** The key of {@link #beginning} there. */
    static final String BEGINNING = "beginning";

    /** The key of {@link #writtenMillis} there. */
    public static final String WRITTEN = "written";

    /**
     * Whether its table schemas are certainly not newer than those where a stream begins.
     *
     * @throws IOException if the server cannot be reached
     */
    public boolean isAtOrBefore(StreamStart start) throws IOException {
        GtidSet before = start.executed();
        boolean isSame = position.isOfSameBinlog(start);
        Boolean has = isPlace(isSame) ? null : hasAll(before, transactions(), start.order());
        if (has != null) {
            return has;
        }
        return executed != null && before != null && isComparable(executed, before, isSame)
                ? before.containsAll(executed)
                : position.isAtOrBefore(start);
    }

    /**
     * Whether it is newer than another one that is not after the start of the same stream either.
     *
     * @param order that of the server that the stream reads
     * @throws IOException if the server cannot be reached
     */
    public boolean isNewer(HistorySnapshot than, TransactionOrder order) throws IOException {
        if (position.isFirst() || than.position.isFirst()) {
            return than.position.isFirst();
        }
        boolean isSame = position.source().equals(than.position.source());
        if (!isSame) {
            Boolean has = hasAll(transactions(), than.transactions(), order);
            Boolean isHad = hasAll(than.transactions(), transactions(), order);
            if (has != null && isHad != null && !has.equals(isHad)) {
                return has;
            }
        }
        if (executed != null && than.executed != null && isComparable(executed, than.executed, isSame)) {
            boolean hasAll = executed.containsAll(than.executed);
            if (hasAll != than.executed.containsAll(executed)) {
                return hasAll;
            }
        }
        int byPosition = isSame
                ? HistoryPosition.IN_BINLOG.compare(position, than.position)
                : Long.compare(position.timeMillis(), than.position.timeMillis());
        return byPosition == 0 ? id > than.id : byPosition > 0;
    }

    /**
     * Whether it holds what a row did.
     *
     * @param order that of the server that a stream reads for which the table schemas are restored
     * @throws IOException if the server cannot be reached
     */
    public boolean covers(HistoryPosition row, TransactionOrder order) throws IOException {
        if (position.isFirst()) {
            return false;
        }
        boolean isSame = row.source().equals(position.source());
        MariaDbGtidSet own = transactions();
        if (!isPlace(isSame) && !StreamStart.ordersByNumber(own, row.gtid())) {
            Boolean within = StreamStart.isWithin(own, row.gtid(), order);
            if (within != null) {
                return within;
            }
        }
        Boolean passed = isSame && !StreamStart.ordersByNumber(executed, row.gtid())
                ? null
                : StreamStart.passed(executed, row.gtid());
        if (passed != null) {
            return passed;
        }
        if (isSame) {
            return HistoryPosition.IN_BINLOG.compare(row, position) < 0;
        }
        int byNumber = row.compareTransactions(position);
        return byNumber == 0 ? row.timeMillis() < position.timeMillis() : byNumber < 0;
    }

    /** Whether its position is the place of all that it holds, for what is in one binlog: not if it was written where domains begin at different places. */
    private boolean isPlace(boolean isSame) {
        return isSame && !(executed instanceof MariaDbGtidSet own && own.hasSeveralDomains());
    }

    /** Up to where it is by transactions of MariaDB: those that it holds, or else the one before which it was written; null if it is not known. */
    private @Nullable MariaDbGtidSet transactions() {
        if (executed != null) {
            return executed instanceof MariaDbGtidSet own ? own : null;
        }
        try {
            return GtidSet.isMariaDb(position.gtid()) ? MariaDbGtidSet.parse(position.gtid()) : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** Whether one set has all of another one of MariaDB where numbers do not tell; null if they do, or it cannot be determined. */
    private static @Nullable Boolean hasAll(
            @Nullable GtidSet set, @Nullable MariaDbGtidSet other, TransactionOrder order) throws IOException {
        if (!(set instanceof MariaDbGtidSet own) || other == null || own.isOrderedByNumber(other)) {
            return null;
        }
        for (MariaDbGtid gtid : other.newest()) {
            MariaDbGtid named = own.newestOf(gtid.domain());
            Boolean has = named == null || named.server() == gtid.server()
                    ? Boolean.valueOf(own.contains(gtid))
                    : order.isWithin(own, gtid);
            if (has == null || !has) {
                return has;
            }
        }
        return true;
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
