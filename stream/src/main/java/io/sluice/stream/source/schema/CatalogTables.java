package io.sluice.stream.source.schema;

import io.sluice.mysql.wire.query.HeapBudget;
import io.sluice.mysql.wire.query.QueryResult;
import io.sluice.mysql.wire.query.ResultLimit;
import io.sluice.mysql.wire.query.RowTaker;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Gathers tables from rows with a column each, which are in the order of the tables. Equal texts, columns and lists of columns are in memory once, since most
 * tables of a source that has many have the same columns. For one thread.
 */
final class CatalogTables implements RowTaker {
    /** An object with two references, and its place in a map, besides the bytes of a text. */
    private static final int OBJECT_BYTES = 96;

    private static final int REFERENCE_BYTES = 4;

    private final HeapBudget budget;
    private final List<SourceCatalog.Table> tables = new ArrayList<>();
    private final Map<String, String> texts = new HashMap<>();
    private final Map<SourceCatalog.Column, SourceCatalog.Column> columns = new HashMap<>();
    private final Map<List<SourceCatalog.Column>, List<SourceCatalog.Column>> lists = new HashMap<>();
    private final List<SourceCatalog.Column> open = new ArrayList<>();
    private String schema = "";
    private String table = "";

    CatalogTables() {
        this(ResultLimit.CATALOG);
    }

    CatalogTables(ResultLimit limit) {
        budget = new HeapBudget(limit, "the list of all columns");
    }

    /** Takes schema, table and name of a column, {@code PRI} if it is in the primary key, and its collation, if it has one. */
    @Override
    public void take(QueryResult.Row row) throws IOException {
        String rowSchema = String.valueOf(row.text(0));
        String rowTable = String.valueOf(row.text(1));
        if (!rowSchema.equals(schema) || !rowTable.equals(table)) {
            end();
            schema = shared(rowSchema);
            table = rowTable;
        }
        open.add(shared(new SourceCatalog.Column(shared(row.text(2)), "PRI".equals(row.text(3)), shared(row.text(4)))));
    }

    private String shared(@Nullable String text) throws IOException {
        String own = text == null ? "" : text;
        String known = texts.putIfAbsent(own, own);
        if (known == null) {
            budget.take(OBJECT_BYTES + own.length());
        }
        return known == null ? own : known;
    }

    private SourceCatalog.Column shared(SourceCatalog.Column column) throws IOException {
        SourceCatalog.Column known = columns.putIfAbsent(column, column);
        if (known == null) {
            budget.take(OBJECT_BYTES);
        }
        return known == null ? column : known;
    }

    private void end() throws IOException {
        if (open.isEmpty()) {
            return;
        }
        List<SourceCatalog.Column> own = List.copyOf(open);
        List<SourceCatalog.Column> known = lists.putIfAbsent(own, own);
        if (known == null) {
            budget.take(OBJECT_BYTES + (long) REFERENCE_BYTES * own.size());
        }
        budget.take(OBJECT_BYTES + table.length());
        tables.add(new SourceCatalog.Table(schema, table, known == null ? own : known));
        open.clear();
    }

    /** Ends the last table, and returns all. */
    List<SourceCatalog.Table> all() throws IOException {
        end();
        return tables;
    }
}
