package io.sluice.schema.history;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Finds out how far a history reaches in a binlog, from its newest rows backwards. For one thread. */
final class HistoryExtent {
    private static final int ROWS_PER_PAGE = 100;

    private final HistoryTables tables;

    HistoryExtent(HistoryTables tables) {
        this.tables = tables;
    }

    /** Whether there is a row or a snapshot at or after a position in the same binlog. */
    boolean reaches(HistoryPoint point) throws IOException {
        for (HistorySnapshot snapshot : tables.snapshots()) {
            Stamp stamp = snapshot.stamp();
            if (!stamp.isFirst() && isReached(point, stamp)) {
                return true;
            }
        }
        if (point.file().isEmpty()) {
            return false; // offsets cannot be compared
        }
        for (HistoryFileKey file : newestFirst()) {
            boolean isLater = Stamp.compareFiles(file.file(), point.file()) >= 0;
            if ((isLater || point.byTransactions()) && lastRow(file, row -> isReached(point, row.stamp())) != null) {
                return true;
            }
        }
        return false;
    }

    /**
     * The oldest snapshot of this history that has a position, if a point is before it: the DDL between both is not known. Null if all DDL
     * after the point is known, or that cannot be told: the history is canal's, or GTIDs decide what is read from another server.
     */
    @Nullable Stamp beginningAfter(HistoryPoint point) throws IOException {
        for (HistorySnapshot snapshot : tables.snapshots()) {
            Stamp stamp = snapshot.stamp();
            if (!stamp.isFirst()) {
                boolean isKnown = !stamp.source().isEmpty() && (stamp.isOfSameBinlog(point) || !point.byTransactions());
                return isKnown && !stamp.isAtOrBefore(point) ? stamp : null;
            }
        }
        return null;
    }

    private static boolean isReached(HistoryPoint point, Stamp stamp) {
        return stamp.isOfSameBinlog(point) && !stamp.isBefore(point);
    }

    /** Whether no snapshot and no row names a source, as canal's do not. */
    boolean isOfCanal() throws IOException {
        for (HistorySnapshot snapshot : tables.snapshots()) {
            if (!snapshot.stamp().source().isEmpty()) {
                return false;
            }
        }
        for (HistoryFileKey file : newestFirst()) {
            if (lastRow(file, row -> !row.stamp().source().isEmpty()) != null) {
                return false;
            }
        }
        return true;
    }

    /** The newest position of a source; null if there is none. */
    @Nullable HistoryEnd end(String source) throws IOException {
        HistoryEnd newest = null;
        for (HistorySnapshot snapshot : tables.snapshots()) {
            Stamp stamp = snapshot.stamp();
            if (!stamp.isFirst() && stamp.source().equals(source)) {
                newest = later(
                        newest, new HistoryEnd(source, stamp.file(), stamp.offset(), OptionalLong.of(stamp.offset())));
            }
        }
        for (HistoryFileKey file : newestFirst()) {
            if (newest != null && Stamp.compareFiles(file.file(), newest.file()) < 0) {
                break;
            }
            HistoryRow row =
                    lastRow(file, candidate -> candidate.stamp().source().equals(source));
            if (row != null) {
                newest = later(
                        newest,
                        new HistoryEnd(source, row.stamp().file(), row.stamp().offset(), row.end()));
            }
        }
        return newest;
    }

    private static HistoryEnd later(@Nullable HistoryEnd one, HistoryEnd other) {
        if (one == null) {
            return other;
        }
        int order = Stamp.compareFiles(one.file(), other.file());
        if (order == 0) {
            order = Long.compare(one.end().orElse(one.offset()), other.end().orElse(other.offset()));
        }
        return order < 0 ? other : one;
    }

    private List<HistoryFileKey> newestFirst() throws IOException {
        List<HistoryFileKey> files = new ArrayList<>(tables.files());
        Comparator<HistoryFileKey> byFile = (a, b) -> Stamp.compareFiles(a.file(), b.file());
        files.sort(byFile.reversed());
        return files;
    }

    /** The last row of a file that meets a condition; null if none does. */
    private @Nullable HistoryRow lastRow(HistoryFileKey file, Predicate<HistoryRow> condition) throws IOException {
        long below = Long.MAX_VALUE;
        while (true) {
            List<HistoryRow> rows = tables.rowsBackwards(file, below, ROWS_PER_PAGE);
            for (HistoryRow row : rows) {
                if (condition.test(row)) {
                    return row;
                }
                below = row.stamp().offset();
            }
            if (rows.size() < ROWS_PER_PAGE) {
                return null;
            }
        }
    }
}
