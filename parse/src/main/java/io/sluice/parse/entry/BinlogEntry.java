package io.sluice.parse.entry;

import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.entry.EntryType;
import io.sluice.protocol.entry.EventType;
import io.sluice.protocol.position.LogPosition;
import io.sluice.store.entry.ChangeId;
import io.sluice.store.entry.Entry;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What all entries of a binlog have in common: their origin, the protobuf header made from it, and bytes that may be made
 * ahead.
 *
 * <p>{@link #encode} is called by one thread before the entry is handed on; from then on the entry does not change.
 */
public abstract sealed class BinlogEntry implements Entry
        permits BorderEntry, RowsEntry, StatementEntry, UnreadRowsEntry {
    private static final int TAG_LOGFILE_OFFSET = 0x18;
    private static final int TAG_SERVER_ID = 0x20;
    private static final byte[] SERVEREN_CODE = {0x2A, 5, 'U', 'T', 'F', '-', '8'};
    private static final int TAG_EXECUTE_TIME = 0x30;
    private static final byte[] SOURCE_TYPE_MYSQL = {0x38, 2};
    private static final int TAG_EVENT_LENGTH = 0x50;
    private static final int TAG_EVENT_TYPE = 0x58;
    private static final int TAG_PROPS = 0x62;
    private static final byte[] KEY_ROWS_COUNT = "rowsCount".getBytes(StandardCharsets.US_ASCII);

    private static final int TAG_HEADER = 0x0A;
    private static final int TAG_ENTRY_TYPE = 0x10;
    private static final int TAG_STORE_VALUE = 0x1A;

    /** The bytes of larger events are made when they are asked for, and may be none at all if nobody can take so many. */
    static final int LARGEST_AHEAD = 1 << 20;

    /** An entry's own objects, roughly: it, its origin, and its place in lists. */
    private static final int OBJECT_BYTES = 128;

    private static final ThreadLocal<Scratch> SCRATCH = ThreadLocal.withInitial(Scratch::new);

    private final Origin origin;
    private byte @Nullable [] encoded;

    BinlogEntry(Origin origin) {
        this.origin = origin;
    }

    /** Where its event stands. */
    public final Origin origin() {
        return origin;
    }

    /** Makes the protobuf bytes now, so that nobody has to later, and lets go of what they were made from; not if it is large. */
    public final void encode() {
        if (isLarge()) {
            return;
        }
        Scratch scratch = SCRATCH.get();
        scratch.entry.clear();
        writeNow(scratch.entry, scratch);
        encoded = scratch.entry.toByteArray();
        scratch.shrink();
        releaseSource();
    }

    @Override
    public final void writeProtobuf(ByteWriter out) {
        byte[] ready = encoded;
        if (ready != null) {
            out.write(ready);
        } else {
            Scratch scratch = SCRATCH.get();
            scratch.value.limitTo(out.limit());
            try {
                writeNow(out, scratch);
            } finally {
                scratch.value.limitTo(Integer.MAX_VALUE);
                scratch.shrink();
            }
        }
    }

    /** Whether its bytes are not made ahead. */
    boolean isLarge() {
        return sourceBytes() > LARGEST_AHEAD;
    }

    private void writeNow(ByteWriter out, Scratch scratch) {
        if (isLarge()) {
            writeInPlace(out, scratch.header);
            return;
        }
        ByteWriter value = scratch.value;
        value.clear();
        int rows = writeStoreValue(value);

        ByteWriter header = scratch.header;
        header.clear();
        writeHeader(header, rows);

        out.ensure(header.size() + value.size() + 16);
        out.writeByte(TAG_HEADER);
        out.writeVarint(header.size());
        out.write(header.array(), 0, header.size());
        out.writeByte(TAG_ENTRY_TYPE);
        out.writeByte(entryType().getNumber());
        out.writeByte(TAG_STORE_VALUE);
        out.writeVarint(value.size());
        out.write(value.array(), 0, value.size());
    }

    /** Writes the same without a second buffer of the same size. */
    private void writeInPlace(ByteWriter out, ByteWriter header) {
        header.clear();
        writeHeader(header, countedRows());
        out.writeByte(TAG_HEADER);
        out.writeVarint(header.size());
        out.write(header.array(), 0, header.size());
        out.writeByte(TAG_ENTRY_TYPE);
        out.writeByte(entryType().getNumber());
        out.writeByte(TAG_STORE_VALUE);
        int lengthAt = out.size();
        int lengthBytes = ByteWriter.varintLength(sourceBytes());
        out.ensure(lengthBytes);
        out.setSize(lengthAt + lengthBytes);
        writeStoreValue(out);
        int unused = ProtobufFields.closeLength(out, lengthAt, lengthBytes);
    }

    private void writeHeader(ByteWriter out, int rows) {
        out.write(origin.file().headerStart());
        ProtobufFields.writeNumber(out, TAG_LOGFILE_OFFSET, origin.offset());
        ProtobufFields.writeNumber(out, TAG_SERVER_ID, origin.serverId());
        out.write(SERVEREN_CODE);
        ProtobufFields.writeNumber(out, TAG_EXECUTE_TIME, origin.timeMillis());
        out.write(SOURCE_TYPE_MYSQL);
        writeNames(out);
        ProtobufFields.writeNumber(out, TAG_EVENT_LENGTH, origin.length());
        EventType type = eventType();
        if (type != null) {
            ProtobufFields.writeNumber(out, TAG_EVENT_TYPE, type.getNumber());
        }
        GtidStamp gtid = origin.gtid();
        if (gtid != null) {
            out.write(gtid.props());
        }
        if (rows > 0) {
            byte[] count = Integer.toString(rows).getBytes(StandardCharsets.US_ASCII);
            ProtobufFields.writePair(out, TAG_PROPS, KEY_ROWS_COUNT, count);
        }
        if (gtid != null) {
            out.write(gtid.headerEnd());
        }
    }

    /** What kind of message {@code storeValue} is. */
    abstract EntryType entryType();

    /** Appends the header's fields {@code schemaName} and {@code tableName}. */
    abstract void writeNames(ByteWriter out);

    /**
     * Appends the message in {@code storeValue}.
     *
     * @return how many rows it has
     */
    abstract int writeStoreValue(ByteWriter out);

    /** How many rows {@link #writeStoreValue} will say it has. */
    int countedRows() {
        return 0;
    }

    /** Lets go of the bytes of the event. */
    void releaseSource() {}

    /** How many bytes of the event it keeps alive while not encoded. */
    abstract int sourceBytes();

    @Override
    public final int sizeBytes() {
        byte[] ready = encoded;
        return OBJECT_BYTES + (ready != null ? ready.length : sourceBytes());
    }

    @Override
    public final long executeTimeMillis() {
        return origin.timeMillis();
    }

    @Override
    public final boolean hasGtid() {
        GtidStamp gtid = origin.gtid();
        return gtid != null && gtid.isShown();
    }

    @Override
    public ChangeId changeId() {
        return origin.changeId(0, 0, ChangeId.Part.WHOLE);
    }

    @Override
    public final LogPosition position() {
        return origin.position();
    }

    /** A thread's buffers, reused for every entry. */
    private static final class Scratch {
        /** Buffers that one large event made larger than this are not kept. */
        private static final int LARGEST_KEPT = 1 << 20;

        private ByteWriter value = new ByteWriter(1 << 16);
        private final ByteWriter header = new ByteWriter(512);
        private ByteWriter entry = new ByteWriter(1 << 16);

        void shrink() {
            if (value.array().length > LARGEST_KEPT) {
                value = new ByteWriter(1 << 16);
            }
            if (entry.array().length > LARGEST_KEPT) {
                entry = new ByteWriter(1 << 16);
            }
        }
    }
}
