package io.sluice.schema.ddl.catalog;

import io.sluice.mysql.wire.error.ResultTooLargeException;
import io.sluice.mysql.wire.query.HeapBudget;
import io.sluice.mysql.wire.query.ResultLimit;
import io.sluice.mysql.wire.query.TextHeap;
import io.sluice.schema.definition.StoredStatements;
import io.sluice.schema.sql.SourceTraits;
import io.sluice.schema.table.TableHeap;
import io.sluice.schema.table.TableName;
import io.sluice.schema.table.TableSchema;
import io.sluice.schema.table.TableText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Writes all tables in memory as texts for the schema history, and replaces them by such texts. For one thread. */
final class CatalogText {
    private static final String DOUBT = "doubt ";
    private static final String RENAMED = "renamed ";
    private static final String ALTERNATIVE = "alternative ";
    private static final String FLAGGED = "flagged ";

    private final CatalogTables tables;
    private final SchemaCharsets charsets;
    private final PastDefinitions past;
    private final SourceTraits source;

    CatalogText(CatalogTables tables, SchemaCharsets charsets, PastDefinitions past, SourceTraits source) {
        this.tables = tables;
        this.charsets = charsets;
        this.past = past;
        this.source = source;
    }

    /** All that is in memory, for {@link #restore}. */
    SchemaState state() {
        Map<String, StringBuilder> texts = new TreeMap<>();
        Map<String, String> notes = new TreeMap<>();
        for (KnownTable known : tables.all()) {
            TableName name = known.name();
            texts.computeIfAbsent(name.schema(), schema -> new StringBuilder()).append(TableText.of(known.schema()));
            if (known.recheck() != RecheckReason.NONE) {
                notes.put(DOUBT + name, known.recheck().name());
            }
            if (known.isNameInDoubt()) {
                notes.put(RENAMED + name, "");
            }
            TableDoubt doubt = known.doubt();
            if (doubt != null) {
                addTo(notes, name, doubt);
            }
        }
        charsets.addTo(notes);
        Map<String, String> definitionsOf = new TreeMap<>();
        texts.forEach((schema, text) -> definitionsOf.put(schema, text.toString()));
        return new SchemaState(definitionsOf, notes);
    }

    private static void addTo(Map<String, String> notes, TableName name, TableDoubt doubt) {
        for (int i = 0; i < doubt.others().size(); i++) {
            notes.put(ALTERNATIVE + i + " " + name, TableText.of(doubt.others().get(i)));
        }
        if (doubt.isFlagged()) {
            notes.put(FLAGGED + name, doubt.by().toString());
        }
    }

    /**
     * Replaces all that is in memory by a result of {@link #state}, or by what canal wrote.
     *
     * @throws io.sluice.mysql.wire.error.ResultTooLargeException if the heap has no room for that; then no table is in memory
     */
    void restore(SchemaState state) throws IOException {
        tables.clear();
        charsets.restore(state.notes());
        HeapBudget budget = new HeapBudget(ResultLimit.SNAPSHOT_TABLES, "its text and its tables");
        try {
            budget.take(heapOf(state.definitions().values()));
            for (Map.Entry<String, String> schema : state.definitions().entrySet()) {
                restore(schema.getKey(), schema.getValue(), state.notes(), budget);
            }
        } catch (ResultTooLargeException e) {
            tables.clear();
            throw e;
        }
    }

    /** Of all texts, with the statements of one of them, into which that is split. */
    private static long heapOf(Collection<String> texts) {
        long all = 0;
        long largest = 0;
        for (String text : texts) {
            long bytes = new TextHeap().add(text);
            all += bytes;
            largest = Math.max(largest, bytes);
        }
        return all + largest;
    }

    private void restore(String schema, String definitions, Map<String, String> notes, HeapBudget budget)
            throws IOException {
        for (String text : StoredStatements.split(definitions, source)) {
            TableName name = StoredStatements.tableOf(text, schema, source);
            TableSchema table = name == null ? null : past.parse(name, text);
            if (table != null) {
                KnownTable known = restored(table, notes);
                budget.take(heapOf(known));
                tables.store(known);
            }
        }
    }

    private static long heapOf(KnownTable known) {
        TableDoubt doubt = known.doubt();
        List<TableSchema> others = doubt == null ? List.of() : doubt.others();
        return TableHeap.bytes(known.schema())
                + others.stream().mapToLong(TableHeap::bytes).sum();
    }

    private KnownTable restored(TableSchema table, Map<String, String> notes) throws IOException {
        TableName name = table.name();
        List<TableSchema> others = new ArrayList<>();
        for (int i = 0; i < TableDoubt.MOST; i++) {
            String text = notes.get(ALTERNATIVE + i + " " + name);
            TableSchema other = text == null ? null : past.parse(name, text);
            if (other != null) {
                others.add(other);
            }
        }
        String flagged = notes.get(FLAGGED + name);
        BinlogSession by = flagged == null ? BinlogSession.NONE : BinlogSession.parse(flagged);
        return new KnownTable(
                table,
                RecheckReason.valueOf(notes.getOrDefault(DOUBT + name, RecheckReason.NONE.name())),
                notes.containsKey(RENAMED + name),
                TableDoubt.of(table, others, by, flagged != null));
    }
}
