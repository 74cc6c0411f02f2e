package io.sluice.parse.source;

import io.sluice.parse.binlog.EventBody;
import io.sluice.parse.binlog.EventCode;
import io.sluice.parse.binlog.EventHeader;
import io.sluice.parse.gtid.ExecutedGtids;
import org.jspecify.annotations.Nullable;

/** Finds out what stands at an offset of a binlog file: a border between transactions, or not. */
final class BorderSearch implements BinlogScan.Visitor {
    private final TransactionWalk walk = new TransactionWalk();
    private final long offset;
    private long border = -1;
    private long nearest;
    private long seconds;
    private long serverId;
    private @Nullable ExecutedGtids executed;

    BorderSearch(long offset) {
        this.offset = offset;
    }

    @Override
    public boolean visit(EventHeader header, EventBody body, long start, long end) {
        if (start > offset) {
            return false;
        }
        boolean between = walk.isBetween();
        nearest = between ? start : walk.boundary();
        seconds = header.timestampSeconds();
        serverId = header.serverId();
        if (start == offset && between) {
            found(start);
            if (header.code() != EventCode.FORMAT_DESCRIPTION) {
                return false;
            }
        }
        TransactionWalk.Step step = walk.accept(header, body, start, end);
        if (border >= 0) { // at the head of a file, the transactions before it are told by what follows
            executed = walk.done();
            return executed == null && step == TransactionWalk.Step.OUTSIDE;
        }
        boolean atItsEnd = start == offset && step == TransactionWalk.Step.END; // where cursors stand
        if (atItsEnd || end == offset && walk.isBetween()) {
            found(end);
            return false;
        }
        return true;
    }

    private void found(long at) {
        border = at;
        executed = walk.done();
    }

    boolean isBorder() {
        return border >= 0;
    }

    /** The border at the offset, or behind the end of the transaction that ends there. */
    long border() {
        return border;
    }

    /** The border at or before the offset. */
    long nearest() {
        return nearest;
    }

    /** When the event at the border, or before it, was written, in seconds since the epoch. */
    long seconds() {
        return seconds;
    }

    long serverId() {
        return serverId;
    }

    /** The transactions before the border; null if they are not known. */
    @Nullable ExecutedGtids executed() {
        return executed;
    }
}
