package io.sluice.stream.source.schema;

import io.sluice.mysql.wire.error.ResultTooLargeException;
import io.sluice.mysql.wire.query.HeapBudget;
import io.sluice.mysql.wire.query.ResultLimit;
import io.sluice.mysql.wire.query.TextHeap;
import io.sluice.schema.table.TableHeap;
import io.sluice.schema.table.TableName;
import io.sluice.schema.table.TableSchema;
import io.sluice.schema.table.TableText;
import io.sluice.stream.source.server.SourceQueries;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** Reads the definitions of any number of tables from a source: of one page at a time the texts are in memory, of all tables only what is kept of them. */
final class PagedDefinitions {
    private static final int TABLES_PER_PAGE = 200;

    /** Of the text of all tables when a snapshot is written: by schemas, as JSON, in a statement, and what these grow out of. */
    private static final int SNAPSHOT_COPIES = 6;

    private PagedDefinitions() {}

    /** Takes the definition of a table. */
    interface Taker {
        /**
         * Takes it.
         *
         * @return what is kept of it; null for nothing
         */
        @Nullable TableSchema take(TableName table, String createStatement) throws IOException;
    }

    /**
     * Reads the definitions of tables, as {@link SourceQueries#createStatements} does. A page that exceeds what may be in memory at once is read in halves.
     *
     * @param areRecorded whether they are written to a schema history
     * @param progress is told of how many tables the definitions were read, after each page
     */
    static void read(
            SourceQueries queries, List<TableName> tables, boolean areRecorded, Taker taker, IntConsumer progress)
            throws IOException {
        read(queries, tables, List.of(), areRecorded, taker, progress);
    }

    /**
     * The same for tables that are added to others.
     *
     * @param kept the others, which are written to the schema history, too
     */
    static void read(
            SourceQueries queries,
            List<TableName> tables,
            Collection<TableSchema> kept,
            boolean areRecorded,
            Taker taker,
            IntConsumer progress)
            throws IOException {
        Kept all = new Kept(kept.size() + tables.size(), areRecorded);
        for (TableSchema table : kept) {
            all.add(table);
        }
        int page = TABLES_PER_PAGE;
        int from = 0;
        while (from < tables.size()) {
            int to = Math.min(tables.size(), from + page);
            Map<TableName, String> definitions;
            try {
                definitions = queries.createStatements(tables.subList(from, to));
            } catch (ResultTooLargeException e) {
                if (to - from == 1) {
                    throw e;
                }
                page = (to - from) / 2;
                continue;
            }
            for (Map.Entry<TableName, String> definition : definitions.entrySet()) {
                TableSchema table = taker.take(definition.getKey(), definition.getValue());
                if (table != null) {
                    all.add(table);
                }
            }
            from = to;
            progress.accept(to);
        }
    }

    /** Counts the heap of what is kept, with the texts that are made of it for a snapshot. */
    private static final class Kept {
        private final HeapBudget budget;
        private final boolean areRecorded;
        private final TextHeap snapshot = new TextHeap();

        Kept(int tables, boolean areRecorded) {
            this.budget = new HeapBudget(ResultLimit.ALL_TABLES, "what is kept of %d tables".formatted(tables));
            this.areRecorded = areRecorded;
        }

        void add(TableSchema table) throws ResultTooLargeException {
            long text = areRecorded ? snapshot.add(TableText.of(table)) : 0;
            budget.take(TableHeap.bytes(table) + SNAPSHOT_COPIES * text);
        }
    }
}
