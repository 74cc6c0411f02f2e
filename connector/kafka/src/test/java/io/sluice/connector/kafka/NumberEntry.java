package io.sluice.connector.kafka;

import io.sluice.connector.api.TextForm;
import io.sluice.format.entry.ChangeId;
import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.format.row.RowPart;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.entry.EventType;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.store.ring.EntryRing;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/** An entry whose both forms are its number, filled up with blanks to a size; each ends a transaction. */
record NumberEntry(int number, int textBytes) implements TextForm {
    static List<Entry> range(int from, int to) {
        return IntStream.range(from, to)
                .<Entry>mapToObj(number -> new NumberEntry(number, 100))
                .toList();
    }

    /** Puts so many entries, more until the condition holds, and some behind that. Says how many they are. */
    static int putUntil(BooleanSupplier condition, int atLeast, EntryRing ring) throws InterruptedException {
        int next = 0;
        boolean isEnough = false;
        while (!isEnough) {
            isEnough = next >= atLeast && condition.getAsBoolean();
            ring.put(range(next, next + 100));
            next += 100;
        }
        return next;
    }

    @Override
    public EntryKind kind() {
        return EntryKind.DDL;
    }

    @Override
    public EventType eventType() {
        return EventType.ALTER;
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
        return 1000;
    }

    @Override
    public int rowCount() {
        return 0;
    }

    @Override
    public int sizeBytes() {
        return textBytes;
    }

    @Override
    public boolean isBoundary() {
        return true;
    }

    @Override
    public Cursor cursor() {
        return new Cursor("localhost", 3306, new BinlogPosition("binlog.000001", number), "", 1, 1000);
    }

    @Override
    public ChangeId changeId() {
        return new ChangeId(null, 1, "binlog.000001", number, 0, 0, rowCount(), RowPart.WHOLE);
    }

    @Override
    public void writeText(ByteWriter out) {
        String digits = Integer.toString(number);
        out.writeAscii(digits);
        out.writeAscii(" ".repeat(textBytes - digits.length()));
    }
}
