package io.sluice.schema.history.restore;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.wire.error.ResultTooLargeException;
import io.sluice.mysql.wire.query.ResultLimit;
import io.sluice.schema.history.rows.HistoryRow;
import io.sluice.schema.history.rows.HistoryTables;
import java.io.IOException;
import java.util.List;

/**
 * Reads rows of a history page by page, by ascending ids. A row may have a DDL of any size: what exceeds the memory of a page is read in smaller pages, and they grow
 * again. For one thread.
 */
final class RowPages {
    private final HistoryTables tables;
    private final int most;
    private final long bytes;
    private int page;

    /**
     * Begins with pages of a number of rows.
     *
     * @param most how many rows a page has at most
     * @param readers how many of these pages are in memory at the same time
     */
    RowPages(HistoryTables tables, int most, int readers) {
        this.tables = tables;
        this.most = most;
        this.bytes = ResultLimit.HISTORY.heapBytes() / Math.max(1, readers);
        this.page = most;
    }

    /**
     * The next rows after an id, up to another.
     *
     * @return nothing if there are none
     * @throws IOException if the database cannot be reached, or a single row exceeds what may be in memory at once
     */
    List<HistoryRow> read(long after, long lastId) throws IOException {
        while (true) {
            try {
                List<HistoryRow> rows = tables.rows().read(after, lastId, page);
                resize(rows);
                return rows;
            } catch (SourceException e) {
                if (page == 1 || !(e.getCause() instanceof ResultTooLargeException)) {
                    throw e;
                }
                page /= 2;
            }
        }
    }

    /** Two bytes for each character are the most that a text takes. */
    private void resize(List<HistoryRow> rows) {
        long read = rows.stream().mapToLong(row -> 2L * row.text().length()).sum();
        if (read > bytes / 2) {
            page = Math.max(1, page / 2);
        } else if (read < bytes / 8) {
            page = Math.min(most, 2 * page);
        }
    }
}
