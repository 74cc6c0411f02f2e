package io.sluice.server.pull;

import io.sluice.format.entry.ChangeId;
import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.entry.EventType;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** An entry at an offset of one binlog file; its protobuf bytes are the offset as text, padded with blanks. */
public record TestEntry(EntryKind kind, long offset, int bytes) implements Entry {
    public static TestEntry begin(long offset) {
        return new TestEntry(EntryKind.BEGIN, offset, 16);
    }

    public static TestEntry rows(long offset) {
        return new TestEntry(EntryKind.ROWS, offset, 16);
    }

    public static TestEntry end(long offset) {
        return new TestEntry(EntryKind.END, offset, 16);
    }

    @Override
    public @Nullable EventType eventType() {
        return kind == EntryKind.ROWS ? EventType.INSERT : null;
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
        return 1_000;
    }

    @Override
    public int rowCount() {
        return kind == EntryKind.ROWS ? 1 : 0;
    }

    @Override
    public int sizeBytes() {
        return bytes;
    }

    @Override
    public boolean isBoundary() {
        return kind == EntryKind.END || kind == EntryKind.DDL;
    }

    @Override
    public Cursor cursor() {
        return new Cursor("db", 3306, new BinlogPosition("binlog.000001", offset), "", 1, 1_000);
    }

    @Override
    public ChangeId changeId() {
        return new ChangeId(null, 1, "binlog.000001", offset, 0, 0, rowCount(), ChangeId.Part.WHOLE);
    }

    @Override
    public void writeProtobuf(ByteWriter out) {
        byte[] text = Long.toString(offset).getBytes(StandardCharsets.US_ASCII);
        out.write(text);
        out.ensure(Math.max(0, bytes - text.length));
        for (int i = text.length; i < bytes; i++) {
            out.writeByte(' ');
        }
    }

    @Override
    public boolean writeFlat(ByteWriter out, long batchId, long builtAtMillis) {
        return false;
    }
}
