package io.sluice.admin.fleet.watch;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads the report of a control API about its instances. What is missing or of another kind is taken as not reported; texts and numbers of instances
 * are bounded, so that no server can fill the memory of this one.
 */
final class ReportReader {
    private static final JsonMapper JSON = new JsonMapper();
    private static final int MAX_INSTANCES = 5000;
    private static final int LONGEST_TEXT = 4000;
    private static final int MOST_TEXTS = 20;
    private static final int LONGEST_NAME = 200;

    private ReportReader() {}

    /**
     * Reads a list of instances.
     *
     * @param before the reports of the same server that came before, from which rates are computed
     * @param elapsedMillis since those; 0 if there are none
     * @throws IllegalArgumentException if the text is no such list
     */
    static List<InstanceReport> read(String text, List<InstanceReport> before, long elapsedMillis) {
        JsonNode list;
        try {
            list = JSON.readTree(text);
        } catch (JacksonException e) {
            throw new IllegalArgumentException("no JSON", e);
        }
        if (!list.isArray()) {
            throw new IllegalArgumentException("no list");
        }
        Map<String, InstanceReport> earlier = new HashMap<>();
        before.forEach(report -> earlier.put(report.name(), report));
        List<InstanceReport> reports = new ArrayList<>(Math.min(list.size(), MAX_INSTANCES));
        for (JsonNode one : list) {
            String name = text(one, "destination");
            if (name != null && !name.isEmpty() && name.length() <= LONGEST_NAME && reports.size() < MAX_INSTANCES) {
                reports.add(report(name, one, earlier.get(name), elapsedMillis));
            }
        }
        return List.copyOf(reports);
    }

    private static InstanceReport report(
            String name, JsonNode json, @Nullable InstanceReport before, long elapsedMillis) {
        String state = text(json, "state");
        return new InstanceReport(
                name,
                state == null ? "new" : state,
                json.path("healthy").asBoolean(false),
                pace(json),
                Math.max(0, number(json.path("throughput"), "rowsPerSecond")),
                Math.max(0, number(json.path("throughput"), "bytesPerSecond")),
                number(json, "deliveryDelaySeconds"),
                source(json.path("source"), before == null ? null : before.source(), elapsedMillis),
                store(json.path("store"), before == null ? null : before.store(), elapsedMillis),
                sender(json.path("sender")),
                position(json.path("position")),
                failure(json.path("sourceFailure")),
                stall(json.path("stalled")),
                text(json.path("cause"), "message"),
                text(json, "configurationProblem"),
                text(json, "retryAt"),
                number(json, "cursorUnwrittenSeconds"));
    }

    private static InstanceReport.Pace pace(JsonNode json) {
        JsonNode limits = json.path("limits");
        return new InstanceReport.Pace(
                json.path("paused").asBoolean(false),
                text(json, "pauseReason"),
                text(json, "pausedSince"),
                text(json, "pauseAt"),
                Math.max(0, number(limits, "rowsPerSecond")),
                Math.max(0, number(limits, "bytesPerSecond")),
                "cluster".equals(text(json, "paceKept")));
    }

    private static InstanceReport.@Nullable Source source(
            JsonNode json, InstanceReport.@Nullable Source before, long elapsedMillis) {
        if (!json.isObject()) {
            return null;
        }
        long received = number(json, "receivedBytes");
        return new InstanceReport.Source(
                number(json, "lagBytes"),
                number(json, "lagSeconds"),
                text(json, "newestEvent"),
                received,
                perSecond(received, before == null ? -1 : before.receivedBytes(), elapsedMillis));
    }

    /** A rate, from a counter and what it was before; negative if it is not known: a smaller counter was reset. */
    private static long perSecond(long now, long before, long elapsedMillis) {
        return before >= 0 && now >= before && elapsedMillis > 0 ? (now - before) * 1000 / elapsedMillis : -1;
    }

    private static InstanceReport.@Nullable Store store(
            JsonNode json, InstanceReport.@Nullable Store before, long elapsedMillis) {
        if (!json.isObject()) {
            return null;
        }
        long read = number(json, "readRows");
        return new InstanceReport.Store(
                number(json, "entries"),
                number(json, "bytes"),
                number(json, "capacityEntries"),
                number(json, "capacityBytes"),
                number(json, "deliveredRows"),
                read,
                perSecond(read, before == null ? -1 : before.readRows(), elapsedMillis));
    }

    private static InstanceReport.@Nullable Sender sender(JsonNode json) {
        String state = text(json, "state");
        return json.isObject()
                ? new InstanceReport.Sender(
                        state == null ? "" : state,
                        number(json, "batchesInFlight"),
                        number(json, "deliveredMessages"),
                        number(json, "deliveredBytes"),
                        number(json, "failures"))
                : null;
    }

    private static @Nullable Position position(JsonNode json) {
        long offset = number(json, "offset");
        long leftOut = number(json, "gtidSetCharacters");
        return json.isObject()
                ? new Position(
                        text(json, "source"),
                        text(json, "file"),
                        offset < 0 ? null : offset,
                        text(json, "gtidSet"),
                        leftOut < 0 ? null : leftOut,
                        text(json, "time"))
                : null;
    }

    private static InstanceReport.@Nullable Failure failure(JsonNode json) {
        String kind = text(json, "kind");
        return kind == null ? null : new InstanceReport.Failure(kind, text(json, "remedy"));
    }

    private static InstanceReport.@Nullable Stall stall(JsonNode json) {
        String stage = text(json, "stage");
        return stage == null ? null : new InstanceReport.Stall(stage, number(json, "seconds"), text(json, "meaning"));
    }

    /** A whole number; negative if it is not reported. */
    private static long number(JsonNode json, String name) {
        JsonNode value = json.path(name);
        return value.isIntegralNumber() && value.canConvertToLong() ? value.asLong() : -1;
    }

    /** The texts of a list; at most {@value #MOST_TEXTS}. */
    static List<String> texts(JsonNode json, String name) {
        List<String> texts = new ArrayList<>();
        for (JsonNode value : json.path(name)) {
            String text = shortened(value);
            if (text != null && texts.size() < MOST_TEXTS) {
                texts.add(text);
            }
        }
        return texts;
    }

    static @Nullable String text(JsonNode json, String name) {
        return shortened(json.path(name));
    }

    private static @Nullable String shortened(JsonNode value) {
        if (!value.isString()) {
            return null;
        }
        String text = value.asString();
        return text.length() > LONGEST_TEXT ? text.substring(0, LONGEST_TEXT) + "…" : text;
    }
}
