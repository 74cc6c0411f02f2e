package io.sluice.server.pull;

import io.sluice.format.entry.EncodedEntry;
import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.format.entry.EventBytes;
import io.sluice.format.entry.LogFile;
import io.sluice.format.entry.Origin;
import io.sluice.format.entry.RowRules;
import io.sluice.format.entry.RowsEntry;
import io.sluice.format.entry.UnreadRowsEntry;
import io.sluice.format.row.MappedTable;
import io.sluice.protocol.entry.EventType;
import io.sluice.protocol.position.SourceServer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** Encoded entries at offsets of one binlog file; their bytes are the offset as text, padded with blanks. */
public final class TestEntry {
    private static final LogFile FILE = new LogFile(SourceServer.at("db", 3306), "binlog.000001");
    private static final int BYTES = 16;

    private TestEntry() {}

    public static Entry begin(long offset) {
        return of(EntryKind.BEGIN, offset, BYTES);
    }

    public static Entry rows(long offset) {
        return of(EntryKind.ROWS, offset, BYTES);
    }

    public static Entry end(long offset) {
        return of(EntryKind.END, offset, BYTES);
    }

    /** An entry that takes so much memory. */
    static Entry rowsOfSize(long offset, int sizeBytes) {
        int objects = rows(offset).sizeBytes() - BYTES;
        return of(EntryKind.ROWS, offset, sizeBytes - objects);
    }

    /** The rows of an event that is damaged, so that they cannot be encoded. */
    public static Entry damaged(long offset) {
        byte[] rows = {4};
        return new RowsEntry(
                new Origin(FILE, offset, 1, 1_000, 0, 0, null, false),
                EventType.INSERT,
                new MappedTable("shop", "orders", List.of()),
                7,
                EventBytes.of(rows),
                0,
                rows.length,
                null,
                0,
                RowRules.DEFAULT);
    }

    /** The rows of an event that was too large to be read, so that there is nothing to encode. */
    public static Entry unread(long offset) {
        return new UnreadRowsEntry(
                new Origin(FILE, offset, 1, 1_000, 0, 0, null, false),
                EventType.INSERT,
                new MappedTable("shop", "orders", List.of()),
                200,
                100);
    }

    /** An entry with so many bytes. */
    public static Entry of(EntryKind kind, long offset, int bytes) {
        byte[] text = Long.toString(offset).getBytes(StandardCharsets.US_ASCII);
        byte[] padded = Arrays.copyOf(text, Math.max(bytes, text.length));
        Arrays.fill(padded, text.length, padded.length, (byte) ' ');
        return of(kind, offset, padded);
    }

    /** An entry with these bytes. */
    public static Entry of(EntryKind kind, long offset, byte[] bytes) {
        boolean isBoundary = kind == EntryKind.END || kind == EntryKind.DDL;
        boolean isRows = kind == EntryKind.ROWS;
        return new EncodedEntry(
                new Origin(FILE, offset, 1, 1_000, 0, 0, null, isBoundary),
                kind,
                isRows ? EventType.INSERT : null,
                "shop",
                "orders",
                0,
                isRows ? 1 : 0,
                bytes);
    }
}
