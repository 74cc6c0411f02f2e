package io.sluice.stream.source.schema;

import io.sluice.mysql.wire.error.ResultTooLargeException;
import io.sluice.mysql.wire.query.ResultLimit;
import io.sluice.schema.ddl.catalog.TableCatalog;
import io.sluice.schema.table.SchemaHeap;
import io.sluice.schema.table.TableName;
import io.sluice.schema.table.TableSchema;
import io.sluice.stream.source.server.SourceQueries;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** Reads the definitions of any number of tables from a source: of one page at a time the texts are in memory, of all tables only what is kept of them. */
final class PagedDefinitions {
    private static final int TABLES_PER_PAGE = 200;

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
     * Reads the definitions of tables, as {@link SourceQueries#createStatements} does. A page that exceeds what may be in memory at once is read in halves, and the
     * next ones are larger again.
     *
     * @param catalog keeps what is taken; other tables in it stay
     * @param areRecorded whether they are written to a schema history
     * @param progress is told of how many tables the definitions were read, after each page
     * @throws ResultTooLargeException if the heap has no room for all of them, or for a snapshot of them
     */
    static void read(
            SourceQueries queries,
            List<TableName> tables,
            TableCatalog catalog,
            boolean areRecorded,
            Taker taker,
            IntConsumer progress)
            throws IOException {
        Set<TableName> names = new HashSet<>(tables);
        List<TableSchema> others = catalog.tables().schemas().stream()
                .filter(table -> !names.contains(table.name()))
                .toList();
        int all = others.size() + tables.size();
        try (SchemaHeap.Step heap =
                catalog.heap().step("the schemas of %d tables".formatted(all), ResultLimit.IF_SOURCE, areRecorded)) {
            int done = 0;
            for (TableSchema table : others) {
                heap.add(table, (double) ++done / all);
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
                        heap.add(table, (double) ++done / all);
                    }
                }
                from = to;
                page = Math.min(TABLES_PER_PAGE, grown(page, definitions));
                progress.accept(to);
            }
        }
    }

    /** The next page, twice as large if that is far from the most that may be in memory at once. */
    private static int grown(int page, Map<TableName, String> definitions) {
        long characters =
                definitions.values().stream().mapToLong(String::length).sum();
        return characters < ResultLimit.LARGE.heapBytes() / 8 ? 2 * page : page;
    }
}
