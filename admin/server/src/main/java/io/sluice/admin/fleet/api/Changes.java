package io.sluice.admin.fleet.api;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Makes a {@code Change} of the API out of each row that a server shows. Has no state. */
final class Changes {
    private static final JsonMapper JSON = new JsonMapper();

    private Changes() {}

    /** The changes of an event, one for each row; one for a statement. */
    static List<ObjectNode> of(JsonNode event) {
        JsonNode after = event.path("after");
        JsonNode before = event.path("before");
        int rows = Math.max(after.size(), before.size());
        List<ObjectNode> changes = new ArrayList<>();
        if (rows == 0) {
            changes.add(change(event));
        }
        boolean isDelete = event.path("type").asString("").equals("DELETE");
        for (int row = 0; row < rows; row++) {
            ObjectNode change = change(event);
            JsonNode newer = after.path(row);
            JsonNode older = before.path(row);
            boolean isOnlyOne = isDelete && !older.isObject();
            change.set("after", newer.isObject() && !isOnlyOne ? newer : JSON.nullNode());
            change.set("before", isOnlyOne ? newer : older.isObject() ? older : JSON.nullNode());
            changes.add(change);
        }
        return changes;
    }

    private static ObjectNode change(JsonNode event) {
        ObjectNode change = JSON.createObjectNode();
        change.put("time", event.path("time").asString(""));
        change.put("schema", event.path("schema").asString(""));
        change.put("table", event.path("table").asString(""));
        change.put("kind", event.path("type").asString(""));
        change.set("sql", event.path("sql").isString() ? event.path("sql") : JSON.nullNode());
        change.putNull("key");
        change.putNull("before");
        change.putNull("after");
        change.set("position", event.path("position").isString() ? event.path("position") : JSON.nullNode());
        return change;
    }
}
