package io.sluice.stream.golden;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.InvalidProtocolBufferException;
import io.sluice.format.entry.Entry;
import io.sluice.protocol.entry.Column;
import io.sluice.protocol.entry.EntryType;
import io.sluice.protocol.entry.EventType;
import io.sluice.protocol.entry.RowChange;
import io.sluice.protocol.entry.RowData;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A value of a recorded table: how the server shows it at the end of the case, and what our messages have for it.
 *
 * @param folder of the case, below that of all recordings
 * @param key the text of the first column of the row
 * @param literal what the script inserted, where the server shows the row no more; null to take what it shows
 */
record ValueExample(
        String folder,
        String table,
        String key,
        String column,
        @Nullable String literal) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** What our messages have, by case. */
    private static final Map<String, Map<String, Delivered>> CASES = new ConcurrentHashMap<>();

    /** What the newest protobuf packet and the newest flat message have of a column. */
    private record Delivered(Column column, JsonNode flat) {}

    static ValueExample of(String folder, String table, Object key, String column) {
        return new ValueExample(folder, table, key.toString(), column, null);
    }

    static ValueExample inserted(String folder, String table, Object key, String column, String literal) {
        return new ValueExample(folder, table, key.toString(), column, literal);
    }

    int sqlType() throws Exception {
        return delivered().column().getSqlType();
    }

    /** The column's type, the server's text, and that of our messages, for a table of Markdown. */
    String text() throws Exception {
        Delivered delivered = delivered();
        JsonNode flat = delivered.flat();
        Column column = delivered.column();
        String protobuf = column.getIsNull() ? "null" : JSON.writeValueAsString(column.getValue());
        if (!JSON.writeValueAsString(flat).equals(protobuf)) {
            throw new IllegalStateException("%s: flat messages have %s, packets %s".formatted(this, flat, protobuf));
        }
        return "`%s`: %s → `%s`"
                .formatted(column.getMysqlType(), code(shown(column.getMysqlType())), visible(protobuf));
    }

    private static String code(String text) {
        return "`" + visible(text) + "`";
    }

    /** Control characters as JSON may write them. */
    private static String visible(String text) {
        StringBuilder visible = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || c >= 0x7F && c <= 0xA0 || c == 0xAD) {
                visible.append("\\u%04x".formatted((int) c));
            } else {
                visible.append(c);
            }
        }
        return visible.toString();
    }

    private GoldenCase golden() {
        return new GoldenCase(GoldenCase.root().resolve(Path.of(folder)));
    }

    /** As a literal of SQL. */
    private String shown(String mysqlType) throws IOException {
        GoldenCase golden = golden();
        if (literal != null) {
            if (!golden.text("script.sql").contains(literal)) {
                throw new IllegalStateException(this + ": the script does not insert it");
            }
            return literal;
        }
        for (JsonNode row : golden.lines("state.jsonl")) {
            JsonNode texts = row.path("row");
            if (row.path("table").asText().endsWith("." + table)
                    && texts.properties().iterator().next().getValue().asText().equals(key)) {
                if (row.path("hex").has(column)) {
                    return "x'" + row.get("hex").get(column).asText() + "'";
                }
                return literal(mysqlType, texts.get(column));
            }
        }
        throw new IllegalStateException(this + ": the server has no such row at the end");
    }

    private static String literal(String mysqlType, JsonNode shown) {
        if (shown.isNull()) {
            return "NULL";
        }
        String type = mysqlType.toUpperCase(java.util.Locale.ROOT);
        if (type.startsWith("BIT")) {
            return "b'" + new BigInteger(shown.asText()).toString(2) + "'";
        }
        boolean isNumber = type.matches("(?:(?:TINY|SMALL|MEDIUM|BIG)?INT|BOOL|DECIMAL|FLOAT|DOUBLE|YEAR).*");
        return isNumber ? shown.asText() : "'" + shown.asText().replace("'", "''") + "'";
    }

    private Delivered delivered() throws Exception {
        Map<String, Delivered> known = CASES.get(folder);
        if (known == null) {
            known = read(golden());
            CASES.put(folder, known);
        }
        Delivered delivered = known.get(String.join("/", table, key, column));
        if (delivered == null) {
            throw new IllegalStateException(this + ": no message has it");
        }
        return delivered;
    }

    private static Map<String, Delivered> read(GoldenCase golden) throws Exception {
        List<Entry> entries = GoldenRun.entries(golden, false);
        List<JsonNode> flat = new ArrayList<>();
        for (byte[] message : GoldenRun.flat(entries)) {
            JsonNode read = JSON.readTree(message);
            if (read.path("data").isArray()) {
                flat.add(read);
            }
        }
        Map<String, Delivered> values = new HashMap<>();
        int messages = 0;
        for (byte[] bytes : GoldenRun.raw(entries)) {
            io.sluice.protocol.entry.Entry entry = io.sluice.protocol.entry.Entry.parseFrom(bytes);
            RowChange change = rows(entry);
            if (change == null) {
                continue;
            }
            JsonNode data = flat.get(messages++).get("data");
            for (int i = 0; i < change.getRowDatasCount(); i++) {
                RowData row = change.getRowDatas(i);
                List<Column> columns = change.getEventType() == EventType.DELETE
                        ? row.getBeforeColumnsList()
                        : row.getAfterColumnsList();
                for (Column column : columns) {
                    values.put(
                            String.join(
                                    "/",
                                    entry.getHeader().getTableName(),
                                    columns.get(0).getValue(),
                                    column.getName()),
                            new Delivered(column, data.get(i).get(column.getName())));
                }
            }
        }
        return values;
    }

    /** The rows of an entry; null if it has none. */
    private static @Nullable RowChange rows(io.sluice.protocol.entry.Entry entry)
            throws InvalidProtocolBufferException {
        if (entry.getEntryType() != EntryType.ROWDATA) {
            return null;
        }
        RowChange change = RowChange.parseFrom(entry.getStoreValue());
        return change.getRowDatasCount() == 0 ? null : change;
    }
}
