package io.sluice.format.entry;

import io.sluice.format.row.RowPart;
import io.sluice.protocol.entry.EventType;
import io.sluice.protocol.position.Cursor;
import org.jspecify.annotations.Nullable;

/** An entry that was encoded ahead: its protobuf message, without the images it was made from. Immutable. */
public final class EncodedEntry implements Entry {
    /** Its own objects, roughly: it, its origin, its bytes' header, and its place in lists. */
    private static final int OBJECT_BYTES = 160;

    private final Origin origin;
    private final EntryKind kind;
    private final @Nullable EventType type;
    private final String schema;
    private final String table;
    private final int firstRow;
    private final int rows;
    private final byte[] bytes;

    /**
     * Makes an entry of its encoded form.
     *
     * @param type null for the boundaries of transactions
     * @param firstRow which row of its event its first one is, from 0
     * @param rows how many rows it holds
     * @param bytes the serialized protobuf message {@code Entry}; taken over
     */
    public EncodedEntry(
            Origin origin,
            EntryKind kind,
            @Nullable EventType type,
            String schema,
            String table,
            int firstRow,
            int rows,
            byte[] bytes) {
        this.origin = origin;
        this.kind = kind;
        this.type = type;
        this.schema = schema;
        this.table = table;
        this.firstRow = firstRow;
        this.rows = rows;
        this.bytes = bytes;
    }

    /** Where its event is. */
    public Origin origin() {
        return origin;
    }

    /** The serialized protobuf message; not changed by the caller. */
    public byte[] bytes() {
        return bytes;
    }

    @Override
    public EntryKind kind() {
        return kind;
    }

    @Override
    public @Nullable EventType eventType() {
        return type;
    }

    @Override
    public String schemaName() {
        return schema;
    }

    @Override
    public String tableName() {
        return table;
    }

    @Override
    public long executeTimeMillis() {
        return origin.timeMillis();
    }

    @Override
    public int rowCount() {
        return rows;
    }

    @Override
    public int sizeBytes() {
        return OBJECT_BYTES + bytes.length;
    }

    @Override
    public boolean isBoundary() {
        return origin.isBoundary();
    }

    @Override
    public Cursor cursor() {
        return origin.boundary().cursor();
    }

    @Override
    public ChangeId changeId() {
        return origin.changeId(firstRow, rows, RowPart.WHOLE);
    }
}
