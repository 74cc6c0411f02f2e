package io.sluice.stream.golden;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.protocol.entry.Column;
import io.sluice.protocol.entry.Entry;
import io.sluice.protocol.entry.EntryType;
import io.sluice.protocol.entry.RowChange;
import io.sluice.protocol.entry.RowData;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Where columns are left out, all else is as it would be with them. */
class ColumnChoiceTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> GROUPS = List.of("01", "03", "04-gen", "04-keys", "04-rows", "06", "13");

    private final TreeMap<String, Set<String>> dropped = new TreeMap<>();

    static Stream<GoldenCase> cases() throws Exception {
        return GoldenCase.all(List.of("mysql-8.0.31", "mysql-9.7"), GROUPS).stream()
                .filter(golden -> !golden.name().endsWith("-fails"));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void omittedColumnsChangeNothingElse(GoldenCase golden) throws Exception {
        long seed = golden.name().hashCode();
        List<JsonNode> flat = flat(golden, golden.settings());
        choose(flat, new Random(seed));
        Properties settings = golden.settings();
        List<String> items = new ArrayList<>();
        dropped.forEach((table, columns) -> items.add(table + ":" + String.join("/", columns)));
        settings.setProperty("canal.instance.filter.black.field", String.join(",", items));

        flat.forEach(message -> dropFrom((ObjectNode) message));
        assertThat(flat(golden, settings)).as("seed %d", seed).isEqualTo(flat);
        List<Entry> raw = new ArrayList<>();
        for (Entry entry : raw(golden, golden.settings())) {
            raw.add(without(entry));
        }
        assertThat(raw(golden, settings)).as("seed %d", seed).isEqualTo(raw);
    }

    /** Chooses some columns of every table; keys, and whole tables, too. */
    private void choose(List<JsonNode> flat, Random random) {
        for (JsonNode message : flat) {
            if (message.get("isDdl").asBoolean() || !message.get("mysqlType").isObject()) {
                continue;
            }
            String table =
                    key(message.get("database").asText(), message.get("table").asText());
            Set<String> columns = dropped.computeIfAbsent(table, name -> new TreeSet<>());
            message.get("mysqlType").fieldNames().forEachRemaining(column -> {
                if (random.nextInt(3) == 0 && column.matches("\\w+")) {
                    columns.add(column.toUpperCase(Locale.ROOT));
                }
            });
        }
        dropped.entrySet()
                .removeIf(entry -> entry.getValue().isEmpty() || !entry.getKey().matches("\\w+\\.\\w+"));
        assertThat(dropped).isNotEmpty();
    }

    private static String key(String schema, String table) {
        return (schema + "." + table).toUpperCase(Locale.ROOT);
    }

    private boolean isDropped(String schema, String table, String column) {
        return dropped.getOrDefault(key(schema, table), Set.of()).contains(column.toUpperCase(Locale.ROOT));
    }

    private void dropFrom(ObjectNode message) {
        String schema = message.get("database").asText();
        String table = message.get("table").asText();
        for (String part : List.of("data", "old")) {
            if (message.get(part) instanceof ArrayNode rows) {
                rows.forEach(row -> dropFrom(schema, table, row));
            }
        }
        dropFrom(schema, table, message.get("mysqlType"));
        dropFrom(schema, table, message.get("sqlType"));
        if (message.get("pkNames") instanceof ArrayNode keys) {
            ArrayNode left = JSON.createArrayNode();
            for (JsonNode key : keys) {
                if (!isDropped(schema, table, key.asText())) {
                    left.add(key);
                }
            }
            message.set("pkNames", left.isEmpty() ? JSON.nullNode() : left);
        }
    }

    private void dropFrom(String schema, String table, JsonNode columns) {
        if (columns instanceof ObjectNode object) {
            Set<String> names = new HashSet<>();
            object.fieldNames().forEachRemaining(names::add);
            names.removeIf(name -> !isDropped(schema, table, name));
            object.remove(names);
        }
    }

    private Entry without(Entry entry) throws Exception {
        if (entry.getEntryType() != EntryType.ROWDATA) {
            return entry;
        }
        String schema = entry.getHeader().getSchemaName();
        String table = entry.getHeader().getTableName();
        RowChange.Builder change = RowChange.parseFrom(entry.getStoreValue()).toBuilder();
        for (RowData.Builder row : change.getRowDatasBuilderList()) {
            List<Column> before = left(schema, table, row.getBeforeColumnsList());
            List<Column> after = left(schema, table, row.getAfterColumnsList());
            row.clearBeforeColumns().addAllBeforeColumns(before);
            row.clearAfterColumns().addAllAfterColumns(after);
        }
        return entry.toBuilder().setStoreValue(change.build().toByteString()).build();
    }

    private List<Column> left(String schema, String table, List<Column> columns) {
        return columns.stream()
                .filter(column -> !isDropped(schema, table, column.getName()))
                .toList();
    }

    private static List<JsonNode> flat(GoldenCase golden, Properties settings) throws Exception {
        List<JsonNode> messages = new ArrayList<>();
        for (byte[] message : GoldenRun.flat(GoldenRun.entries(golden, new GoldenSettings(settings), false))) {
            messages.add(JSON.readTree(message));
        }
        return messages;
    }

    private static List<Entry> raw(GoldenCase golden, Properties settings) throws Exception {
        List<Entry> entries = new ArrayList<>();
        for (byte[] entry : GoldenRun.raw(GoldenRun.entries(golden, new GoldenSettings(settings), true))) {
            entries.add(Entry.parseFrom(entry));
        }
        return entries;
    }
}
