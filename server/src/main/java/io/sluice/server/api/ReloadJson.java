package io.sluice.server.api;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.server.control.Operations;
import io.sluice.server.control.ReloadReport;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Writes what a reload has changed as JSON. */
final class ReloadJson {
    private static final ObjectMapper JSON = new ObjectMapper();

    private ReloadJson() {}

    static ObjectNode of(ReloadReport report) {
        ObjectNode json = JSON.createObjectNode().put("complete", report.isComplete());
        put(json, "added", report.added());
        put(json, "changed", report.changed());
        put(json, "removed", report.removed());
        ObjectNode refused = json.putObject("refused");
        for (Map.Entry<String, List<String>> entry : report.refused().entrySet()) {
            put(refused, entry.getKey(), entry.getValue());
        }
        put(json, "otherTables", report.otherTables());
        put(json, "serverProblems", report.serverProblems());
        put(json, "warnings", report.warnings());
        put(json, "restartKeys", report.restartKeys());
        return json;
    }

    /** Adds what of the newest configuration of the server has no effect yet, to the answer of a command that has read it. */
    static void putServer(ObjectNode json, Operations operations) {
        put(json, "restartKeys", operations.restartKeys());
        json.put("serverProblem", operations.configurationProblem());
    }

    /** Adds an array of texts to an object. */
    static void put(ObjectNode json, String name, Collection<String> values) {
        ArrayNode array = json.putArray(name);
        values.forEach(array::add);
    }
}
