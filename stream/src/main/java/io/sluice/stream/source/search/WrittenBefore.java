package io.sluice.stream.source.search;

import io.sluice.mysql.binlog.EventBody;
import io.sluice.mysql.binlog.EventCode;
import io.sluice.mysql.binlog.EventHeader;
import io.sluice.mysql.binlog.MalformedEventException;
import io.sluice.mysql.transaction.TransactionTracker.Step;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.stream.source.server.BinlogScan;
import java.io.IOException;

/**
 * The event before a position of a binlog.
 *
 * @param serverId the {@code server_id} of the server that wrote it
 * @param seconds when it was written, in seconds since the epoch; in the head of a file, when that was begun
 * @param startSeconds the same, or if that is earlier, the time of the first event of the transaction after the position: a statement is in
 *     the binlog where it ends, with the time of its start. Another server that is read from that time on has both
 * @param fileBegunSeconds when the file was begun; 0 if it ends before the position, which therefore may be one of another file
 */
record WrittenBefore(long serverId, long seconds, long startSeconds, long fileBegunSeconds) {
    /**
     * Looks through the file of a position. If the server does not send all of it, since some transactions have no GTID, or an event cannot be read,
     * its begin counts.
     */
    static WrittenBefore of(BinlogPosition position, BinlogScan scan) throws IOException {
        Search search = new Search(position.offset());
        try {
            scan.scan(position.file(), search);
        } catch (IOException e) {
            if (search.begunSeconds == 0 || !(e instanceof ServerErrorException) && !isOfUnreadableEvent(e)) {
                throw e;
            }
            return new WrittenBefore(
                    search.begunServerId, search.begunSeconds, search.begunSeconds, search.begunSeconds);
        }
        return new WrittenBefore(
                search.serverId,
                search.seconds,
                Math.min(search.seconds, search.nextSeconds),
                search.endOffset < position.offset() ? 0 : search.begunSeconds);
    }

    /** Whether a scan has ended at an event that cannot be read, so that it would end there again. */
    static boolean isOfUnreadableEvent(IOException e) {
        return e.getCause() instanceof MalformedEventException;
    }

    /** Looks for the last event before an offset, and the transaction after it. */
    private static final class Search implements BinlogScan.Visitor {
        private final FileTransactions transactions = new FileTransactions();
        private final long offset;
        private long begunServerId;
        private long begunSeconds;
        private long serverId;
        private long seconds;
        private long nextSeconds = Long.MAX_VALUE;
        private long endOffset;

        Search(long offset) {
            this.offset = offset;
        }

        @Override
        public boolean visit(EventHeader header, EventBody body, long start, long end) {
            Step step = transactions.accept(header, body, start, end);
            endOffset = end;
            boolean isHead = header.code() == EventCode.FORMAT_DESCRIPTION;
            if (isHead) {
                begunServerId = header.serverId();
                begunSeconds = header.timestampSeconds();
            }
            if (isHead || start < offset) {
                serverId = header.serverId();
                seconds = header.timestampSeconds();
            } else if (step != Step.OUTSIDE) {
                nextSeconds = header.timestampSeconds();
            }
            return nextSeconds == Long.MAX_VALUE;
        }
    }
}
