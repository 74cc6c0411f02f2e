package io.sluice.store.entry;

import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.entry.EventType;
import io.sluice.protocol.position.EntryPosition;
import io.sluice.protocol.position.LogPosition;

/** An entry that is nothing but its number, a kind and a size; its number is also its position. */
public record NumberedEntry(int number, EntryKind kind, int sizeBytes, boolean hasGtid) implements Entry {
    public static NumberedEntry of(int number) {
        return new NumberedEntry(number, EntryKind.ROWS, 1, false);
    }

    public static NumberedEntry of(int number, EntryKind kind) {
        return new NumberedEntry(number, kind, 1, false);
    }

    public static NumberedEntry sized(int number, int sizeBytes) {
        return new NumberedEntry(number, EntryKind.ROWS, sizeBytes, false);
    }

    @Override
    public EventType eventType() {
        return EventType.INSERT;
    }

    @Override
    public String schemaName() {
        return "shop";
    }

    @Override
    public String tableName() {
        return "orders";
    }

    @Override
    public long executeTimeMillis() {
        return number * 1000L;
    }

    @Override
    public int rowCount() {
        return kind == EntryKind.ROWS ? 2 : 0;
    }

    @Override
    public LogPosition position() {
        return new LogPosition(
                "localhost", 3306, new EntryPosition("binlog.000001", number, 1, executeTimeMillis(), ""));
    }

    @Override
    public void writeProtobuf(ByteWriter out) {
        out.writeAscii(Integer.toString(number));
    }

    @Override
    public boolean writeFlat(ByteWriter out, long batchId, long builtAtMillis) {
        out.writeAscii(Integer.toString(number));
        return true;
    }
}
