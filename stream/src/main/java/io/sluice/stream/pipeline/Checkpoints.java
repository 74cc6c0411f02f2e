package io.sluice.stream.pipeline;

import io.sluice.format.entry.LogFile;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.transaction.Boundary;
import io.sluice.mysql.transaction.TransactionTracker;
import io.sluice.protocol.position.BinlogPosition;
import org.jspecify.annotations.Nullable;

/**
 * Sets in chunks the boundary up to which the stream was read, each once, so that the cursor advances also when nothing is
 * delivered. Knows what a boundary states of the last event of a transaction that was read. For one thread.
 */
final class Checkpoints {
    private final StreamProgress progress;
    private final TransactionTracker transactions;
    private long serverId;
    private volatile long lastSeconds;
    private @Nullable BinlogPosition marked;
    private @Nullable GtidSet markedExecuted;

    Checkpoints(StreamProgress progress, TransactionTracker transactions) {
        this.progress = progress;
        this.transactions = transactions;
    }

    /** When the last event of a transaction was written, in seconds since the epoch; 0 if none was read. May be called by any thread. */
    long lastSeconds() {
        return lastSeconds;
    }

    /** Which server wrote that event; 0 if none was read. */
    long serverId() {
        return serverId;
    }

    /** Notes an event of a transaction. */
    void note(long seconds, long server) {
        serverId = server;
        if (seconds != lastSeconds) { // others read it, so a write costs more than this
            lastSeconds = seconds;
        }
    }

    /**
     * Begins again at another position, whose boundary is set even if it was before.
     *
     * @param undecided where an XA transaction begins that is read again: what was read after it is known no more; null if there is none
     */
    void restart(@Nullable Boundary undecided) {
        marked = null;
        markedExecuted = null;
        if (undecided != null) {
            lastSeconds = undecided.timestampMillis() / 1000;
            serverId = undecided.serverId();
        }
    }

    /**
     * Sets the boundary up to which the stream was read in the chunk, unless an earlier chunk has that. When the source is asked
     * by GTIDs it may begin in an older file, whose events it leaves out; or in one that has an older name, after a reset of its binlog.
     */
    void set(Chunk chunk) {
        LogFile file = progress.file();
        Boundary held = file.held();
        BinlogPosition position = held == null ? transactions.boundary() : held.position();
        GtidSet executed = held == null ? transactions.executed() : held.executed();
        boolean isNew = marked == null
                || !position.equals(marked) && !position.isBefore(marked)
                || position.isBefore(marked) && executed != null && !executed.equals(markedExecuted);
        if (progress.hasMoved() && lastSeconds != 0 && isNew) {
            marked = position;
            markedExecuted = executed;
            chunk.setCheckpoint(held != null ? held : boundary(file, position, executed));
        }
    }

    private Boundary boundary(LogFile file, BinlogPosition position, @Nullable GtidSet executed) {
        return new Boundary(
                file.source(), position, executed, serverId, lastSeconds * 1000, file.schema(), file.begunSeconds());
    }
}
