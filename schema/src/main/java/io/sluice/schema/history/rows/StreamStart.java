package io.sluice.schema.history.rows;

import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.gtid.MariaDbGtid;
import io.sluice.mysql.gtid.MariaDbGtidSet;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The position at which a stream is about to begin reading, as the schema history needs it.
 *
 * @param source the server's identity: its {@code server_uuid}, or what takes its place
 * @param file the binlog file's name; empty if only the transactions say where it is
 * @param offset the offset of the first event to be read, in bytes
 * @param serverId the {@code server_id} at a cursor, or the source's own
 * @param timeMillis when the event there was written, in milliseconds since the epoch; 0 if that is not known
 * @param executed the transactions that will not be read; null if they are not known
 * @param byTransactions whether they decide what is read, and not the offset
 * @param epoch which binlog of the server it is in, from reset to reset; larger than that of older ones, and 0 if no reset is known
 * @param fileBegunSeconds when the file was begun, in seconds since the epoch, by which a snapshot that is written for it is recognized as of this
 *     binlog; 0 if that is not known
 * @param order of the transactions in the binlog of the server
 */
public record StreamStart(
        String source,
        String file,
        long offset,
        long serverId,
        long timeMillis,
        @Nullable GtidSet executed,
        boolean byTransactions,
        long epoch,
        long fileBegunSeconds,
        TransactionOrder order) {

    /**
     * A position in a file. Which transactions will not be read, and when the file was begun, is not known, and no reset of the binlog before it.
     *
     * @param file empty if only the transactions say where it is
     */
    public static StreamStart at(String source, String file, long offset, long serverId, long timeMillis) {
        return new StreamStart(source, file, offset, serverId, timeMillis, null, false, 0, 0, TransactionOrder.UNKNOWN);
    }

    /**
     * Returns a copy with the transactions that will not be read.
     *
     * @param transactions null if they are not known
     * @param isByThem whether they decide what is read, and not the offset
     */
    public StreamStart after(@Nullable GtidSet transactions, boolean isByThem) {
        return new StreamStart(
                source, file, offset, serverId, timeMillis, transactions, isByThem, epoch, fileBegunSeconds, order);
    }

    /** Returns a copy in the binlog of the server with the given epoch. */
    public StreamStart inEpoch(long number) {
        return new StreamStart(
                source, file, offset, serverId, timeMillis, executed, byTransactions, number, fileBegunSeconds, order);
    }

    /** Returns a copy with the given time, in milliseconds since the epoch. */
    public StreamStart withTimeMillis(long millis) {
        return new StreamStart(
                source, file, offset, serverId, millis, executed, byTransactions, epoch, fileBegunSeconds, order);
    }

    /** Returns a copy with the time at which the file was begun, in seconds since the epoch; 0 if it is not known. */
    public StreamStart inFileBegunAt(long seconds) {
        return new StreamStart(
                source, file, offset, serverId, timeMillis, executed, byTransactions, epoch, seconds, order);
    }

    /** Returns a copy that asks the server for the order of transactions. */
    public StreamStart ordered(TransactionOrder inBinlog) {
        return new StreamStart(
                source,
                file,
                offset,
                serverId,
                timeMillis,
                executed,
                byTransactions,
                epoch,
                fileBegunSeconds,
                inBinlog);
    }

    /**
     * Whether a transaction will not be read; null if that cannot be determined.
     *
     * @throws IOException if the server cannot be reached
     */
    public @Nullable Boolean passed(String gtid) throws IOException {
        Boolean passed = ordersByNumber(gtid) ? null : passedInBinlog(gtid);
        return passed == null ? passed(executed, gtid) : passed;
    }

    /** Whether a transaction will not be read as the binlog tells it, and not its number; null if that cannot be determined. */
    @Nullable Boolean passedInBinlog(String gtid) throws IOException {
        return isWithin(executed, gtid, order);
    }

    /** Whether the set tells, by numbers alone, if a transaction will not be read. */
    boolean ordersByNumber(String gtid) {
        return ordersByNumber(executed, gtid);
    }

    /** Whether the transactions that will not be read are of several domains of MariaDB: these may begin to be read at different places. */
    boolean hasSeveralDomains() {
        return executed instanceof MariaDbGtidSet set && set.hasSeveralDomains();
    }

    /**
     * Whether a set tells by numbers alone if it has a transaction: not of a domain of MariaDB in which it names one of another server, since servers may
     * number on their own there.
     */
    static boolean ordersByNumber(@Nullable GtidSet executed, String gtid) {
        if (!(executed instanceof MariaDbGtidSet set) || !GtidSet.isMariaDb(gtid)) {
            return true;
        }
        try {
            return set.isOrderedByNumber(MariaDbGtidSet.parse(gtid));
        } catch (IllegalArgumentException e) {
            return true;
        }
    }

    /** Whether a transaction is in a set of MariaDB, as the binlog tells; null if that cannot be determined. */
    public static @Nullable Boolean isWithin(@Nullable GtidSet set, String gtid, TransactionOrder order)
            throws IOException {
        return set instanceof MariaDbGtidSet own && GtidSet.isMariaDb(gtid)
                ? order.isWithin(own, MariaDbGtid.parse(gtid))
                : null;
    }

    /** Whether a transaction is in a set by its number; null if that cannot be determined. */
    static @Nullable Boolean passed(@Nullable GtidSet executed, String gtid) {
        if (gtid.isEmpty() || executed == null) {
            return null;
        }
        if (executed instanceof MariaDbGtidSet != GtidSet.isMariaDb(gtid)) {
            return null;
        }
        try {
            return executed.containsAll(GtidSet.parse(gtid));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    @Override
    public String toString() {
        return file.isEmpty() ? "after " + executed : file + ":" + offset;
    }
}
