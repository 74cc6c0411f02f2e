package io.sluice.stream.golden;

import io.sluice.format.value.PartialJson;
import io.sluice.schema.filter.ColumnFilter;
import io.sluice.schema.filter.TableFilter;
import io.sluice.stream.pipeline.PartialImages;
import io.sluice.stream.pipeline.StreamOptions;
import io.sluice.stream.pipeline.TableMappings;
import java.util.Properties;

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
        StreamOptions.Dropped dropped = new StreamOptions.Dropped(
                isOn(FILTER + "query.dcl"),
                isOn(FILTER + "query.dml"),
                isOn(FILTER + "query.ddl"),
                isOn(FILTER + "rows"),
                isOn(FILTER + "dml.insert"),
                isOn(FILTER + "dml.update"),
                isOn(FILTER + "dml.delete"),
                isOn(FILTER + "table.error"));
        boolean parsed = text(FILTER + "druid.ddl", "true").equals("true");
        return new StreamOptions(
                        true,
                        isOn("canal.instance.mariadb.transaction.begin"),
                        text("canal.instance.value.json.partial", "document").equals("function")
                                ? PartialJson.FUNCTION
                                : PartialJson.DOCUMENT,
                        dropped,
                        new StreamOptions.Statements(!parsed, false, false))
                .with(new PartialImages(
                        isOn("canal.instance.value.image.complete"), PartialImages.Reported.NONE, false, ""));
    }

    boolean thinsBorders() {
        return isOn(FILTER + "transaction.entry");
    }

    boolean encodesAhead() {
        return text("canal.instance.memory.rawEntry", "true").equals("true");
    }

    /** How much the pipeline may remember of tables; no setting of canal. */
    long mappingBytes() {
        return Long.parseLong(text(MAPPING_BYTES, String.valueOf(TableMappings.DEFAULT_BYTES)));
    }

    private boolean isOn(String key) {
        return text(key, "false").equals("true");
    }

    private String text(String key, String standard) {
        return properties.getProperty(key, standard).strip();
    }
}
