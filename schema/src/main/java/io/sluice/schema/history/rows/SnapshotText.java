package io.sluice.schema.history.rows;

import io.sluice.mysql.wire.query.HeapBudget;
import io.sluice.mysql.wire.query.ResultLimit;
import io.sluice.schema.history.database.HistoryDatabase;
import io.sluice.schema.history.database.HistoryException;
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
    private String piece = "";
    private int at;

    /** Characters, as databases count them. */
    private long done;

    private boolean isLast;

    public SnapshotText(HistoryDatabase database, long id) {
        this(database, id, PIECE_CHARS, ResultLimit.SNAPSHOT);
    }

    /**
     * The same with other sizes.
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
        int chars = piece.codePointCount(0, piece.length());
        budget.take(piece.length());
        done += chars;
        isLast = chars < pieceChars;
    }

    /**
     * Reads one value of a snapshot.
     *
     * @throws HistoryException if the snapshot is gone
     */
    static @Nullable String value(HistoryDatabase database, String sql, Object... values) throws IOException {
        List<@Nullable String[]> rows = database.query(sql, values);
        if (rows.isEmpty()) {
            throw new HistoryException(
                    "a snapshot of the schema history %s is gone: another process removed it while it was read; start again"
                            .formatted(database.location()));
        }
        return rows.get(0)[0];
    }

    @Override
    public void close() {
        piece = "";
    }
}
