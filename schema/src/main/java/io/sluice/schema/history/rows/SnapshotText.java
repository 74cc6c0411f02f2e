package io.sluice.schema.history.rows;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.query.HeapBudget;
import io.sluice.mysql.wire.query.ResultLimit;
import io.sluice.mysql.wire.query.TextHeap;
import io.sluice.schema.history.database.HistoryDatabase;
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
    private final HeapBudget budget;
    private final TextHeap heap = new TextHeap();
    private String piece = "";
    private int at;

    /** Characters, as databases count them. */
    private long done;

    private boolean isLast;

    /** That the first piece came over. */
    private long connections;

    public SnapshotText(HistoryDatabase database, long id) {
        this(database, id, PIECE_CHARS, ResultLimit.SNAPSHOT);
    }

    /**
     * Prepares to read the text of a snapshot, in pieces of a given size.
     *
     * @param pieceChars how many characters are read at once
     * @param limit of the whole text
     */
    public SnapshotText(HistoryDatabase database, long id, int pieceChars, ResultLimit limit) {
        this.database = database;
        this.id = id;
        this.pieceChars = pieceChars;
        this.budget = new HeapBudget(limit, "its text");
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
        budget.take(heap.add(piece));
        done += chars;
        isLast = chars < pieceChars;
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
