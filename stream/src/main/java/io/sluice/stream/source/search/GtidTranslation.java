package io.sluice.stream.source.search;

import io.sluice.mysql.binlog.EventBody;
import io.sluice.mysql.binlog.EventCode;
import io.sluice.mysql.binlog.EventHeader;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.transaction.TransactionTracker.Step;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.stream.source.server.BinlogScan;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Finds the transactions before a binlog position, so that a cursor without GTIDs keeps its position when the binlog is requested by GTIDs:
 * those at the head of the file, and those in the file up to the position.
 */
final class GtidTranslation implements BinlogScan.Visitor {
    private final FileTransactions transactions = new FileTransactions();
    private final long offset;
    private final boolean acked;
    private @Nullable GtidSet found;
    /** Whether the position is at the head of the file, before the event that states the transactions before it. */
    private boolean isAtHead;

    private GtidTranslation(long offset, boolean acked) {
        this.offset = offset;
        this.acked = acked;
    }

    /**
     * Finds them.
     *
     * @param acked whether the event at the position was delivered, as that at a cursor was; a transaction counts as delivered when its end
     *     was
     * @return null if the position is not between events, or a transaction before it has no GTID
     */
    static @Nullable GtidSet executedBefore(BinlogPosition point, boolean acked, BinlogScan scan) throws IOException {
        GtidTranslation translation = new GtidTranslation(point.offset(), acked);
        scan.scan(point.file(), translation);
        return translation.transactions.hasAnonymous() ? null : translation.found;
    }

    @Override
    public boolean visit(EventHeader header, EventBody body, long start, long end) {
        if (isAtHead) {
            return searchHead(header, body, start, end);
        }
        if (start > offset) {
            return false;
        }
        if (start == offset) {
            found = transactions.executed();
            if (found == null) {
                isAtHead = true;
                return searchHead(header, body, start, end);
            }
            Step step = transactions.accept(header, body, start, end);
            // All entries of a compressed transaction are at its position, its begin too.
            boolean isOwn = step == Step.ALONE && header.code() != EventCode.TRANSACTION_PAYLOAD;
            if (step == Step.ENDS || step == Step.ROWS_END || isOwn && acked) {
                found = transactions.withCurrent();
            }
            return false;
        }
        transactions.accept(header, body, start, end);
        if (end == offset) {
            found = transactions.executed(); // the position may be the file's end, where no event is
        }
        return true;
    }

    private boolean searchHead(EventHeader header, EventBody body, long start, long end) {
        Step step = transactions.accept(header, body, start, end);
        found = step == Step.OUTSIDE ? transactions.executed() : null;
        return found == null && step == Step.OUTSIDE;
    }
}
