package io.sluice.server.tcp;

import io.sluice.format.entry.ChangeId;
import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.entry.EventType;
import io.sluice.protocol.entry.Header;
import io.sluice.protocol.position.Cursor;
import io.sluice.server.pull.TestEntry;
import org.jspecify.annotations.Nullable;

/** An entry of tests whose bytes are a message: one that has nothing but its offset. */
record ReadableEntry(TestEntry of) implements Entry {
    @Override
    public EntryKind kind() {
        return of.kind();
    }

    @Override
    public @Nullable EventType eventType() {
        return of.eventType();
    }

    @Override
    public String schemaName() {
        return of.schemaName();
    }

    @Override
    public String tableName() {
        return of.tableName();
    }

    @Override
    public long executeTimeMillis() {
        return of.executeTimeMillis();
    }

    @Override
    public int rowCount() {
        return of.rowCount();
    }

    @Override
    public int sizeBytes() {
        return of.sizeBytes();
    }

    @Override
    public boolean isBoundary() {
        return of.isBoundary();
    }

    @Override
    public Cursor cursor() {
        return of.cursor();
    }

    @Override
    public ChangeId changeId() {
        return of.changeId();
    }

    @Override
    public void writeProtobuf(ByteWriter out) {
        out.write(io.sluice.protocol.entry.Entry.newBuilder()
                .setHeader(Header.newBuilder().setLogfileOffset(of.offset()))
                .build()
                .toByteArray());
    }

    @Override
    public boolean writeFlat(ByteWriter out, long batchId, long builtAtMillis) {
        return of.writeFlat(out, batchId, builtAtMillis);
    }
}
