package io.sluice.schema.ddl.catalog;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.error.ResultTooLargeException;
import io.sluice.mysql.wire.query.ResultLimit;
import io.sluice.schema.definition.StoredStatements;
import io.sluice.schema.sql.SourceTraits;
import io.sluice.schema.table.SchemaHeap;
import io.sluice.schema.table.TableName;
import io.sluice.schema.table.TableSchema;
import io.sluice.schema.table.TableText;
import java.io.IOException;
import java.util.ArrayList;
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
    private final SchemaHeap heap;

    CatalogText(
            CatalogTables tables, SchemaCharsets charsets, PastDefinitions past, SourceTraits source, SchemaHeap heap) {
        this.tables = tables;
        this.charsets = charsets;
        this.past = past;
        this.source = source;
        this.heap = heap;
    }

    /**
     * All that is in memory, for {@link #restore}.
     *
     * @throws SourceException if the heap has no room for that
     */
    SchemaState state() throws SourceException {
        requireRoomOfState();
        Map<String, List<String>> texts = new TreeMap<>();
        Map<String, String> notes = new TreeMap<>();
        for (KnownTable known : tables.all()) {
            TableName name = known.name();
            texts.computeIfAbsent(name.schema(), schema -> new ArrayList<>()).add(TableText.of(known.schema()));
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
        for (Map.Entry<String, List<String>> schema : texts.entrySet()) {
            definitionsOf.put(schema.getKey(), String.join("", schema.getValue()));
            schema.setValue(List.of()); // not beside those of the next schema
        }
        return new SchemaState(definitionsOf, notes);
    }

    private void requireRoomOfState() throws SourceException {
        try (SchemaHeap.Step step =
                heap.step("the schemas of %d tables".formatted(tables.all().size()), "", true)) {
            addAll(step);
        } catch (ResultTooLargeException e) {
            throw new SourceException(
                    SourceFailure.HISTORY_UNREACHABLE,
                    "a snapshot of all table schemas cannot be written: " + e.excess(),
                    e.remedy() + ", or let fewer tables pass canal.instance.filter.regex",
                    e);
        }
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
     * @throws ResultTooLargeException if the heap has no room for that, or for the next {@link #state}; then no table is in memory
     */
    void restore(SchemaState state) throws IOException {
        clear();
        charsets.restore(state.notes());
        try (SchemaHeap.Step step = heap.step("its tables", ResultLimit.IF_HISTORY, true)) {
            long all = 0;
            for (String text : state.definitions().values()) {
                all += text.length();
                if (!step.addText(text)) {
                    throw step.textTooLarge(1);
                }
            }
            long done = 0;
            for (Map.Entry<String, String> schema : state.definitions().entrySet()) {
                for (String text : StoredStatements.split(schema.getValue(), source)) {
                    done += text.length();
                    restore(schema.getKey(), text, state.notes(), step, (double) done / all);
                }
            }
        } catch (ResultTooLargeException e) {
            clear();
            throw e;
        }
    }

    private void restore(String schema, String text, Map<String, String> notes, SchemaHeap.Step step, double done)
            throws IOException {
        TableName name = StoredStatements.tableOf(text, schema, source);
        TableSchema table = name == null ? null : past.parse(name, text);
        if (table != null) {
            KnownTable known = restored(table, notes);
            add(known, step, done);
            tables.store(known);
        }
    }

    private static void add(KnownTable known, SchemaHeap.Step step, double done) throws ResultTooLargeException {
        step.add(known.schema(), done);
        TableDoubt doubt = known.doubt();
        if (doubt != null) {
            for (TableSchema other : doubt.others()) {
                step.add(other, done);
            }
        }
    }

    private void clear() {
        tables.clear();
        heap.release();
    }

    /**
     * Checks whether what is in memory has room for the next {@link #state}.
     *
     * @throws ResultTooLargeException if it has not
     */
    void requireRoom() throws ResultTooLargeException {
        try (SchemaHeap.Step step = heap.step("its tables", ResultLimit.IF_HISTORY, true)) {
            addAll(step);
        }
    }

    private void addAll(SchemaHeap.Step step) throws ResultTooLargeException {
        int done = 0;
        for (KnownTable known : tables.all()) {
            done++;
            add(known, step, (double) done / tables.all().size());
        }
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
