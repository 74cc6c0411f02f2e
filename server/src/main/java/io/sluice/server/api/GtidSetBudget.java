package io.sluice.server.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Leaves the longest GTID sets out of the state of all instances where they are too long together: an admin server reads events and answers of 8 MiB,
 * and would see nothing of the server at all. The state of one instance has its set in any case.
 */
final class GtidSetBudget {
    /** Leaves room for the rest, of thousands of instances. */
    static final int MAX_CHARACTERS = 4 * 1024 * 1024;

    private static final String SET = "gtidSet";

    private GtidSetBudget() {}

    /**
     * Sets the longest sets to null, with their lengths beside them, until the others are not longer than {@link #MAX_CHARACTERS} together; of sets
     * of one length the last ones.
     */
    static void apply(ArrayNode instances) {
        long all = 0;
        List<JsonNode> positions = new ArrayList<>();
        for (JsonNode instance : instances) {
            JsonNode position = instance.path("position");
            all += lengthIn(position);
            positions.add(position);
        }
        if (all <= MAX_CHARACTERS) {
            return;
        }
        positions.sort(Comparator.comparingInt(
                GtidSetBudget::lengthIn)); // stable, so that the same ones are left out each time
        for (int i = positions.size() - 1; all > MAX_CHARACTERS; i--) {
            int length = lengthIn(positions.get(i));
            ((ObjectNode) positions.get(i)).putNull(SET).put("gtidSetCharacters", length);
            all -= length;
        }
    }

    private static int lengthIn(JsonNode position) {
        return position.path(SET).asText("").length();
    }
}
