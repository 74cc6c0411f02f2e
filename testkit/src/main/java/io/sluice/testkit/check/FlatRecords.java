package io.sluice.testkit.check;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads records in the flat JSON format: one record is one event with all its rows. */
public final class FlatRecords {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Map<List<String>, Columns> columns = new HashMap<>();

    /** The changes of one record, in their order. */
    public List<Change> read(String topic, int partition, long offset, byte[] value) {
        try {
            return read(topic, partition, offset, JSON.readTree(value));
        } catch (IOException e) {
            throw new UncheckedIOException("record %d of %s-%d".formatted(offset, topic, partition), e);
        }
    }

    /** The changes of one record that was parsed already. */
    public List<Change> read(String topic, int partition, long offset, JsonNode message) {
        TableId table = new TableId(
                message.path("database").asText(), message.path("table").asText());
        Origin origin =
                new Origin(topic, partition, offset, "at " + message.path("es").asText());
        String type = message.path("type").asText();
        if (message.path("isDdl").asBoolean()) {
            return List.of(
                    new Change.OfSchema(table, origin, type, message.path("sql").asText()));
        }
        JsonNode data = message.path("data");
        JsonNode old = message.path("old");
        List<String> key = new ArrayList<>();
        message.path("pkNames").forEach(name -> key.add(name.asText()));
        Map<String, String> types = new LinkedHashMap<>();
        message.path("mysqlType")
                .properties()
                .forEach(e -> types.put(e.getKey(), e.getValue().asText()));
        List<Change> changes = new ArrayList<>();
        for (int i = 0; i < data.size(); i++) {
            Row row = row(data.get(i));
            Row before = switch (type) {
                case "UPDATE" -> row(old.get(i)).completedBy(row);
                case "DELETE" -> row;
                default -> null;
            };
            changes.add(new Change.OfRow(table, origin, key, types, before, type.equals("DELETE") ? null : row));
        }
        return changes;
    }

    private Row row(JsonNode object) {
        List<String> names = new ArrayList<>(object.size());
        @Nullable String[] values = new String[object.size()];
        object.properties().forEach(e -> {
            values[names.size()] = e.getValue().isNull() ? null : e.getValue().asText();
            names.add(e.getKey());
        });
        return new Row(columns.computeIfAbsent(names, Columns::new), values);
    }
}
