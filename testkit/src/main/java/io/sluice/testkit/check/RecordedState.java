package io.sluice.testkit.check;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * What tables held when a server's records were recorded, from a file with a line of JSON per row: {@code row} has its
 * texts, {@code hex} its bytes, and {@code num} the numbers of texts; a line with {@code rows} is for an empty
 * table.
 */
public final class RecordedState implements ExpectedState {
    private final Map<TableId, RecordedTable> tables = new LinkedHashMap<>();

    private RecordedState() {}

    /** Reads a file, which may be gzipped. */
    public static RecordedState read(Path file) {
        RecordedState state = new RecordedState();
        ObjectMapper json = new ObjectMapper();
        try {
            for (String line : lines(file)) {
                JsonNode node = json.readTree(line);
                String[] name = node.path("table").asText().split("\\.", 2);
                TableId id = new TableId(name[0], name[1]);
                RecordedTable table = state.tables.computeIfAbsent(id, RecordedTable::new);
                if (!node.has("rows")) {
                    table.rows.add(node);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(file.toString(), e);
        }
        return state;
    }

    /** A file's lines, which end with a line feed and nothing else, since the values hold other separators. */
    public static List<String> lines(Path file) {
        List<String> lines = new ArrayList<>();
        try (InputStream plain = Files.newInputStream(file);
                InputStream in = new BufferedInputStream(
                        file.toString().endsWith(".gz") ? new GZIPInputStream(plain) : plain, 1 << 16)) {
            ByteArrayOutputStream line = new ByteArrayOutputStream();
            for (int b = in.read(); b >= 0; b = in.read()) {
                if (b == '\n') {
                    lines.add(line.toString(StandardCharsets.UTF_8));
                    line.reset();
                } else {
                    line.write(b);
                }
            }
            if (line.size() > 0) {
                lines.add(line.toString(StandardCharsets.UTF_8));
            }
            return lines;
        } catch (IOException e) {
            throw new UncheckedIOException(file.toString(), e);
        }
    }

    @Override
    public List<Table> tables() {
        return List.copyOf(tables.values());
    }

    private static final class RecordedTable implements Table {
        private final TableId id;
        private final List<JsonNode> rows = new ArrayList<>();

        RecordedTable(TableId id) {
            this.id = id;
        }

        @Override
        public TableId id() {
            return id;
        }

        @Override
        public @Nullable List<String> key() {
            return null;
        }

        @Override
        public Map<String, String> types() {
            return Map.of();
        }

        @Override
        public void forEachRow(Map<String, String> deliveredTypes, Consumer<Row> receiver) {
            for (JsonNode row : rows) {
                Map<String, @Nullable String> values = new LinkedHashMap<>();
                row.path("row")
                        .properties()
                        .forEach(e -> values.put(
                                e.getKey(),
                                e.getValue().isNull() ? null : e.getValue().asText()));
                row.path("hex").properties().forEach(e -> {
                    String type = deliveredTypes.getOrDefault(e.getKey(), "");
                    ValueKind kind = ValueKind.of(type);
                    String bytes =
                            new String(HexFormat.of().parseHex(e.getValue().asText()), StandardCharsets.ISO_8859_1);
                    if (kind != ValueKind.TEXT) {
                        values.put(e.getKey(), bytes);
                    } else {
                        // A text is compared as text; without one, its type is a text type in the character set binary.
                        boolean fixed = type.toLowerCase(Locale.ROOT).startsWith("char");
                        values.putIfAbsent(
                                e.getKey(), fixed ? FixedBytes.STRIPPED.of(ValueKind.FIXED_BYTES, bytes) : bytes);
                    }
                });
                row.path("num").properties().forEach(e -> {
                    ValueKind kind = ValueKind.of(deliveredTypes.getOrDefault(e.getKey(), ""));
                    if (kind != ValueKind.TEXT) {
                        values.put(e.getKey(), e.getValue().asText());
                    }
                });
                receiver.accept(Row.of(values));
            }
        }
    }
}
