package io.sluice.stream.golden;

import io.sluice.format.value.PartialJson;
import io.sluice.schema.filter.ColumnFilter;
import io.sluice.schema.filter.TableFilter;
import io.sluice.stream.options.Omitted;
import io.sluice.stream.options.PartialImagePolicy;
import io.sluice.stream.options.StreamOptions;
import io.sluice.stream.reader.EventReader;
import java.util.EnumSet;
import java.util.Map;
import java.util.Properties;
import java.util.Set;

/** What canal's settings of a recorded case mean to the pipeline. */
record GoldenSettings(Properties properties) {
    static final String MAPPING_BYTES = "mapping.bytes";
    private static final String FILTER = "canal.instance.filter.";

    TableFilter filter() {
        return new TableFilter(
                text(FILTER + "regex", ""),
                text(FILTER + "black.regex", ""),
                new ColumnFilter(text(FILTER + "field", ""), text(FILTER + "black.field", "")));
    }

    StreamOptions options() {
        return StreamOptions.DEFAULT
                .withMariaDbBegins(isOn("canal.instance.mariadb.transaction.begin"))
                .withParsedStatements(text(FILTER + "druid.ddl", "true").equals("true"))
                .with(
                        text("canal.instance.value.json.partial", "document").equals("function")
                                ? PartialJson.FUNCTION
                                : PartialJson.DOCUMENT)
                .without(omitted())
                .with(new PartialImagePolicy(
                        isOn("canal.instance.value.image.complete"), PartialImagePolicy.Reported.NONE, false, ""));
    }

    private Set<Omitted> omitted() {
        Set<Omitted> omitted = EnumSet.of(Omitted.OTHER_STATEMENTS);
        Map.of(
                        "query.dcl", Omitted.QUERY_STATEMENTS,
                        "query.dml", Omitted.DML_STATEMENTS,
                        "query.ddl", Omitted.ALL_STATEMENTS,
                        "rows", Omitted.ROWS,
                        "dml.insert", Omitted.INSERTS,
                        "dml.update", Omitted.UPDATES,
                        "dml.delete", Omitted.DELETES,
                        "table.error", Omitted.MISMATCHED_ROWS)
                .forEach((key, kind) -> {
                    if (isOn(FILTER + key)) {
                        omitted.add(kind);
                    }
                });
        return omitted;
    }

    boolean thinsBoundaries() {
        return isOn(FILTER + "transaction.entry");
    }

    boolean encodesAhead() {
        return text("canal.instance.memory.rawEntry", "true").equals("true");
    }

    /** How much the pipeline may remember of tables; no setting of canal. */
    long mappingBytes() {
        return Long.parseLong(text(MAPPING_BYTES, String.valueOf(EventReader.DEFAULT_MAPPING_BYTES)));
    }

    private boolean isOn(String key) {
        return text(key, "false").equals("true");
    }

    private String text(String key, String standard) {
        return properties.getProperty(key, standard).strip();
    }
}
