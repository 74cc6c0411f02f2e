package io.sluice.store.ring;

import io.sluice.format.entry.ChangeId;
import io.sluice.format.entry.EntryKind;
import io.sluice.format.entry.ImageEntry;
import io.sluice.format.row.RowPart;
import io.sluice.protocol.entry.EventType;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;

/** An entry that has a number, a kind and a size only; its number is also the offset of its cursor. */
public record NumberedEntry(int number, EntryKind kind, int sizeBytes, boolean isBoundary) implements ImageEntry {
    public static NumberedEntry of(int number) {
        return new NumberedEntry(number, EntryKind.ROWS, 1, false);
    }

    public static NumberedEntry of(int number, EntryKind kind) {
        return new NumberedEntry(number, kind, 1, kind == EntryKind.END || kind == EntryKind.DDL);
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
    public Cursor cursor() {
        if (!isBoundary) {
            throw new IllegalStateException("no cursor after entry " + number);
        }
        return new Cursor("localhost", 3306, new BinlogPosition("binlog.000001", number), "", 1, executeTimeMillis());
    }

    @Override
    public ChangeId changeId() {
        return new ChangeId(null, 1, "binlog.000001", number, 0, 0, rowCount(), RowPart.WHOLE);
    }
}
