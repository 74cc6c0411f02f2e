package io.sluice.connector.api;

import io.sluice.format.entry.ChangeId;
import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.format.row.RowPart;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.entry.EventType;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;

/** An entry whose protobuf bytes are a text, and whose flat form is the same text; its number is its position. */
public record TextEntry(int number, EntryKind kind, String text, int sizeBytes) implements TextForm {
    public TextEntry(int number, EntryKind kind, String text) {
        this(number, kind, text, 1 + text.length());
    }

    public static TextEntry of(int number) {
        return new TextEntry(number, EntryKind.ROWS, Integer.toString(number));
    }

    public static TextEntry end(int number) {
        return new TextEntry(number, EntryKind.END, Integer.toString(number));
    }

    /** An entry of rows that states another size than that of its text. */
    public static TextEntry of(int number, int sizeBytes) {
        return new TextEntry(number, EntryKind.ROWS, Integer.toString(number), sizeBytes);
    }

    /** Entries of one row each, numbered so. */
    public static List<Entry> range(int from, int to) {
        return IntStream.range(from, to).<Entry>mapToObj(TextEntry::of).toList();
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
        return 1000;
    }

    @Override
    public int rowCount() {
        return kind == EntryKind.ROWS ? 1 : 0;
    }

    @Override
    public boolean isBoundary() {
        return kind == EntryKind.END || kind == EntryKind.DDL;
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
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }
}
