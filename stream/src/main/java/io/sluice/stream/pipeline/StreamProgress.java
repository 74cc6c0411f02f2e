package io.sluice.stream.pipeline;

import io.sluice.format.entry.LogFile;
import io.sluice.mysql.binlog.RotateEvent;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.transaction.Boundary;
import io.sluice.mysql.transaction.TransactionTracker;
import io.sluice.mysql.transaction.TransactionTracker.Step;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.SchemaReference;
import io.sluice.protocol.position.SourceServer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Tracks the reader's position in the binlog, and up to which event events were handed on.
 *
 * <p>After a broken connection reading resumes where the open transaction began, since its table maps are needed again; events that were
 * handed on before are then skipped. For one thread.
 */
final class StreamProgress {
    private static final long OFFSETS_OF_HEADER = 1L << 32;

    private final TransactionTracker transactions;
    private LogFile file;
    private long offset;
    private String handedOnFile;
    private long handedOnOffset;
    private int handedOnInside;
    private boolean moved;
    private boolean advanced;
    /** Where the source was idle by its last heartbeat; null if events have come since. */
    private @Nullable BinlogPosition heartbeat;

    private int sequence;
    private long transactionCount;

    StreamProgress(SourceServer source, BinlogPosition start, TransactionTracker transactions) {
        this.transactions = transactions;
        this.file = new LogFile(source, start.file());
        this.offset = start.offset();
        this.handedOnFile = start.file();
        this.handedOnOffset = start.offset();
    }

    LogFile file() {
        return file;
    }

    /** Where the next event of the file starts. */
    long offset() {
        return offset;
    }

    /** Sets the newest row of the schema history, on which cursors rely from here on. */
    void setSchemaReference(@Nullable SchemaReference newest) {
        if (!Objects.equals(newest, file.schema())) {
            file = file.withSchema(newest);
        }
    }

    /** Sets the boundary that reading must resume at, since a transaction is not decided; null if there is none. */
    void setUndecidedStart(@Nullable Boundary boundary) {
        if (!Objects.equals(boundary, file.held())) {
            file = file.withHeld(boundary);
        }
    }

    /**
     * Continues at another position, perhaps of another server, where nothing was handed on yet.
     *
     * @param start where the next event starts; unknown if the server determines it, as for a request by GTIDs
     * @param executed the transactions before it; null if they are not followed
     */
    void startAt(SourceServer source, BinlogPosition start, @Nullable GtidSet executed) {
        file = new LogFile(source, start.file()).withSchema(file.schema());
        offset = start.offset();
        handedOnFile = start.file();
        handedOnOffset = start.offset();
        handedOnInside = 0;
        moved = false;
        sequence = 0;
        transactions.restart(start, executed);
    }

    /** Whether anything was read on the current connection: only then the position is known. */
    boolean hasMoved() {
        return moved;
    }

    /** Whether the source has sent a new event, or has shown that it has none, on the current connection. */
    boolean hasAdvanced() {
        return advanced;
    }

    /**
     * Records a heartbeat. Two in a row of the same position show that the source is alive and has no event. One alone does not: MySQL
     * sends one when it has omitted transactions that are executed, and before events that may fail again.
     */
    void recordHeartbeat(String heartbeatFile, long place) {
        BinlogPosition at = new BinlogPosition(heartbeatFile, place);
        advanced |= at.equals(heartbeat);
        skipTo(heartbeatFile, place);
        heartbeat = at;
    }

    /** Continues at the boundary before the open transaction, whose events are read again. */
    void resume() {
        advanced = false;
        heartbeat = null;
        transactions.resume();
        BinlogPosition boundary = transactions.boundary();
        offset = boundary.offset();
        moved = false;
        sequence = 0;
        enter(boundary.file());
    }

    private void enter(String name) {
        if (!file.name().equals(name)) {
            file = new LogFile(file.source(), name).withSchema(file.schema()).withHeld(file.held());
        }
    }

    /** Headers have 32 bits of an offset; files may be larger. */
    long widened(long nextOffset) {
        long end = offset & -OFFSETS_OF_HEADER | nextOffset;
        return end < offset ? end + OFFSETS_OF_HEADER : end;
    }

    /** Whether an event at its position was not handed on before the connection broke. */
    boolean isAhead(Event event) {
        // All that ends after what was handed on whole is within the event that was handed on in part, if there is one.
        return isAhead(event.end()) && (handedOnInside == 0 || event.inside() >= handedOnInside);
    }

    private boolean isAhead(long end) {
        return end > handedOnOffset || !file.name().equals(handedOnFile);
    }

    /** Passes an event within another one, of which more follows. */
    void passInside(Event event) {
        heartbeat = null;
        if (isAhead(event)) {
            handedOnInside = event.inside() + 1;
            advanced = true;
        }
        passStep(event.step(), event.start(), event.end());
    }

    /** How many events of the transaction were passed that may become entries. */
    int sequence() {
        return sequence;
    }

    /** Begins to count the events of another transaction. */
    void beginSequence() {
        sequence = 0;
    }

    /** Counts an event that may have become an entry. */
    void passOfTransaction() {
        sequence++;
    }

    /** How many transactions have ended, on all connections. */
    long transactionCount() {
        return transactionCount;
    }

    /** A file's own format description comes first even if reading starts after it. */
    void passFormat(long nextOffset) {
        offset = Math.max(offset, nextOffset);
    }

    /** Passes an event that is in the file, or the end of one that others are within. */
    void pass(Step step, long start, long end) {
        offset = end;
        moved = true;
        heartbeat = null;
        if (isAhead(end)) {
            handedOnFile = file.name();
            handedOnOffset = end;
            handedOnInside = 0;
            advanced = true;
        }
        passStep(step, start, end);
    }

    private void passStep(Step step, long start, long end) {
        if (step == Step.ENDS) {
            transactionCount++;
        }
        transactions.pass(step, file.name(), start, end);
        if (transactions.isBetween()) {
            sequence = 0;
        }
    }

    /**
     * Advances to the position of a heartbeat: the source omits transactions that are executed already, and then waits.
     */
    private void skipTo(String heartbeatFile, long place) {
        boolean isBetween = transactions.isBetween() && transactions.isBoundary(offset);
        if (isBetween && heartbeatFile.equals(file.name()) && place > offset) {
            boolean advancedBefore = advanced;
            pass(Step.OUTSIDE, offset, place);
            advanced = advancedBefore;
        }
    }

    /** Passes an event that is at the head of every file in every dump, also if a later position was requested. */
    void passHeading(long start, long end) {
        boolean movedBefore = moved;
        boolean advancedBefore = advanced;
        pass(Step.OUTSIDE, start, end);
        moved = movedBefore;
        advanced = advancedBefore;
    }

    /**
     * Continues in another file, or sets the start position of a new connection.
     *
     * @return whether it is another file, and whether a transaction was cut off at the end of the one before
     */
    Rotation rotate(RotateEvent event) {
        boolean isOther = !event.nextFile().equals(file.name());
        enter(event.nextFile());
        offset = event.nextOffset();
        if (!isOther && !transactions.isBetween()) {
            return new Rotation(false, false);
        }
        boolean isCutOff = transactions.enter(file.name(), offset);
        if (!handedOnFile.equals(file.name())) {
            handedOnFile = file.name();
            handedOnOffset = offset;
            handedOnInside = 0;
        }
        return new Rotation(isOther, isCutOff);
    }

    /** A change to another file; neither if the file is the same. */
    record Rotation(boolean isOther, boolean isCutOff) {}
}
