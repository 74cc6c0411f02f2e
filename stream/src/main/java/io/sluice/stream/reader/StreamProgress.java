package io.sluice.stream.reader;

import io.sluice.format.entry.LogFile;
import io.sluice.mysql.binlog.RotateEvent;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.gtid.Gtid;
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
 * handed on before are then skipped. Which these are is decided within the transaction, by the bytes since its begin: the offsets of two
 * dumps by GTIDs may differ by a multiple of 4 GiB.
 *
 * <p>Headers state offsets modulo 2^32. In a dump of a whole file, or from a position, the rest follows from the events before; but a
 * dump by GTIDs leaves transactions out, perhaps more than 4 GiB of them. Then it follows from {@linkplain Floor where reading ended
 * before}, or from a heartbeat that states the whole offset; else it is not known, and offsets may be too small by a multiple of 4 GiB until
 * the next file. For one thread, but for {@link #hasExactOffsets}.
 */
final class StreamProgress {
    private static final long OFFSETS_OF_HEADER = 1L << 32;

    private final TransactionTracker transactions;
    private LogFile file;
    private long offset;
    /** When the file was begun that was requested by name and offset; 0 if there is nothing to compare. */
    private long expectedSeconds;
    /** How many events were passed that are within the next one. */
    private int passedInside;
    /** What earlier connections handed on of a transaction that did not end on them; null if there is none. */
    private @Nullable HandedOn handedOn;
    /** Before which nothing comes but the head of its file; null if that is not known, or what follows it has come. */
    private @Nullable Floor floor;
    /** Whether offsets of the file are known beyond the 32 bits of headers. */
    private volatile boolean exactOffsets = true;

    /** The boundary at which the current connection began. */
    private BinlogPosition requested;

    private @Nullable GtidSet requestedExecuted;
    private boolean moved;
    private boolean advanced;
    /** How many events were passed that had not been handed on before. */
    private long newEvents;

    private long heartbeats;
    /** Where the source was idle by its last heartbeat; null if events have come since. */
    private @Nullable BinlogPosition heartbeat;

    private int sequence;
    private long transactionCount;

    StreamProgress(SourceServer source, BinlogPosition start, TransactionTracker transactions) {
        this.transactions = transactions;
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
        handedOn = null;
        floor = null;
        passedInside = 0;
        moved = false;
        setExactOffsets(true);
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
        floor = begunSeconds == 0 ? null : new Floor(position, begunSeconds);
    }

    /**
     * Whether the offsets of the file are known, and not only modulo 4 GiB, which is the same in a file that is not larger. May be called
     * by any thread.
     */
    boolean hasExactOffsets() {
        return exactOffsets;
    }

    private void setExactOffsets(boolean exact) {
        if (exact != exactOffsets) {
            exactOffsets = exact;
        }
    }

    /** Whether anything was read on the current connection: only then the position is known. */
    boolean hasMoved() {
        return moved;
    }

    /** Whether the source has sent a new event, or has shown that it has none, on the current connection. */
    boolean hasAdvanced() {
        return advanced;
    }

    /** How many events were new, on all connections: neither read again after a broken one, nor sent at the head of every dump. */
    long newEvents() {
        return newEvents;
    }

    /** How many heartbeats were recorded, on all connections. */
    long heartbeats() {
        return heartbeats;
    }

    /**
     * Records a heartbeat. Two in a row of the same position show that the source is alive and has no event. One alone does not: MySQL
     * sends one when it has omitted transactions that are executed, and before events that may fail again.
     *
     * @param isWhole whether the offset is more than its low 32 bits
     */
    void recordHeartbeat(String heartbeatFile, long heartbeatOffset, boolean isWhole) {
        BinlogPosition at = new BinlogPosition(heartbeatFile, heartbeatOffset);
        heartbeats++;
        advanced |= at.equals(heartbeat);
        skipTo(heartbeatFile, heartbeatOffset, isWhole);
        heartbeat = at;
    }

    /**
     * Continues at the boundary before the open transaction, whose events are read again.
     *
     * @param byGtids whether the source is asked for what follows a GTID set, and not for that position
     */
    void resume(boolean byGtids) {
        advanced = false;
        heartbeat = null;
        BinlogPosition boundary = resumePosition();
        requested = boundary;
        requestedExecuted = transactions.executed();
        if (!transactions.isBetween()) {
            HandedOn now = new HandedOn(
                    transactions.current(),
                    file.name(),
                    file.begunSeconds(),
                    transactions.boundary().offset(),
                    offset,
                    passedInside);
            handedOn = handedOn != null && handedOn.isFurtherThan(now) ? handedOn : now;
        }
        passedInside = 0;
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
        if (!byGtids) {
            floor = null;
        } else if (floor == null && exactOffsets) { // else nothing has come that is after it
            setFloor(boundary, file.begunSeconds());
        }
        setExactOffsets(true);
    }

    private void enter(String name) {
        if (!file.name().equals(name)) {
            file = new LogFile(file.source(), name).withSchema(file.schema()).withHeld(file.held());
            expectedSeconds = 0;
            setExactOffsets(true);
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

    /**
     * Computes where an event ends. Headers have 32 bits of an offset; files may be larger.
     *
     * @param nextOffset as its header states it; 0 if it states none
     * @param isHeading whether such events are at the head of every file
     */
    long endOf(int length, long nextOffset, boolean isHeading) {
        long from = isHeading ? offset : lowestStart();
        return nextOffset == 0 ? from + length : widened(nextOffset, from);
    }

    /** The smallest offset with these low 32 bits that is not before another one. */
    private static long widened(long low, long from) {
        long wide = from & -OFFSETS_OF_HEADER | low;
        return wide < from ? wide + OFFSETS_OF_HEADER : wide;
    }

    /** Where the next transaction starts at the earliest. */
    private long lowestStart() {
        Floor known = floor;
        return known != null && known.isBeyondHeaders() && known.isIn(file) ? Math.max(offset, known.offset()) : offset;
    }

    /** Whether the header of the next event of the file states 0 if it is so long: it ends at a multiple of 4 GiB. */
    boolean endsWithWrappedOffset(int length) {
        return (lowestStart() + length) % OFFSETS_OF_HEADER == 0;
    }

    /** Whether an event was not handed on before the connection broke. */
    boolean isAhead(Event event) {
        return isAhead(event.start(), event.end(), event.inside());
    }

    private boolean isAhead(long start, long end, int inside) {
        HandedOn before = handedOn;
        if (before == null) {
            return true;
        }
        long begin = transactions.isBetween() ? start : transactions.boundary().offset();
        return !before.isOf(transactions.current(), file.name(), file.begunSeconds(), begin)
                || before.endsBefore(end - begin, inside);
    }

    /** Passes an event within another one, of which more follows. */
    void passInside(Event event) {
        heartbeat = null;
        noteNew(isAhead(event));
        passedInside = event.inside() + 1;
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
        if (start != offset) { // transactions were left out
            setExactOffsets(isKnownByFloor(start));
        }
        if (floor != null && (step != Step.OUTSIDE || floor.isIn(file))) {
            floor = null; // also if its file is not sent any more, since all of it is executed
        }
        offset = end;
        moved = true;
        heartbeat = null;
        noteNew(isAhead(start, end, Integer.MAX_VALUE));
        passedInside = 0;
        boolean endsHandedOn = isEndOfHandedOn(step); // not if more follows within the same event
        passStep(step, start, end);
        if (endsHandedOn) {
            handedOn = null;
        }
    }

    private boolean isKnownByFloor(long start) {
        Floor known = floor;
        return known != null && known.isIn(file) && (known.isBeyondHeaders() || known.offset() == start);
    }

    private void noteNew(boolean isNew) {
        if (isNew) {
            advanced = true;
            newEvents++;
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

    private boolean isEndOfHandedOn(Step step) {
        HandedOn before = handedOn;
        return before != null
                && transactions.isBoundaryAfter(step)
                && !transactions.isBetween()
                && before.isOf(
                        transactions.current(),
                        file.name(),
                        file.begunSeconds(),
                        transactions.boundary().offset());
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
        Floor known = floor;
        long to = heartbeatOffset;
        boolean isExact = isWhole;
        if (!isWhole && known != null && known.isIn(file) && known.offset() % OFFSETS_OF_HEADER == heartbeatOffset) {
            to = known.offset();
            isExact = true;
        } else if (!isWhole && known != null && known.isIn(file) && known.isBeyondHeaders()) {
            return; // it may be before that, or after it
        }
        if (to > offset) {
            boolean advancedBefore = advanced;
            long newBefore = newEvents;
            pass(Step.OUTSIDE, offset, to);
            advanced = advancedBefore;
            newEvents = newBefore;
            floor = known == null || known.isIn(file) && known.offset() <= to ? null : known;
            setExactOffsets(isExact);
        }
    }

    /** Passes an event that is at the head of every file in every dump, also if a later position was requested. */
    void passHeading(long start, long end) {
        long startBefore = offset;
        boolean movedBefore = moved;
        boolean advancedBefore = advanced;
        long newBefore = newEvents;
        Floor floorBefore = floor;
        boolean exactBefore = exactOffsets;
        pass(Step.OUTSIDE, start, end);
        floor = floorBefore;
        setExactOffsets(exactBefore && start == startBefore);
        moved = movedBefore;
        advanced = advancedBefore;
        newEvents = newBefore;
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
        passedInside = 0;
        return new Rotation(isOther, isCutOff);
    }

    /** A change to another file; neither if the file is the same. */
    record Rotation(boolean isOther, boolean isCutOff) {}

    /**
     * Where reading ended in a file: nothing of it that is before comes again, but its head.
     *
     * @param begunSeconds when the file was begun, since another one may have that name after a reset
     */
    private record Floor(BinlogPosition position, long begunSeconds) {
        long offset() {
            return position.offset();
        }

        boolean isIn(LogFile other) {
            return begunSeconds == other.begunSeconds() && position.file().equals(other.name());
        }

        /** Whether more than the offsets of headers is needed to know what follows; else these are as good, and may be of a smaller file. */
        boolean isBeyondHeaders() {
            return position.offset() >= OFFSETS_OF_HEADER;
        }
    }

    /**
     * How much of a transaction was handed on. It is the same transaction only if its GTID is the same, if it has one, and if it is in the
     * same file, at the same offset: after a reset of the binlog another one may be at that position, and after a crash another one may have
     * that GTID. Of a dump by GTIDs no more than the low 32 bits of the offset may be known.
     *
     * @param gtid null if it has none, or GTIDs are not followed
     * @param begunSeconds when its file was begun; 0 if that is not known
     * @param start where it starts
     * @param end where its newest event ends that was handed on whole
     * @param inside how many events were handed on that are within the next one
     */
    private record HandedOn(@Nullable Gtid gtid, String file, long begunSeconds, long start, long end, int inside) {
        boolean isOf(@Nullable Gtid otherGtid, String otherFile, long otherSeconds, long otherStart) {
            long apart = start - otherStart;
            return (gtid == null ? apart == 0 : apart % OFFSETS_OF_HEADER == 0)
                    && begunSeconds == otherSeconds
                    && file.equals(otherFile)
                    && Objects.equals(gtid, otherGtid);
        }

        /**
         * Whether it ends before an event of the transaction.
         *
         * @param otherBytes how many bytes of the transaction there are with that event
         * @param before how many events precede it within the same one
         */
        boolean endsBefore(long otherBytes, int before) {
            return otherBytes > bytes() && before >= inside;
        }

        boolean isFurtherThan(HandedOn other) {
            return isOf(other.gtid, other.file, other.begunSeconds, other.start)
                    && (bytes() > other.bytes() || bytes() == other.bytes() && inside > other.inside);
        }

        private long bytes() {
            return end - start;
        }
    }
}
