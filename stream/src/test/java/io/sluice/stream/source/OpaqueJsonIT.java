package io.sluice.stream.source;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.format.entry.Encodings;
import io.sluice.format.entry.Entry;
import io.sluice.format.value.ColumnTypes;
import io.sluice.format.value.ValueOptions;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.store.ring.RingConfig;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ServerRelease;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Binary values of columns and literals that are put into JSON documents: the exact text is the one that the server shows. */
@Timeout(600)
class OpaqueJsonIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String OBJECT = "JSON_OBJECT('b', b, 'vb', vb, 'bl', bl, 'bits', bits, 'y', y, 'e', e, 's', s,"
            + " 'd', d, 't', t, 'literal', CAST(x'FEDCBA98' AS BINARY), 'bit', b'1')";

    @ParameterizedTest
    @ValueSource(strings = {"", "PARTIAL_JSON"})
    void theExactTextIsThatOfTheServer(String rowValueOptions) throws Exception {
        try (MySqlServer server = MySqlServer.start(MySqlOptions.defaults()
                        .release(ServerRelease.MYSQL_8_0_31)
                        .with("binlog-row-value-options", rowValueOptions));
                Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE docs");
            statement.execute("CREATE TABLE docs.source (id INT PRIMARY KEY, b BINARY(16), vb VARBINARY(300), bl BLOB,"
                    + " bits BIT(12), y YEAR, e ENUM('x', 'y'), s SET('x', 'y'), d DECIMAL(8, 2), t DATETIME(3))");
            statement.execute("CREATE TABLE docs.j (id INT PRIMARY KEY, j JSON)");
            BinlogEnd start = server.rotateBinlog();
            try (LiveSource live = start(server, 4715, start, true);
                    LiveSource asCanal = start(server, 4716, start, false)) {
                int id = 0;
                for (int length : List.of(0, 1, 3, 56, 57, 58, 113, 114, 115, 171, 300)) {
                    id++;
                    statement.execute(
                            "INSERT INTO docs.source VALUES (%d, UNHEX(MD5(%d)), REPEAT(x'FE', %d), REPEAT(x'0022', %d),"
                                            .formatted(id, id, length, length)
                                    + " b'101010111100', 2026, 'y', 'x,y', 1.50, '2026-11-28 04:00:00.125')");
                    statement.execute(
                            "INSERT INTO docs.j SELECT id, %s FROM docs.source WHERE id = %d".formatted(OBJECT, id));
                }
                Map<String, String> inserted = held(statement);
                statement.execute("UPDATE docs.j SET j = JSON_REPLACE(j, '$.literal', CAST(x'FFDCBA98' AS BINARY))");
                Map<String, String> updated = held(statement);
                statement.execute("CREATE TABLE docs.last_one (id INT)");

                Map<String, String> first = new LinkedHashMap<>();
                Map<String, String> second = new LinkedHashMap<>();
                Map<String, String> old = new LinkedHashMap<>();
                read(live, first, second, old);
                assertThat(first).isEqualTo(inserted);
                assertThat(second).isEqualTo(updated);
                assertThat(old).isEqualTo(inserted);

                Map<String, String> oldAsCanal = new LinkedHashMap<>();
                Map<String, String> secondAsCanal = new LinkedHashMap<>();
                read(asCanal, new LinkedHashMap<>(), secondAsCanal, oldAsCanal);
                assertThat(oldAsCanal).hasSameSizeAs(inserted).isEqualTo(secondAsCanal); // seen, with one text for both
            }
        }
    }

    private static LiveSource start(MySqlServer server, int replicaId, BinlogEnd start, boolean exact) {
        SourceOptions options = new SourceOptions(
                Sources.login(server.port()),
                replicaId,
                new BinlogPosition(start.file(), start.offset()),
                null,
                List.of(),
                List.of(),
                Duration.ofSeconds(5));
        ValueOptions values =
                ValueOptions.in(ZoneOffset.UTC).withExactDecimals(exact).withExactJson(exact);
        return LiveSource.reading(options, new RingConfig(1 << 10, 1 << 10, false))
                .types(new ColumnTypes(values))
                .start();
    }

    private static Map<String, String> held(Statement statement) throws Exception {
        Map<String, String> held = new LinkedHashMap<>();
        try (ResultSet rows = statement.executeQuery("SELECT id, CAST(j AS CHAR) FROM docs.j ORDER BY id")) {
            while (rows.next()) {
                held.put(rows.getString(1), rows.getString(2));
            }
        }
        return held;
    }

    private static void read(
            LiveSource source, Map<String, String> inserted, Map<String, String> updated, Map<String, String> old)
            throws Exception {
        List<JsonNode> messages = new ArrayList<>();
        for (Entry entry : source.readUntil(entry -> entry.tableName().equals("last_one"))) {
            ByteWriter out = new ByteWriter(256);
            if (entry.tableName().equals("j") && Encodings.writeFlat(entry, out, 1, 1)) {
                messages.add(JSON.readTree(out.toByteArray()));
            }
        }
        for (JsonNode message : messages) {
            boolean update = message.get("type").asText().equals("UPDATE");
            for (int i = 0; i < message.get("data").size(); i++) {
                JsonNode row = message.get("data").get(i);
                (update ? updated : inserted)
                        .put(row.get("id").asText(), row.get("j").asText());
                if (update && message.get("old").get(i).has("j")) {
                    old.put(
                            row.get("id").asText(),
                            message.get("old").get(i).get("j").asText());
                }
            }
        }
    }
}
