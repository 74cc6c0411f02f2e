package io.sluice.stream.event;

import io.sluice.format.entry.LogFile;
import io.sluice.format.entry.Origin;
import io.sluice.format.entry.TransactionGtid;
import io.sluice.mysql.binlog.EventBody;
import io.sluice.mysql.binlog.EventHeader;
import io.sluice.mysql.binlog.FormatDescription;
import io.sluice.mysql.transaction.TransactionTracker.Step;
import io.sluice.schema.ddl.catalog.EventPosition;
import org.jspecify.annotations.Nullable;

/**
 * The current event of the reader: header, bytes and position. A stream reuses one such object for all its events; whatever outlives an
 * event is copied from it before the next one is opened. For one thread.
 */
public final class Event {
    private byte[] bytes = {};
    private int bodyStart;
    private int bodyEnd;

    private int code;
    private int length;
    private int flags;
    private long timestampSeconds;
    private long serverId;
    private long nextOffset;

    private LogFile file;
    private long start;
    private long end;
    private int lengthInFile;
    private int inside;

    private Step step = Step.OUTSIDE;
    private int sequence;
    private @Nullable TransactionGtid gtid;
    private boolean isBoundary;

    /**
     * The position of an event in the binlog; events within another one have its position.
     *
     * @param start where it starts, in bytes
     * @param end where the next one starts
     * @param length its length with header and checksum
     * @param inside how many events are before it in the event that it is within; 0 if it is within none
     */
    public record Position(LogFile file, long start, long end, int length, int inside) {
        /** The position of the next event within the same one. */
        public Position next() {
            return new Position(file, start, end, length, inside + 1);
        }

        @Override
        public String toString() {
            return file.name() + ":" + start;
        }
    }

    /** Makes an object that has no event yet. */
    public Event(LogFile file) {
        this.file = file;
    }

    /**
     * Opens the event whose header is at {@code from}. Its body is all that is available after that.
     *
     * @throws io.sluice.mysql.binlog.MalformedEventException if the header is cut off or impossible
     */
    public void open(byte[] array, int from, int available) {
        take(EventHeader.read(array, from, available));
        bytes = array;
        bodyStart = from + EventHeader.LENGTH;
        bodyEnd = from + available;
    }

    /** Opens an event of which the header was read before. */
    public void open(EventHeader header, EventBody body) {
        take(header);
        bytes = body.array();
        bodyStart = body.offset();
        bodyEnd = body.end();
    }

    private void take(EventHeader header) {
        code = header.code();
        length = header.length();
        flags = header.flags();
        timestampSeconds = header.timestampSeconds();
        serverId = header.serverId();
        nextOffset = header.nextOffset();
    }

    /** Removes the checksum from the body, after it was verified. */
    public void cutChecksum() {
        bodyEnd -= FormatDescription.CHECKSUM_LENGTH;
    }

    /** Sets its position in a binlog file. */
    public void setPosition(LogFile inFile, long startOffset, long endOffset) {
        file = inFile;
        start = startOffset;
        end = endOffset;
        lengthInFile = length;
        inside = 0;
    }

    /** Sets its position to that of the event that contains it. */
    public void setPositionWithin(Position other) {
        file = other.file();
        start = other.start();
        end = other.end();
        lengthInFile = other.length();
        inside = other.inside();
    }

    /**
     * Sets its part in its transaction.
     *
     * @param before how many events of the transaction precede it that may become entries
     * @param transaction what is known of the transaction's GTID; null if transactions are not followed
     * @param boundary whether no transaction is open after it
     */
    public void setTransactionStep(
            Step stepOfTransaction, int before, @Nullable TransactionGtid transaction, boolean boundary) {
        step = stepOfTransaction;
        sequence = before;
        gtid = transaction;
        isBoundary = boundary;
    }

    /** Replaces the file after another row of the schema history was written. */
    public void setFile(LogFile sameFile) {
        file = sameFile;
    }

    /** Its part in its transaction. */
    public Step step() {
        return step;
    }

    /** Its type, one of {@link io.sluice.mysql.binlog.EventCode} or one not known here. */
    public int code() {
        return code;
    }

    /** The {@code server_id} it was first written by. */
    public long serverId() {
        return serverId;
    }

    /** When it was written, in seconds since the epoch. */
    public long timestampSeconds() {
        return timestampSeconds;
    }

    /** The offset of the next event in the header, modulo 2^32; 0 for events that are in no file. */
    public long nextOffset() {
        return nextOffset;
    }

    /** The whole header. */
    public EventHeader header() {
        return new EventHeader(timestampSeconds, code, serverId, length, nextOffset, flags);
    }

    /** Whether the server generated it for the stream, so that it is not in the binlog file. */
    public boolean isArtificial() {
        return (flags & EventHeader.FLAG_ARTIFICIAL) != 0;
    }

    /** Whether it is a statement that uses temporary tables of its session. */
    public boolean usesTemporary() {
        return (flags & EventHeader.FLAG_OF_SESSION) != 0;
    }

    /** Returns its body from the start, without header and checksum. */
    public EventBody body() {
        return new EventBody(bytes, bodyStart, bodyEnd);
    }

    /** Its length with header and checksum, as the header states it. */
    public int length() {
        return length;
    }

    /** Where it starts in its file, in bytes. */
    public long start() {
        return start;
    }

    /** Where the next one starts. */
    public long end() {
        return end;
    }

    /** How many events are before it in the event that it is within; 0 if it is within none. */
    public int inside() {
        return inside;
    }

    /** Its position in the binlog. */
    public Position position() {
        return new Position(file, start, end, lengthInFile, inside);
    }

    /** Its position, for the schema history. */
    public EventPosition eventPosition() {
        return new EventPosition(
                file.name(),
                start,
                lengthInFile,
                serverId,
                timestampSeconds * 1000,
                gtid == null ? null : gtid.transaction(),
                file.begunSeconds());
    }

    /** How many events of its transaction are before it that may become entries. */
    public int sequence() {
        return sequence;
    }

    /** What its entries state of it. */
    public Origin origin() {
        return new Origin(file, start, serverId, timestampSeconds * 1000, lengthInFile, sequence, gtid, isBoundary);
    }
}
