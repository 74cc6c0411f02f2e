package io.sluice.format.entry;

import io.sluice.format.row.MappedTable;
import io.sluice.format.row.RowPart;
import io.sluice.protocol.bytes.TooManyBytesException;
import io.sluice.protocol.entry.EventType;

/**
 * The rows of an event that is too large to be held in memory: it has their table and position, and no values.
 */
public final class UnreadRowsEntry extends TableEntry {
    private final long bytes;
    private final long largest;

    /**
     * Makes an entry.
     *
     * @param type INSERT, UPDATE or DELETE: that of the event, which may be about other changes if the table's rows have versions
     * @param table what the rows are rows of
     * @param bytes the size of the event, in bytes; of one that is compressed, that of its rows without compression
     * @param largest how large an event may be, in bytes
     */
    public UnreadRowsEntry(Origin origin, EventType type, MappedTable table, long bytes, long largest) {
        super(origin, type, table);
        this.bytes = bytes;
        this.largest = largest;
    }

    /** The size of the event, in bytes; of one that is compressed, that of its rows without compression. */
    public long bytes() {
        return bytes;
    }

    /** How large an event may be, in bytes. */
    public long largest() {
        return largest;
    }

    /** At least one. */
    @Override
    public int rowCount() {
        return 1;
    }

    @Override
    public ChangeId changeId() {
        return origin().changeId(0, 1, RowPart.WHOLE);
    }

    /** Why it has no message. */
    public TooManyBytesException tooLarge() {
        return new TooManyBytesException(
                bytes,
                "event is %d bytes, limit for this heap is %d%s: raise -Xmx"
                        .formatted(bytes, largest, table().isVersioned() ? " (" + doubt() + ")" : ""));
    }

    private String doubt() {
        return switch (eventType()) {
            case UPDATE -> "of a system-versioned table: rows may have been deleted by it";
            default -> "of a system-versioned table: all its rows may be old versions, which are never delivered";
        };
    }

    @Override
    public int sourceBytes() {
        return 0;
    }
}
