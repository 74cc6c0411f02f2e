package io.sluice.stream.source.schema;

import io.sluice.mysql.wire.query.HeapBudget;
import io.sluice.mysql.wire.query.ResultLimit;
import io.sluice.mysql.wire.query.TextHeap;
import io.sluice.schema.table.ColumnSchema;
import io.sluice.schema.table.TableName;
import io.sluice.schema.table.TableSchema;
import io.sluice.schema.table.TableText;
import io.sluice.stream.source.server.SourceQueries;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** Reads the definitions of any number of tables from a source: of one page at a time the texts are in memory, of all tables only what is kept of them. */
final class PagedDefinitions {
    private static final int TABLES_PER_PAGE = 200;

    /** A table with its names, besides its columns. */
    private static final int TABLE_BYTES = 200;

    /** A column with its name and its type, besides their characters. */
    private static final int COLUMN_BYTES = 135;

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
     * Reads the definitions of tables, as {@link SourceQueries#createStatements} does.
     *
     * @param areRecorded whether they are written to a schema history
     * @param progress is told of how many tables the definitions were read, after each page
     */
    static void read(
            SourceQueries queries, List<TableName> tables, boolean areRecorded, Taker taker, IntConsumer progress)
            throws IOException {
        TextHeap snapshot = new TextHeap();
        HeapBudget budget =
                new HeapBudget(ResultLimit.ALL_TABLES, "what is kept of %d tables".formatted(tables.size()));
        for (int from = 0; from < tables.size(); from += TABLES_PER_PAGE) {
            int to = Math.min(tables.size(), from + TABLES_PER_PAGE);
            for (Map.Entry<TableName, String> definition :
                    queries.createStatements(tables.subList(from, to)).entrySet()) {
                TableSchema kept = taker.take(definition.getKey(), definition.getValue());
                if (kept != null) {
                    long text = areRecorded ? snapshot.add(TableText.of(kept)) : 0;
                    budget.take(heapBytes(kept) + SNAPSHOT_COPIES * text);
                }
            }
            progress.accept(to);
        }
    }

    private static long heapBytes(TableSchema table) {
        long bytes = TABLE_BYTES;
        for (ColumnSchema column : table.columns()) {
            bytes += COLUMN_BYTES + column.name().length() + column.mysqlType().length();
        }
        return bytes;
    }
}
