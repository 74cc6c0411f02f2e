package io.sluice.server.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Leaves the longest GTID sets out of the state of all instances where they are too long together: an admin server reads events and answers of 8 MiB,
 * and would see nothing of the server at all. The state of one instance has its set in any case.
 */
final class GtidSetBudget {
    /** Leaves room for the rest, of thousands of instances. */
    static final int MAX_CHARACTERS = 4 * 1024 * 1024;

    private static final String SET = "gtidSet";

    private GtidSetBudget() {}

    /** Sets the sets to null that are longer than their share, with their lengths beside them, if all together are longer than {@link #MAX_CHARACTERS}. */
    static void apply(ArrayNode instances) {
        long all = 0;
        for (JsonNode instance : instances) {
            all += lengthIn(instance.path("position"));
        }
        if (all <= MAX_CHARACTERS) {
            return;
        }
        int share = MAX_CHARACTERS / instances.size();
        for (JsonNode instance : instances) {
            int length = lengthIn(instance.path("position"));
            if (length > share) {
                ((ObjectNode) instance.path("position")).putNull(SET).put("gtidSetCharacters", length);
            }
        }
    }

    private static int lengthIn(JsonNode position) {
        return position.path(SET).asText("").length();
    }
}
