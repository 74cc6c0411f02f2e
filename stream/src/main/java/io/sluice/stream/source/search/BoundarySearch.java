package io.sluice.stream.source.search;

import io.sluice.mysql.binlog.EventBody;
import io.sluice.mysql.binlog.EventCode;
import io.sluice.mysql.binlog.EventHeader;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.transaction.TransactionTracker.Step;
import io.sluice.stream.source.server.BinlogScan;
import org.jspecify.annotations.Nullable;

/** Checks whether an offset of a binlog file is a transaction boundary. */
public final class BoundarySearch implements BinlogScan.Visitor {
    private final FileTransactions transactions = new FileTransactions();
    private final long offset;
    private long boundary = -1;
    private long nearest;
    private long seconds;
    private long serverId;
    private long fileBegunSeconds;
    private @Nullable GtidSet executed;

    public BoundarySearch(long offset) {
        this.offset = offset;
    }

    @Override
    public boolean visit(EventHeader header, EventBody body, long start, long end) {
        if (start > offset) {
            return false;
        }
        if (header.code() == EventCode.FORMAT_DESCRIPTION) {
            fileBegunSeconds = header.timestampSeconds();
        }
        boolean between = transactions.isBetween();
        nearest = between ? start : transactions.boundary();
        seconds = header.timestampSeconds();
        serverId = header.serverId();
        if (start == offset && between) {
            setBoundary(start);
            if (header.code() != EventCode.FORMAT_DESCRIPTION) {
                return false;
            }
        }
        Step step = transactions.accept(header, body, start, end);
        if (boundary >= 0) { // at the head of a file, the transactions before it are stated by what follows
            executed = transactions.executed();
            return executed == null && step == Step.OUTSIDE;
        }
        boolean endsThere =
                start == offset && (step == Step.ENDS || step == Step.ALONE); // the position of canal's cursors
        if (endsThere || end == offset && transactions.isBetween()) {
            setBoundary(end);
            return false;
        }
        return true;
    }

    private void setBoundary(long at) {
        boundary = at;
        executed = transactions.executed();
    }

    public boolean isBoundary() {
        return boundary >= 0;
    }

    /** The boundary at the offset, or after the end of the transaction that ends there. */
    public long boundary() {
        return boundary;
    }

    /** The boundary at or before the offset. */
    public long nearest() {
        return nearest;
    }

    /** When the event at the boundary, or before it, was written, in seconds since the epoch. */
    long seconds() {
        return seconds;
    }

    long serverId() {
        return serverId;
    }

    /** When the file was begun, in seconds since the epoch; 0 if that is not known. */
    long fileBegunSeconds() {
        return fileBegunSeconds;
    }

    /** The transactions before the boundary; null if they are not known. */
    @Nullable GtidSet executed() {
        return executed;
    }
}
