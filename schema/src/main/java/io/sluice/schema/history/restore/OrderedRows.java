package io.sluice.schema.history.restore;

import io.sluice.mysql.gtid.MariaDbGtidSet;
import io.sluice.schema.history.rows.HistoryPosition;
import io.sluice.schema.history.rows.HistoryRow;
import io.sluice.schema.history.rows.HistoryTables;
import io.sluice.schema.history.rows.RowPosition;
import io.sluice.schema.history.rows.RowSelection;
import io.sluice.schema.history.rows.SkippedPart;
import io.sluice.schema.history.rows.StreamStart;
import io.sluice.schema.history.rows.TransactionOrder;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the rows of a history in the order of their effect: by position within a source, and between sources by the numbers of their
 * transactions, or else by time.
 *
 * <p>Rows are written in that order, except after a stream was begun again at an older position or on another server. So by ascending
 * ids the rows of one source form few ascending runs. A first pass over the positions finds the runs, a second one merges them. It has
 * one page of each run in memory, however many rows there are. For one thread.
 */
final class OrderedRows {
    /** A choice of rows. */
    interface Wanted {
        boolean test(HistoryPosition position) throws IOException;
    }

    /** Receives the rows. */
    interface Consumer {
        void accept(HistoryRow row) throws IOException;
    }

    private static final int KEYS_PER_PAGE = 2_000;
    private static final int ROWS_IN_MEMORY = 2_000;
    private static final int MIN_ROWS_PER_PAGE = 16;
    private static final int MAX_ROWS_PER_PAGE = 256;
    private static final Comparator<HistoryPosition> IN_BINLOG = HistoryPosition.IN_BINLOG;

    private final HistoryTables tables;
    private final SkippedPart skipped;
    private final TransactionOrder order;
    private final Wanted wanted;
    private final List<Run> runs = new ArrayList<>();
    private final Set<String> sources = new HashSet<>();
    private final Set<String> binlogs = new HashSet<>();

    /**
     * Finds the runs.
     *
     * @param order of transactions, where their numbers do not tell it
     * @param wanted whether a row of the selection is one to read
     */
    OrderedRows(HistoryTables tables, RowSelection selection, TransactionOrder order, Wanted wanted)
            throws IOException {
        this.tables = tables;
        this.skipped = selection.skipped();
        this.order = order;
        this.wanted = wanted;
        Map<String, Run> open = new HashMap<>();
        long after = 0;
        while (true) {
            List<RowPosition> keys = tables.rows().keys(selection, after, KEYS_PER_PAGE);
            for (RowPosition key : keys) {
                if (isWanted(key.id(), key.position())) {
                    extend(open, key);
                }
            }
            if (keys.size() < KEYS_PER_PAGE) {
                return;
            }
            after = keys.get(keys.size() - 1).id();
            failIfInterrupted();
        }
    }

    private boolean isWanted(long id, HistoryPosition position) throws IOException {
        return skipped.isFollowedBy(id, position) && wanted.test(position);
    }

    private void extend(Map<String, Run> open, RowPosition key) {
        String source = key.position().source();
        sources.add(source);
        binlogs.add(key.position().binlog());
        Run run = open.get(source);
        if (run == null || IN_BINLOG.compare(run.last, key.position()) > 0) {
            run = new Run(source, key);
            open.put(source, run);
            runs.add(run);
        }
        run.last = key.position();
        run.lastId = key.id();
    }

    /** Whether the rows are from several binlogs, of several servers or from before and after a reset. */
    boolean hasSeveralBinlogs() {
        return binlogs.size() > 1;
    }

    /** Whether a row is from another server's binlog. */
    boolean hasOthersThan(String source) {
        return sources.stream().anyMatch(one -> !one.equals(source));
    }

    /** Hands over each row once, in order. */
    void forEach(Consumer consumer) throws IOException {
        int page = Math.max(MIN_ROWS_PER_PAGE, Math.min(MAX_ROWS_PER_PAGE, ROWS_IN_MEMORY / Math.max(1, runs.size())));
        Map<String, PriorityQueue<Cursor>> bySource = new HashMap<>();
        for (Run run : runs) {
            Cursor cursor = new Cursor(run, page);
            if (cursor.head() != null) {
                bySource.computeIfAbsent(run.source, source -> new PriorityQueue<>(Cursor.IN_BINLOG_ORDER))
                        .add(cursor);
            }
        }
        List<PriorityQueue<Cursor>> sourcesLeft = new ArrayList<>(bySource.values());
        while (!sourcesLeft.isEmpty()) {
            PriorityQueue<Cursor> source = first(sourcesLeft);
            Cursor cursor = source.remove();
            consumer.accept(cursor.take());
            if (cursor.head() != null) {
                source.add(cursor);
            }
            if (source.isEmpty()) {
                sourcesLeft.remove(source);
            }
        }
    }

    private PriorityQueue<Cursor> first(List<PriorityQueue<Cursor>> ofSources) throws IOException {
        PriorityQueue<Cursor> first = ofSources.get(0);
        for (PriorityQueue<Cursor> other : ofSources.subList(1, ofSources.size())) {
            if (compareAcrossSources(headOf(other), headOf(first)) < 0) {
                first = other;
            }
        }
        return first;
    }

    private static HistoryRow headOf(PriorityQueue<Cursor> cursors) {
        return cursors.element().require();
    }

    /**
     * By the numbers of their transactions, or by time, which is in seconds, and in one second as they were written. Numbers of two servers in one domain of
     * MariaDB count if the rows were written in that order, too; otherwise the binlog is asked first.
     */
    private int compareAcrossSources(HistoryRow one, HistoryRow other) throws IOException {
        int byId = Long.compare(one.id(), other.id());
        int byNumber = one.position().compareTransactions(other.position());
        if (byNumber != 0 && byNumber != byId && one.position().isNumberedApart(other.position())) {
            Boolean isBefore = StreamStart.isWithin(
                    MariaDbGtidSet.parse(other.position().gtid()),
                    one.position().gtid(),
                    order);
            return isBefore == null ? byNumber : isBefore ? -1 : 1;
        }
        if (byNumber != 0) {
            return byNumber;
        }
        int byTime = Long.compare(one.position().timeMillis(), other.position().timeMillis());
        return byTime == 0 ? byId : byTime;
    }

    private static void failIfInterrupted() throws IOException {
        if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedIOException("interrupted while the schema history was read");
        }
    }

    /** Rows of one source whose positions ascend with their ids. */
    private static final class Run {
        final String source;
        final long firstId;
        long lastId;
        HistoryPosition last;

        Run(String source, RowPosition first) {
            this.source = source;
            this.firstId = first.id();
            this.lastId = first.id();
            this.last = first.position();
        }
    }

    /** The position of the merge in one run. */
    private final class Cursor {
        static final Comparator<Cursor> IN_BINLOG_ORDER = Comparator.comparing(
                        (Cursor cursor) -> cursor.require().position(), IN_BINLOG)
                .thenComparingLong(cursor -> cursor.require().id());

        private final Run run;
        private final RowPages pages;
        private final Deque<HistoryRow> rows = new ArrayDeque<>();
        private long after;

        Cursor(Run run, int page) throws IOException {
            this.run = run;
            this.pages = new RowPages(tables, page, runs.size());
            this.after = run.firstId - 1;
            fill();
        }

        @Nullable HistoryRow head() {
            return rows.peek();
        }

        HistoryRow require() {
            return rows.element();
        }

        HistoryRow take() throws IOException {
            HistoryRow row = rows.remove();
            if (rows.isEmpty()) {
                fill();
            }
            return row;
        }

        private void fill() throws IOException {
            while (rows.isEmpty() && after < run.lastId) {
                failIfInterrupted();
                List<HistoryRow> read = pages.read(after, run.lastId);
                for (HistoryRow row : read) {
                    if (row.position().source().equals(run.source) && isWanted(row.id(), row.position())) {
                        rows.add(row);
                    }
                }
                after = read.isEmpty() ? run.lastId : read.get(read.size() - 1).id();
            }
        }
    }
}
