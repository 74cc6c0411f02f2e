package io.sluice.deployer.command;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Writes the state of instances as a table for a terminal. */
final class StatusTable {
    private static final int SHOWN_TABLES = 5;

    private static final List<String> HEADINGS =
            List.of("INSTANCE", "STATE", "POSITION", "LAG", "UNREAD", "ROWS/S", "BYTES/S", "SINK");

    /** A cursor that is written late by less is not worth a line. */
    private static final int UNWRITTEN_SECONDS = 10;

    private static final int KILO = 1000;

    private StatusTable() {}

    /** The table, a line each for its heading and each instance, then a line for each thing that is wrong. */
    static List<String> lines(JsonNode instances) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(HEADINGS);
        List<String> remarks = new ArrayList<>();
        for (JsonNode instance : instances) {
            rows.add(List.of(
                    instance.path("destination").asText(),
                    state(instance),
                    position(instance),
                    lag(instance),
                    unread(instance),
                    amount(instance.path("throughput").path("rowsPerSecond").asDouble()),
                    amount(instance.path("throughput").path("bytesPerSecond").asDouble()),
                    sink(instance)));
            remarks.addAll(remarks(instance));
        }
        List<String> lines = new ArrayList<>(aligned(rows));
        lines.addAll(remarks);
        return lines;
    }

    /** The state of one instance in a sentence. */
    static String sentence(JsonNode instance) {
        List<String> parts = new ArrayList<>();
        parts.add("state " + state(instance));
        String pauseAt = instance.path("pauseAt").asText("");
        if (instance.hasNonNull("pauseAt")) {
            parts.add("pauses at " + pauseAt);
        }
        JsonNode limits = instance.path("limits");
        long rows = limits.path("rowsPerSecond").asLong();
        long bytes = limits.path("bytesPerSecond").asLong();
        if (rows > 0 || bytes > 0) {
            parts.add(
                    "at most" + (rows > 0 ? " " + rows + " rows/s" : "") + (bytes > 0 ? " " + bytes + " bytes/s" : ""));
        }
        return String.join(", ", parts);
    }

    private static String state(JsonNode instance) {
        String state = instance.path("state").asText();
        if (instance.path("paused").asBoolean() && !state.equals("stopped") && !state.equals("not_here")) {
            return state.equals("running") ? "paused" : state + ", paused";
        }
        return state;
    }

    private static String position(JsonNode instance) {
        JsonNode position = instance.path("position");
        return position.hasNonNull("file")
                ? position.path("file").asText() + ":" + position.path("offset").asText()
                : position.path("gtidSet").asText("-").isEmpty()
                        ? "-"
                        : position.path("gtidSet").asText("-");
    }

    /** The longer of what is not read and what is not delivered; a dash if it is not known what is not read, and nothing that was read waits. */
    private static String lag(JsonNode instance) {
        if (instance.path("source").isMissingNode()) {
            return "-";
        }
        JsonNode source = instance.path("source");
        long delay = instance.path("deliveryDelaySeconds").asLong(0);
        if (!source.hasNonNull("lagSeconds") && delay == 0) {
            return "-";
        }
        return Math.max(source.path("lagSeconds").asLong(0), delay) + "s";
    }

    /** How much of the binlog is not read; what was read and is not delivered is none of it. */
    private static String unread(JsonNode instance) {
        JsonNode bytes = instance.path("source").path("lagBytes");
        return bytes.isNumber() ? amount(bytes.asDouble()) + "B" : "-";
    }

    private static String sink(JsonNode instance) {
        JsonNode sender = instance.path("sender");
        if (!sender.isMissingNode()) {
            return sender.path("state").asText();
        }
        return instance.path("source").isMissingNode() ? "-" : "clients";
    }

    private static String filterChange(JsonNode change) {
        return "its filter has changed since the last run: %s; new tables are delivered from %s on, earlier rows are not sent"
                .formatted(
                        tables("new", change.path("added").asInt(), change.path("addedTables")) + ", "
                                + tables("dropped", change.path("dropped").asInt(), change.path("droppedTables")),
                        change.path("from").asText());
    }

    private static String tables(String kind, int total, JsonNode names) {
        List<String> shown = new ArrayList<>();
        for (int i = 0; i < Math.min(names.size(), SHOWN_TABLES); i++) {
            shown.add(names.get(i).asText());
        }
        String more = total > shown.size() ? ", and " + (total - shown.size()) + " more" : "";
        return total + " " + kind + (shown.isEmpty() ? "" : " (" + String.join(", ", shown) + more + ")");
    }

    private static List<String> remarks(JsonNode instance) {
        List<String> remarks = new ArrayList<>();
        String name = instance.path("destination").asText() + ": ";
        if (instance.hasNonNull("pauseReason")) {
            remarks.add(name + "paused since " + instance.path("pausedSince").asText() + ", "
                    + instance.path("pauseReason").asText());
        }
        if (instance.hasNonNull("pauseAt")
                || instance.path("limits").path("rowsPerSecond").asLong() > 0
                || instance.path("limits").path("bytesPerSecond").asLong() > 0) {
            remarks.add(name + sentence(instance));
        }
        if (instance.hasNonNull("paceProblem")) {
            remarks.add(name + "its pause and limits would be lost with this process or by a take-over: "
                    + instance.path("paceProblem").asText());
        }
        JsonNode change = instance.path("filterChange");
        if (!change.isMissingNode()) {
            remarks.add(name + filterChange(change));
        }
        JsonNode failure = instance.path("sourceFailure");
        if (!failure.isMissingNode()) {
            remarks.add(name + failure.path("kind").asText() + ": "
                    + failure.path("remedy").asText());
        }
        JsonNode notAdmitted = instance.path("sender").path("notAdmitted");
        if (!notAdmitted.isMissingNode()) {
            remarks.add(name + "the broker does not admit it, which is tried again: " + notAdmitted.asText());
        }
        JsonNode stalled = instance.path("stalled");
        if (!stalled.isMissingNode()) {
            remarks.add("%sno progress for %s s, %s: %s"
                    .formatted(
                            name,
                            stalled.path("seconds").asText(),
                            stalled.path("stage").asText(),
                            stalled.path("meaning").asText()));
        }
        long unwritten = instance.path("cursorUnwrittenSeconds").asLong();
        if (unwritten >= UNWRITTEN_SECONDS) {
            remarks.add(
                    name + "its cursor has not been written for " + unwritten
                            + " s, a restart would deliver again what was delivered since: check the disk or ZooKeeper, and the server's log");
        }
        if (instance.hasNonNull("configurationProblem")) {
            remarks.add(name + "its newest configuration is not in force: "
                    + instance.path("configurationProblem").asText());
        }
        if (instance.hasNonNull("retryAt")) {
            remarks.add(name + "is started again at " + instance.path("retryAt").asText());
        }
        return remarks;
    }

    private static String amount(double value) {
        String[] units = {"", "k", "M", "G", "T", "P"};
        int unit = 0;
        double left = value;
        while (left >= KILO && unit < units.length - 1) {
            left /= KILO;
            unit++;
        }
        return unit == 0
                ? String.format(Locale.ROOT, "%.0f", left)
                : String.format(Locale.ROOT, "%.1f%s", left, units[unit]);
    }

    private static List<String> aligned(List<List<String>> rows) {
        int columns = HEADINGS.size();
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        List<String> lines = new ArrayList<>();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < columns; i++) {
                line.append(row.get(i)).append(" ".repeat(widths[i] - row.get(i).length() + 2));
            }
            lines.add(line.toString().stripTrailing());
        }
        return lines;
    }
}
