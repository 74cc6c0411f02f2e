package io.sluice.bench.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import java.io.IOException;

/** Reads the JSON of other bridges: one row a record, its columns as members of an object. */
final class PeerJsonReader implements RecordReader {
    private final ObjectReader json = new ObjectMapper().readerFor(JsonNode.class);
    private final Dialect dialect;

    PeerJsonReader(Dialect dialect) {
        this.dialect = dialect;
    }

    /** Whose JSON it is. */
    enum Dialect {
        /** {@code before}, {@code after}, {@code source} and {@code op}, without a schema, decimals as text. */
        DEBEZIUM {
            @Override
            String type(JsonNode record) throws IOException {
                String op = record.path("op").asText();
                return switch (op) {
                    case "c" -> "INSERT";
                    case "u" -> "UPDATE";
                    case "d" -> "DELETE";
                    default -> throw new IOException("no change of a row has op '" + op + "'");
                };
            }

            @Override
            JsonNode table(JsonNode record) {
                return record.path("source").path("table");
            }

            @Override
            JsonNode row(JsonNode record) {
                return record.path(record.path("after").isObject() ? "after" : "before");
            }
        },
        /** {@code database}, {@code table}, {@code type} and {@code data}. */
        MAXWELL {
            @Override
            String type(JsonNode record) throws IOException {
                String type = record.path("type").asText();
                return switch (type) {
                    case "insert" -> "INSERT";
                    case "update" -> "UPDATE";
                    case "delete" -> "DELETE";
                    default -> throw new IOException("no change of a row has type '" + type + "'");
                };
            }

            @Override
            JsonNode table(JsonNode record) {
                return record.path("table");
            }

            @Override
            JsonNode row(JsonNode record) {
                return record.path("data");
            }
        };

        /** INSERT, UPDATE or DELETE. */
        abstract String type(JsonNode record) throws IOException;

        abstract JsonNode table(JsonNode record);

        /** The columns; of a deleted row, as they were. */
        abstract JsonNode row(JsonNode record);
    }

    @Override
    public void read(byte[] record, ArrivedRows rows) throws IOException {
        JsonNode root = json.readValue(record);
        String type = dialect.type(root);
        JsonNode row = dialect.row(root);
        if (!row.isObject()) {
            throw new IOException("a record without a row");
        }
        rows.add(
                dialect.table(root).asText(),
                type,
                row.path("id").asText(),
                row.path("amount").asText("0"));
    }
}
