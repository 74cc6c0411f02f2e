package io.sluice.parse.entry;

import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.bytes.TooManyBytesException;
import io.sluice.protocol.entry.EntryType;
import io.sluice.protocol.entry.EventType;
import io.sluice.store.entry.ChangeId;
import io.sluice.store.entry.EntryKind;
import io.sluice.store.entry.RowCut;
import io.sluice.store.entry.RowPieces;

/**
 * The rows of an event that is too large to be held in memory: it says which table they are of and where they stand, and nobody
 * can have them.
 */
public final class UnreadRowsEntry extends BinlogEntry {
    private final EventType type;
    private final MappedTable table;
    private final long largest;

    /**
     * Makes an entry.
     *
     * @param type INSERT, UPDATE or DELETE
     * @param table what the rows are rows of
     * @param largest how large an event may be, in bytes
     */
    public UnreadRowsEntry(Origin origin, EventType type, MappedTable table, long largest) {
        super(origin);
        this.type = type;
        this.table = table;
        this.largest = largest;
    }

    @Override
    public EntryKind kind() {
        return EntryKind.ROWS;
    }

    @Override
    public EventType eventType() {
        return type;
    }

    @Override
    public String schemaName() {
        return table.schema();
    }

    @Override
    public String tableName() {
        return table.table();
    }

    /** At least one. */
    @Override
    public int rowCount() {
        return 1;
    }

    @Override
    public ChangeId changeId() {
        return origin().changeId(0, 1, ChangeId.Part.WHOLE);
    }

    @Override
    public RowPieces pieces(RowCut cut) {
        throw tooLarge();
    }

    @Override
    public boolean writeFlat(ByteWriter out, long batchId, long builtAtMillis) {
        throw tooLarge();
    }

    @Override
    int writeStoreValue(ByteWriter out) {
        throw tooLarge();
    }

    private TooManyBytesException tooLarge() {
        return new TooManyBytesException(
                origin().length(),
                "its event has %d bytes, and with this heap one of up to %d is read: give the server a larger one (-Xmx)"
                        .formatted(origin().length(), largest));
    }

    @Override
    EntryType entryType() {
        return EntryType.ROWDATA;
    }

    @Override
    void writeNames(ByteWriter out) {
        out.write(table.names);
    }

    @Override
    boolean isLarge() {
        return true;
    }

    @Override
    int sourceBytes() {
        return 0;
    }
}
