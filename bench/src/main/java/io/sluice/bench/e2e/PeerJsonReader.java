package io.sluice.bench.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import java.io.IOException;
import java.util.Map;

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
        DEBEZIUM(Map.of("c", "INSERT", "u", "UPDATE", "d", "DELETE")) {
            @Override
            String type(JsonNode record) {
                return record.path("op").asText();
            }

            @Override
            JsonNode table(JsonNode record) {
                return record.path("source").path("table");
            }

            @Override
            JsonNode row(JsonNode record) {
                return record.path(type(record).equals("d") ? "before" : "after");
            }
        },
        /** {@code database}, {@code table}, {@code type} and {@code data}. */
        MAXWELL(Map.of("insert", "INSERT", "update", "UPDATE", "delete", "DELETE")) {
            @Override
            String type(JsonNode record) {
                return record.path("type").asText();
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

        /** How the types of changes are spelled, and what they are. */
        private final Map<String, String> types;

        Dialect(Map<String, String> types) {
            this.types = types;
        }

        abstract String type(JsonNode record);

        abstract JsonNode table(JsonNode record);

        abstract JsonNode row(JsonNode record);
    }

    @Override
    public void read(byte[] record, ArrivedRows rows) throws IOException {
        JsonNode root = json.readValue(record);
        String type = dialect.types.get(dialect.type(root));
        JsonNode row = dialect.row(root);
        if (type == null || !row.isObject()) {
            throw new IOException("this is no row of " + dialect);
        }
        rows.add(
                dialect.table(root).asText(),
                type,
                row.path("id").asText(),
                row.path("amount").asText("0"));
    }
}
