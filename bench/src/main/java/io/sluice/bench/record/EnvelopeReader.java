package io.sluice.bench.record;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads JSON with one row change per record, whose columns are members of an object. */
public final class EnvelopeReader implements RecordReader {
    private final ObjectReader json = new ObjectMapper().readerFor(JsonNode.class);
    private final Dialect dialect;

    public EnvelopeReader(Dialect dialect) {
        this.dialect = dialect;
    }

    /** The names of an envelope's members. */
    public enum Dialect {
        /** {@code before}, {@code after}, {@code source} and {@code op}, without a schema, decimals as text. */
        DEBEZIUM("op", "c", "u", "d", "before"),
        /** {@code database}, {@code table}, {@code type}, {@code data} and {@code old}. */
        MAXWELL("type", "insert", "update", "delete", "old");

        private final String typeMember;
        private final String insert;
        private final String update;
        private final String delete;
        private final String beforeMember;

        Dialect(String typeMember, String insert, String update, String delete, String beforeMember) {
            this.typeMember = typeMember;
            this.insert = insert;
            this.update = update;
            this.delete = delete;
            this.beforeMember = beforeMember;
        }

        String type(JsonNode root) throws IOException {
            String type = root.path(typeMember).asText();
            if (type.equals(insert)) {
                return "INSERT";
            } else if (type.equals(update)) {
                return "UPDATE";
            } else if (type.equals(delete)) {
                return "DELETE";
            }
            throw new IOException("'%s' is not the type of a row change: '%s'".formatted(typeMember, type));
        }

        String table(JsonNode root) {
            return (this == DEBEZIUM ? root.path("source") : root).path("table").asText();
        }

        /** The columns; of a deleted row those of its before image. */
        JsonNode row(JsonNode root) {
            if (this == MAXWELL) {
                return root.path("data");
            }
            return root.path(root.path("after").isObject() ? "after" : "before");
        }
    }

    @Override
    public void read(byte[] record, ArrivedRows rows) throws IOException {
        JsonNode root = json.readValue(record);
        String type = dialect.type(root);
        JsonNode row = dialect.row(root);
        if (!row.isObject()) {
            throw new IOException("a record without a row");
        }
        Map<String, @Nullable String> columns = new LinkedHashMap<>();
        row.properties().forEach(column -> columns.put(column.getKey(), text(column.getValue())));
        JsonNode before = root.path(dialect.beforeMember).path("amount");
        rows.add(dialect.table(root), type, columns, type.equals("UPDATE") ? text(before) : null);
    }

    private static @Nullable String text(JsonNode value) {
        return value.isNull() || value.isMissingNode() ? null : value.asText();
    }
}
