package io.sluice.deployer.demo;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Makes short lines of flat messages: a line per row, with what an update changed. */
final class MessagePrinter {
    private static final int LONGEST_VALUE = 40;
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final boolean raw;
    private final Paint paint;

    /**
     * Makes one.
     *
     * @param raw whether messages are shown as they are
     */
    MessagePrinter(boolean raw, Paint paint) {
        this.raw = raw;
        this.paint = paint;
    }

    /** Reads a message. */
    static JsonNode parse(String message) {
        try {
            return MAPPER.readTree(message);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("not a flat message: " + message, e);
        }
    }

    /** The lines that show a message. */
    List<String> lines(String message) {
        if (raw) {
            return List.of(message);
        }
        JsonNode json = parse(message);
        String type = json.path("type").asText();
        String table = json.path("database").asText() + "." + json.path("table").asText();
        String head = "  " + paint.type(type, "%-7s".formatted(type)) + " " + paint.bold(table) + "  ";
        List<String> lines = new ArrayList<>();
        if (json.path("isDdl").asBoolean() || !json.path("data").isArray()) {
            lines.add(head + paint.dim(shortened(json.path("sql").asText().replaceAll("\\s+", " "), 100)));
        }
        for (int i = 0; i < json.path("data").size(); i++) {
            lines.add(head + row(json.path("data").get(i), json.path("old").path(i)));
        }
        return lines;
    }

    private String row(JsonNode after, JsonNode before) {
        List<String> columns = new ArrayList<>();
        for (Map.Entry<String, JsonNode> column : after.properties()) {
            String text = paint.dim(column.getKey() + "=") + value(column.getValue());
            JsonNode old = before.get(column.getKey());
            columns.add(old == null ? text : text + paint.dim(" (was " + value(old) + ")"));
        }
        return String.join("  ", columns);
    }

    private static String value(JsonNode value) {
        return value.isNull() ? "NULL" : shortened(value.asText(), LONGEST_VALUE);
    }

    private static String shortened(String text, int length) {
        return text.length() <= length ? text : text.substring(0, length - 1) + "…";
    }
}
