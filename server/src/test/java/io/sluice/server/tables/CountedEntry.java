package io.sluice.server.tables;

import io.sluice.format.entry.ChangeId;
import io.sluice.format.entry.EntryKind;
import io.sluice.format.entry.ImageEntry;
import io.sluice.format.row.RowPart;
import io.sluice.protocol.entry.EventType;
import io.sluice.protocol.position.Cursor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An entry that counts how often its rows are asked for.
 *
 * @param asked how often its number of rows was asked for
 */
record CountedEntry(
        EntryKind kind,
        EventType eventType,
        String schemaName,
        String tableName,
        int rows,
        int sizeBytes,
        long executeTimeMillis,
        AtomicInteger asked)
        implements ImageEntry {
    static CountedEntry of(EventType type, String table, int rows, int bytes, long timeMillis) {
        return new CountedEntry(EntryKind.ROWS, type, "shop", table, rows, bytes, timeMillis, new AtomicInteger());
    }

    static CountedEntry insert(String table, int rows) {
        return of(EventType.INSERT, table, rows, 10, 1_000);
    }

    @Override
    public int rowCount() {
        asked.incrementAndGet();
        return rows;
    }

    @Override
    public boolean isBoundary() {
        return false;
    }

    @Override
    public Cursor cursor() {
        throw new IllegalStateException("no boundary");
    }

    @Override
    public ChangeId changeId() {
        return new ChangeId(null, 1, "binlog.000001", 4, 0, 0, rows, RowPart.WHOLE);
    }
}
