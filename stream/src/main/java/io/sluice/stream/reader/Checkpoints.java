package io.sluice.stream.reader;

import io.sluice.format.entry.LogFile;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.transaction.Boundary;
import io.sluice.mysql.transaction.TransactionTracker;
import io.sluice.mysql.transaction.TransactionTracker.Step;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.stream.event.Chunk;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Sets in chunks the boundary up to which the stream was read, each once, so that the cursor advances also when nothing is
 * delivered. Knows what a boundary states of the last transaction before it.
 *
 * <p>An event has the time at which its statement began. So within a transaction events may be older than the transaction before, but the
 * last one is of its commit; and a server whose binlog begins later than an old row may still have that commit. For one thread.
 */
final class Checkpoints {
    /** A statement is in the binlog where it ends, with the time of its start: so much earlier at most. */
    private static final long LONGEST_STATEMENT_SECONDS = Duration.ofDays(2).toSeconds();

    private final StreamProgress progress;
    private final TransactionTracker transactions;
    private long newestServerId;
    private volatile long newestSeconds;
    private long serverId;
    private volatile long readUpToSeconds;
    private long lastReadSeconds;
    private long lastReadServerId;
    private boolean hasRead;
    /** The time of the boundary where reading begins, until a transaction was read from there; 0 if it is not known. */
    private long startSeconds;
    /** Which server wrote the event of that time; 0 if that is not known. */
    private long startServerId;

    private @Nullable BinlogPosition marked;
    private @Nullable GtidSet markedExecuted;

    Checkpoints(StreamProgress progress, TransactionTracker transactions) {
        this.progress = progress;
        this.transactions = transactions;
    }

    /**
     * When the last event of the last transaction was written that was read to its end, in seconds since the epoch; 0 if none was. At the end
     * of a file without one it may be later, but not later than any event that follows. After {@link #restart} it is not later than the start
     * until a transaction or the end of a file of there was read, and never earlier after the end of a file.
     */
    long readUpToSeconds() {
        return readUpToSeconds;
    }

    /** Which server wrote that event, also if another one has ended the file since; 0 if that is not known. */
    long serverId() {
        return serverId;
    }

    /** Whether a transaction was read to its end; the end of a file is none. */
    boolean hasRead() {
        return hasRead;
    }

    /**
     * When the last event of the last transaction was written, as {@link #readUpToSeconds} states it; but until a transaction was read after
     * {@link #restart}, that of the last one that was read before that and is not to be read again since it is undecided.
     */
    long lastReadSeconds() {
        return lastReadSeconds;
    }

    /** Which server wrote that event; 0 if that is not known. */
    long lastReadServerId() {
        return lastReadServerId;
    }

    /**
     * The time up to which the source was read, in seconds since the epoch; also within a transaction, which may have older rows. 0 if nothing
     * was read. May be called by any thread.
     */
    long reachedSeconds() {
        return Math.max(readUpToSeconds, newestSeconds);
    }

    /** Notes an event that is in a file and not at its head, before it is dispatched. */
    void note(long seconds, long server) {
        newestServerId = server;
        if (seconds != newestSeconds) { // others read it, so a write costs more than this
            newestSeconds = seconds;
        }
    }

    /** Notes that an event was passed which was noted, or one within it. */
    void pass(Step step) {
        switch (step) {
            case ENDS, ALONE -> {
                hasRead = true;
                startSeconds = 0;
                lastReadSeconds = newestSeconds;
                lastReadServerId = newestServerId;
                readUpTo(newestSeconds, newestServerId);
            }
            case OUTSIDE -> {
                if (transactions.isBetween()) {
                    passOutside();
                }
            }
            case ANNOUNCES, ANNOUNCES_AND_BEGINS, PRECEDES, BEGINS, WITHIN, ROWS_END -> {}
        }
    }

    /** Nothing before the start was asked for, however late a statement of there may end. */
    private void passOutside() {
        long known = Math.max(readUpToSeconds, startSeconds);
        if (known == 0 && transactions.executed() != null) {
            return; // the transactions of the set may be newer than any time that could be derived from this event
        }
        long writer = startSeconds > readUpToSeconds ? startServerId : serverId;
        long derived = newestSeconds - LONGEST_STATEMENT_SECONDS;
        if (derived > known) {
            known = derived;
            writer = newestServerId;
        }
        if (known > lastReadSeconds) {
            lastReadSeconds = known;
            lastReadServerId = writer;
        }
        readUpTo(known, writer);
    }

    private void readUpTo(long seconds, long server) {
        serverId = server;
        if (seconds != readUpToSeconds) {
            readUpToSeconds = seconds;
        }
    }

    /**
     * Begins again at another position, whose boundary is set even if it was before. The position may be a while before what was read, and
     * boundaries there must not have a time after it: DDL up to that time would count as before them.
     *
     * @param start the boundary there
     * @param undecided where an XA transaction begins that is read again: what was read after it is known no more; null if there is none
     */
    void restart(Boundary start, @Nullable Boundary undecided) {
        marked = null;
        markedExecuted = null;
        if (undecided != null) {
            lastReadSeconds = undecided.timestampMillis() / 1000;
            lastReadServerId = undecided.serverId();
            readUpToSeconds = lastReadSeconds;
            newestSeconds = lastReadSeconds;
            serverId = undecided.serverId();
        }
        startSeconds = start.timestampMillis() / 1000;
        startServerId = start.serverId();
        if (startSeconds < readUpToSeconds) {
            readUpToSeconds = startSeconds;
            newestSeconds = startSeconds;
            serverId = start.serverId();
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
        if (progress.hasMoved() && readUpToSeconds != 0 && isNew) {
            marked = position;
            markedExecuted = executed;
            chunk.setCheckpoint(held != null ? held : boundary(file, position, executed));
        }
    }

    private Boundary boundary(LogFile file, BinlogPosition position, @Nullable GtidSet executed) {
        return new Boundary(
                file.source(),
                position,
                executed,
                serverId,
                readUpToSeconds * 1000,
                file.schema(),
                file.begunSeconds());
    }
}
