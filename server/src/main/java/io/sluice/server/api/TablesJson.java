package io.sluice.server.api;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.server.tables.TableCounts;
import io.sluice.server.tables.TableTally;
import java.time.Instant;

/** Writes what was delivered of each table as JSON. */
final class TablesJson {
    private static final ObjectMapper JSON = new ObjectMapper();

    private TablesJson() {}

    static ObjectNode of(TableTally tally) {
        ObjectNode json = JSON.createObjectNode().put("limit", tally.capacity());
        ArrayNode tables = json.putArray("tables");
        for (TableCounts table : tally.tables()) {
            put(tables.addObject().put("schema", table.schema()).put("table", table.table()), table);
        }
        put(json.putObject("others"), tally.others());
        return json;
    }

    private static void put(ObjectNode json, TableCounts counts) {
        json.put("inserts", counts.inserts())
                .put("updates", counts.updates())
                .put("deletes", counts.deletes())
                .put("bytes", counts.bytes())
                .put(
                        "lastChange",
                        counts.lastChangeMillis() == 0
                                ? null
                                : Instant.ofEpochMilli(counts.lastChangeMillis())
                                        .toString());
    }
}
