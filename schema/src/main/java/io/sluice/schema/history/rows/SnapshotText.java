package io.sluice.schema.history.rows;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.schema.history.database.HistoryDatabase;
import io.sluice.schema.table.SchemaHeap;
import java.io.IOException;
import java.io.Reader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the table schemas of a snapshot in pieces, so that a large text is in memory once only: in what is made of it. For one thread. */
public final class SnapshotText extends Reader {
    private static final int PIECE_CHARS = 1 << 21;

    private final HistoryDatabase database;
    private final long id;
    private final int pieceChars;
    private final SchemaHeap.Step heap;
    private String piece = "";
    private int at;

    /** Characters, as databases count them. */
    private long done;

    private boolean isLast;

    /** That the first piece came over. */
    private long connections;

    /** Prepares to read the text of a snapshot, which must have room in the heap. */
    public SnapshotText(HistoryDatabase database, long id, SchemaHeap.Step heap) {
        this(database, id, PIECE_CHARS, heap);
    }

    /**
     * Prepares to read the text of a snapshot, in pieces of a given size.
     *
     * @param pieceChars how many characters are read at once
     * @param heap must have room for the whole text
     */
    public SnapshotText(HistoryDatabase database, long id, int pieceChars, SchemaHeap.Step heap) {
        this.database = database;
        this.id = id;
        this.pieceChars = pieceChars;
        this.heap = heap;
    }

    @Override
    public int read(char[] to, int offset, int length) throws IOException {
        while (at == piece.length()) {
            if (isLast) {
                return -1;
            }
            next();
        }
        int count = Math.min(length, piece.length() - at);
        piece.getChars(at, at + count, to, offset);
        at += count;
        return count;
    }

    private void next() throws IOException {
        piece = ""; // not beside the next one
        at = 0;
        piece = HistoryColumns.text(
                value(database, "select substr(data, ?, ?) from meta_snapshot where id = ?", done + 1, pieceChars, id));
        requireSameServer();
        int chars = piece.codePointCount(0, piece.length());
        done += chars;
        if (!heap.addText(piece)) {
            throw heap.textTooLarge(part());
        }
        isLast = chars < pieceChars;
    }

    /** Which part of the text was read. MySQL has its length in bytes. */
    private double part() throws IOException {
        String length = value(database, "select length(data) from meta_snapshot where id = ?", id);
        return Math.min(1, (double) done / Math.max(1, HistoryColumns.number(length)));
    }

    /** After a broken connection the address may lead to another server, whose text is another one. */
    private void requireSameServer() throws SourceException {
        long now = database.connections();
        if (done == 0) {
            connections = now;
        } else if (connections != now) {
            throw new SourceException(
                    SourceFailure.HISTORY_UNREACHABLE,
                    "the connection to the schema history %s broke while a snapshot was read"
                            .formatted(database.location()),
                    SourceFailure.HISTORY_UNREACHABLE.remedy());
        }
    }

    /**
     * Reads one value of a snapshot.
     *
     * @throws SourceException if the snapshot is gone: the next attempt looks for one that is there
     */
    static @Nullable String value(HistoryDatabase database, String sql, Object... values) throws IOException {
        List<@Nullable String[]> rows = database.query(sql, values);
        if (rows.isEmpty()) {
            throw new SourceException(
                    SourceFailure.HISTORY_UNREACHABLE,
                    "a snapshot of the schema history %s is gone: another process removed it while it was read, or another server answers"
                            .formatted(database.location()),
                    "see that no other instance has this schema history");
        }
        return rows.get(0)[0];
    }

    @Override
    public void close() {
        piece = "";
    }
}
