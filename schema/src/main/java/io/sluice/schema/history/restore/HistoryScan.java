package io.sluice.schema.history.restore;

import io.sluice.schema.history.rows.HistoryFileKey;
import io.sluice.schema.history.rows.HistoryPosition;
import io.sluice.schema.history.rows.HistoryRow;
import io.sluice.schema.history.rows.HistorySnapshot;
import io.sluice.schema.history.rows.HistoryTables;
import io.sluice.schema.history.rows.RowPosition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Finds the newest rows and snapshots of a history that meet a condition: it reads rows backwards, page by page. For one thread. */
final class HistoryScan {
    private static final int ROWS_PER_PAGE = 100;

    /** Of ids and positions. */
    private static final int KEYS_PER_PAGE = 1_000;

    /** A condition of rows. */
    interface RowCondition {
        boolean test(HistoryRow row) throws IOException;
    }

    /** Takes rows until it has had enough. */
    interface RowVisitor {
        /** Takes one; returns whether it wants another one. */
        boolean visit(HistoryRow row) throws IOException;
    }

    private final HistoryTables tables;

    HistoryScan(HistoryTables tables) {
        this.tables = tables;
    }

    /** The newest id below one and above another of what meets a condition; 0 if nothing does. */
    long newestId(long belowId, long aboveId, Predicate<HistoryPosition> condition) throws IOException {
        long newest = 0;
        for (HistorySnapshot snapshot : tables.snapshots().all()) {
            HistoryPosition position = snapshot.position();
            if (!position.isFirst() && snapshot.id() < belowId && snapshot.id() > aboveId && condition.test(position)) {
                newest = Math.max(newest, snapshot.id());
            }
        }
        RowPosition row = newestRow(belowId, Math.max(aboveId, newest), condition);
        return row == null ? newest : row.id();
    }

    /** The row with the newest id below one and above another that meets a condition; null if none does. */
    @Nullable RowPosition newestRow(long belowId, long aboveId, Predicate<HistoryPosition> condition) throws IOException {
        long below = belowId;
        while (true) {
            List<RowPosition> rows = tables.rows().keysBackwards(below, aboveId, KEYS_PER_PAGE);
            for (RowPosition row : rows) {
                if (condition.test(row.position())) {
                    return row;
                }
                below = row.id();
            }
            if (rows.size() < KEYS_PER_PAGE) {
                return null;
            }
        }
    }

    /** The files that rows are in, by the order of their names backwards. */
    List<HistoryFileKey> filesNewestFirst() throws IOException {
        List<HistoryFileKey> files = new ArrayList<>(tables.rows().files());
        Comparator<HistoryFileKey> byFile = (a, b) -> HistoryPosition.compareFiles(a.file(), b.file());
        files.sort(byFile.reversed());
        return files;
    }

    /** The last row of a file that meets a condition; null if none does. */
    @Nullable HistoryRow lastRow(HistoryFileKey file, RowCondition condition) throws IOException {
        @Nullable HistoryRow[] last = new HistoryRow[1];
        forEachBackwards(file, row -> {
            last[0] = condition.test(row) ? row : null;
            return last[0] == null;
        });
        return last[0];
    }

    /** Shows the rows of a file without their statements, the last one first, until the visitor has had enough. */
    void forEachBackwards(HistoryFileKey file, RowVisitor visitor) throws IOException {
        long below = Long.MAX_VALUE;
        while (true) {
            List<HistoryRow> rows = tables.rows().readBackwards(file, below, ROWS_PER_PAGE);
            for (HistoryRow row : rows) {
                if (!visitor.visit(row)) {
                    return;
                }
                below = row.position().offset();
            }
            if (rows.size() < ROWS_PER_PAGE) {
                return;
            }
        }
    }
}
