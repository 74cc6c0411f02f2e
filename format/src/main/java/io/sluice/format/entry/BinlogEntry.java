package io.sluice.format.entry;

import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.entry.EntryType;
import io.sluice.protocol.position.Cursor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What all entries of a binlog have in common: their origin, the protobuf header made from it, and bytes that may be made
 * ahead.
 *
 * <p>{@link #encode} is called by one thread before the entry is handed on. From then on what the entry says does not change; a
 * subclass may remember what it has computed, if every thread computes the same.
 */
public abstract sealed class BinlogEntry implements Entry permits TransactionBoundary, StatementEntry, TableEntry {
    /** The bytes of larger events are made when they are asked for, and may never be made if no sink accepts so many. */
    static final int LARGEST_AHEAD = 1 << 20;

    /** An entry's own objects, roughly: it, its origin, and its place in lists. */
    private static final int OBJECT_BYTES = 128;

    private final Origin origin;
    private byte @Nullable [] encoded;

    BinlogEntry(Origin origin) {
        this.origin = origin;
    }

    /** Where its event is. */
    public final Origin origin() {
        return origin;
    }

    /** Encodes the protobuf bytes now and releases what they were made from; not if the entry is large. */
    public final void encode() {
        encode(EntryWriter.ofThread());
    }

    /**
     * Does so with each of them.
     *
     * @return whether none keeps what it was made from
     */
    public static boolean encode(List<BinlogEntry> entries) {
        EntryWriter writer = EntryWriter.ofThread();
        boolean isDone = true;
        for (int i = 0; i < entries.size(); i++) {
            BinlogEntry entry = entries.get(i);
            entry.encode(writer);
            isDone &= !entry.keepsSource();
        }
        return isDone;
    }

    private void encode(EntryWriter writer) {
        if (!isLarge()) {
            encoded = writer.bytesOf(this);
            releaseSource();
        }
    }

    @Override
    public final void writeProtobuf(ByteWriter out) {
        byte[] ready = encoded;
        if (ready != null) {
            out.write(ready);
        } else {
            EntryWriter.ofThread().write(this, out);
        }
    }

    /** Whether its bytes are not made ahead. */
    boolean isLarge() {
        return sourceBytes() > LARGEST_AHEAD;
    }

    /** The header with its tag and length, if another entry has made it that has the same; else null. */
    byte @Nullable [] sharedHeader() {
        return null;
    }

    /** Keeps such a header for other entries, if there are some that have the same; it ends the output. */
    void shareHeader(ByteWriter out, int start) {}

    /** What kind of message {@code storeValue} is. */
    abstract EntryType entryType();

    /** The header's fields {@code schemaName} and {@code tableName}. */
    abstract byte[] names();

    /**
     * Appends the message in {@code storeValue}.
     *
     * @param rows writes rows
     * @return how many rows it has; 0 if it is not about rows
     */
    abstract int writeStoreValue(ByteWriter out, RowsProtobuf rows);

    /** How many rows {@link #writeStoreValue} will say it has; less than zero if that is known only then. */
    int countedRows() {
        return 0;
    }

    /** Lets go of the bytes of the event. */
    void releaseSource() {}

    /** Whether it refers to the bytes of the event, as it may after {@link #encode} too. */
    public boolean keepsSource() {
        return false;
    }

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
    public ChangeId changeId() {
        return origin.changeId(0, 0, ChangeId.Part.WHOLE);
    }

    @Override
    public final boolean isBoundary() {
        return origin.isBoundary();
    }

    @Override
    public final Cursor cursor() {
        return origin.boundary().cursor();
    }
}
