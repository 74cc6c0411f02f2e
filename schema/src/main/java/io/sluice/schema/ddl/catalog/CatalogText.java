package io.sluice.schema.ddl.catalog;

import io.sluice.schema.definition.StoredStatements;
import io.sluice.schema.sql.SourceTraits;
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

    /** Replaces all that is in memory by a result of {@link #state}, or by what canal wrote. */
    void restore(SchemaState state) throws IOException {
        tables.clear();
        charsets.restore(state.notes());
        for (Map.Entry<String, String> schema : state.definitions().entrySet()) {
            for (String text : StoredStatements.split(schema.getValue(), source)) {
                TableName name = StoredStatements.tableOf(text, schema.getKey(), source);
                TableSchema table = name == null ? null : past.parse(name, text);
                if (table != null) {
                    tables.store(restored(table, state.notes()));
                }
            }
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
