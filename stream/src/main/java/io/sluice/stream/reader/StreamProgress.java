package io.sluice.stream.reader;

import io.sluice.format.entry.LogFile;
import io.sluice.mysql.binlog.RotateEvent;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.transaction.Boundary;
import io.sluice.mysql.transaction.TransactionTracker;
import io.sluice.mysql.transaction.TransactionTracker.Step;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.SchemaReference;
import io.sluice.protocol.position.SourceServer;
import io.sluice.stream.event.Event;
import io.sluice.stream.failure.StreamException;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Tracks the reader's position in the binlog, and up to which event events were handed on.
 *
 * <p>After a broken connection reading resumes where the open transaction began, since its table maps are needed again; events that were
 * handed on before are then skipped: see {@link HandedOnEvents}.
 *
 * <p>Offsets may be beyond the 32 bits of headers: see {@link FileOffsets}. For one thread, but for {@link #hasExactOffsets}.
 */
final class StreamProgress {
    private final TransactionTracker transactions;
    private final HandedOnEvents handedOn;
    private final FileOffsets offsets = new FileOffsets();
    private final SourceAdvance advance = new SourceAdvance();

    private LogFile file;
    private long offset;
    /** When the file was begun that was requested by name and offset; 0 if there is nothing to compare. */
    private long expectedSeconds;

    /** The boundary at which the current connection began. */
    private BinlogPosition requested;

    private @Nullable GtidSet requestedExecuted;
    private boolean moved;
    private int sequence;
    private long transactionCount;

    StreamProgress(SourceServer source, BinlogPosition start, TransactionTracker transactions) {
        this.transactions = transactions;
        this.handedOn = new HandedOnEvents(transactions);
        this.file = new LogFile(source, start.file());
        this.offset = start.offset();
        this.requested = start;
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
     * @param begunSeconds when the file of {@code start} was begun; 0 if that is not known
     */
    void startAt(SourceServer source, BinlogPosition start, @Nullable GtidSet executed, long begunSeconds) {
        file = new LogFile(source, start.file()).withSchema(file.schema()).withBegun(begunSeconds);
        offset = start.offset();
        requested = start;
        requestedExecuted = executed;
        handedOn.clear();
        offsets.restart();
        moved = false;
        sequence = 0;
        transactions.restart(start, executed);
    }

    /**
     * States that no transaction comes of a file that is before a position in it: those before are executed. So offsets are known after
     * them, though a request by GTIDs leaves them out.
     *
     * @param begunSeconds when the file of the position was begun; 0 if that is not known, and so nothing of the file that comes
     */
    void setFloor(BinlogPosition position, long begunSeconds) {
        offsets.setFloor(position, begunSeconds);
    }

    /**
     * Whether the offsets of the file are known, and not only modulo 4 GiB, which is the same in a file that is not larger. May be called
     * by any thread.
     */
    boolean hasExactOffsets() {
        return offsets.areExact();
    }

    /** Whether anything was read on the current connection: only then the position is known. */
    boolean hasMoved() {
        return moved;
    }

    /** Whether the source has sent a new event, or has shown that it has none, on the current connection. */
    boolean hasAdvanced() {
        return advance.hasAdvanced();
    }

    /** How many events were new, on all connections: neither read again after a broken one, nor sent at the head of every dump. */
    long newEvents() {
        return advance.newEvents();
    }

    /** How many heartbeats were recorded, on all connections. */
    long heartbeats() {
        return advance.heartbeats();
    }

    /**
     * Records a heartbeat, and advances to its position.
     *
     * @param isWhole whether the offset is more than its low 32 bits
     */
    void recordHeartbeat(String heartbeatFile, long heartbeatOffset, boolean isWhole) {
        advance.recordHeartbeat(new BinlogPosition(heartbeatFile, heartbeatOffset));
        skipTo(heartbeatFile, heartbeatOffset, isWhole);
    }

    /**
     * Continues at the boundary before the open transaction, whose events are read again.
     *
     * @param byGtids whether the source is asked for what follows a GTID set, and not for that position
     */
    void resume(boolean byGtids) {
        advance.onReconnect();
        BinlogPosition boundary = resumePosition();
        requested = boundary;
        requestedExecuted = transactions.executed();
        handedOn.onBroken(file, offset);
        if (boundary.equals(transactions.boundary())) {
            transactions.resume();
        } else {
            transactions.restart(boundary, requestedExecuted);
        }
        offset = boundary.offset();
        moved = false;
        sequence = 0;
        enter(boundary.file());
        expectedSeconds = byGtids ? 0 : file.begunSeconds();
        offsets.resume(boundary, file.begunSeconds(), byGtids);
    }

    private void enter(String name) {
        if (!file.name().equals(name)) {
            file = new LogFile(file.source(), name).withSchema(file.schema()).withHeld(file.held());
            expectedSeconds = 0;
            offsets.enterFile();
        }
    }

    /**
     * The boundary before the open transaction. A request by GTIDs may begin in an older file, of which nothing comes but its head: then
     * it is the one before that request.
     */
    BinlogPosition resumePosition() {
        BinlogPosition boundary = transactions.boundary();
        GtidSet executed = transactions.executed();
        boolean isUnchanged = transactions.isBetween() && executed != null && executed.equals(requestedExecuted);
        return isUnchanged && boundary.isBefore(requested) ? requested : boundary;
    }

    /** Whether a part of the transaction that is to be read again was handed on. */
    boolean hasPartOfTransaction() {
        return handedOn.hasPart();
    }

    /**
     * Computes where an event ends. Headers have 32 bits of an offset; files may be larger.
     *
     * @param nextOffset as its header states it; 0 if it states none
     * @param isHeading whether such events are at the head of every file
     */
    long endOf(int length, long nextOffset, boolean isHeading) {
        return offsets.endOf(file, offset, length, nextOffset, isHeading);
    }

    /** Whether the header of the next event of the file states 0 if it is so long: it ends at a multiple of 4 GiB. */
    boolean endsWithWrappedOffset(int length) {
        return offsets.endsWithWrapped(file, offset, length);
    }

    /** Whether an event was not handed on before the connection broke. */
    boolean isAhead(Event event) {
        return handedOn.isAhead(file, event.start(), event.end(), event.inside());
    }

    /** Passes an event within another one, of which more follows. */
    void passInside(Event event) {
        advance.recordEvent(isAhead(event));
        handedOn.passInside(event.inside());
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

    /**
     * Passes the format description of the file. It comes first even if reading starts after it.
     *
     * @param seconds when the file was begun
     * @throws StreamException if a position in the file was requested, and it is not the file that was read before: its name was given
     *     again, and the position means nothing in it
     */
    void passFormat(long nextOffset, long seconds) {
        if (expectedSeconds != 0 && seconds != 0 && seconds != expectedSeconds) {
            throw new StreamException(
                    SourceFailure.PURGED,
                    ("%s is another file than the one that was read up to %d: it was begun at %s, and that one at %s, so the"
                                    + " binlog was reset meanwhile (RESET MASTER, or a server that was restored or rebuilt), and what"
                                    + " followed may be lost")
                            .formatted(
                                    file.name(),
                                    transactions.boundary().offset(),
                                    Instant.ofEpochSecond(seconds),
                                    Instant.ofEpochSecond(expectedSeconds)));
        }
        expectedSeconds = 0;
        if (seconds != 0 && seconds != file.begunSeconds()) {
            file = file.withBegun(seconds);
        }
        offset = Math.max(offset, nextOffset);
    }

    /** Passes an event that is in the file, or the end of one that others are within. */
    void pass(Step step, long start, long end) {
        offsets.pass(file, offset, start, step == Step.OUTSIDE);
        moved = true;
        advance.recordEvent(handedOn.isAhead(file, start, end, Integer.MAX_VALUE));
        passWhole(step, start, end);
    }

    private void passWhole(Step step, long start, long end) {
        offset = end;
        handedOn.leaveInside();
        boolean endsHandedOn = handedOn.endsWith(step, file); // not if more follows within the same event
        passStep(step, start, end);
        if (endsHandedOn) {
            handedOn.forget();
        }
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
     * Advances to the position of a heartbeat: the source omits transactions that are executed already, and then waits. It may send one
     * while it omits them, too.
     */
    private void skipTo(String heartbeatFile, long heartbeatOffset, boolean isWhole) {
        boolean isBetween = transactions.isBetween() && transactions.isBoundary(offset);
        if (!isBetween || !heartbeatFile.equals(file.name())) {
            return;
        }
        long to = offsets.skip(file, offset, heartbeatOffset, isWhole);
        if (to > offset) {
            moved = true;
            passWhole(Step.OUTSIDE, offset, to);
        }
    }

    /** Passes an event that is at the head of every file in every dump, also if a later position was requested. */
    void passHeading(long start, long end) {
        offsets.passHeading(offset, start);
        advance.recordEvent(false);
        passWhole(Step.OUTSIDE, start, end);
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
        handedOn.leaveInside();
        return new Rotation(isOther, isCutOff);
    }

    /** A change to another file; neither if the file is the same. */
    record Rotation(boolean isOther, boolean isCutOff) {}
}
