package io.sluice.admin.fleet.api;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Rows that were delivered of each table, and of all others together: {@code InstanceTables} of the API. */
record InstanceTables(List<TableCounts> tables, TableCounts others) {
    private static final int MOST = 5000;

    /**
     * The counts of a table.
     *
     * @param schema null: all other tables
     */
    record TableCounts(
            @Nullable String schema,
            @Nullable String table,
            long inserts,
            long updates,
            long deletes,
            long bytes,
            @Nullable String lastChange) {
        private static TableCounts of(JsonNode json) {
            return new TableCounts(
                    text(json, "schema"),
                    text(json, "table"),
                    json.path("inserts").asLong(0),
                    json.path("updates").asLong(0),
                    json.path("deletes").asLong(0),
                    json.path("bytes").asLong(0),
                    text(json, "lastChange"));
        }

        private static @Nullable String text(JsonNode json, String name) {
            return json.path(name).isString() ? json.path(name).asString() : null;
        }
    }

    /** The report of a server. */
    static InstanceTables of(JsonNode json) {
        List<TableCounts> tables = new ArrayList<>();
        for (JsonNode table : json.path("tables")) {
            if (tables.size() < MOST) {
                tables.add(TableCounts.of(table));
            }
        }
        return new InstanceTables(List.copyOf(tables), TableCounts.of(json.path("others")));
    }
}
