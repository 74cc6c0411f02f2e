package io.sluice.stream.source;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.format.entry.Encodings;
import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.entry.Column;
import io.sluice.protocol.entry.RowChange;
import io.sluice.protocol.entry.RowData;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.store.ring.RingConfig;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ServerRelease;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Random updates of random documents, which real servers log as differences: what is delivered is what they hold. */
@Timeout(600)
class PartialJsonIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int ROWS = 12;
    private static final int UPDATES = 600;

    /** The first rows have documents with numbers of 4 bytes in them, from 64 KiB on, and keep them. */
    private static final int LARGE = 4;

    private static final String FILLER = "x".repeat(70_000);
    private static final long SEED = 20_261_121;

    private static final List<String> KEYS =
            List.of("a", "b", "cc", "key with blank", "q\"uote", "中", "d.ot", "", "1x", "$", "\b\f\n\r\t", "\u0001\\");
    private static final List<String> TEXTS =
            List.of("", "x", "quote\"s", "back\\slash", "中文", "line\nend", "😀", "tab\t");

    /** What a row held after an update. */
    private record Held(String first, String second, String image) {}

    @ParameterizedTest
    @EnumSource(names = {"MYSQL_8_0_15", "MYSQL_8_0_31", "MYSQL_9_7"})
    void deliversTheDocumentThatTheServerHolds(ServerRelease release) throws Exception {
        Random random = new Random(SEED);
        try (MySqlServer server = MySqlServer.start(
                MySqlOptions.defaults().release(release).with("binlog-row-value-options", "PARTIAL_JSON"))) {
            server.execute(
                    "create user canal identified by 'secret'",
                    "grant all on *.* to canal",
                    "create database docs",
                    "create table docs.doc (id int primary key, j json, n int, k json, note varchar(20))");
            BinlogEnd start = server.binlogEnd();
            Map<String, Held> held = new HashMap<>();
            try (Connection connection = server.connect()) {
                insert(connection, random);
                update(connection, random, release, held);
            }
            server.execute("create table docs.sluice_end (id int)");

            int differences = 0;
            int rebuilt = 0;
            for (RowData row : updates(server, start)) {
                Map<String, Column> before = byName(row.getBeforeColumnsList());
                Map<String, Column> after = byName(row.getAfterColumnsList());
                Held right = held.remove(after.get("note").getValue());
                assertThat(right).as("%s, seed %d", after.get("note"), SEED).isNotNull();
                for (String name : List.of("j", "k")) {
                    Column delivered = after.get(name);
                    String expected = name.equals("j") ? right.first : right.second;
                    if (delivered == null) {
                        assertThat(right.image).as("seed %d", SEED).isNotEqualTo("FULL");
                    } else if (delivered.getValue().startsWith("JSON_")) {
                        assertThat(before).as("%s, seed %d", right, SEED).doesNotContainKey(name);
                        differences++;
                    } else {
                        assertSame(expected, delivered, after.get("note"));
                        if (before.containsKey(name)) {
                            boolean same =
                                    delivered.getIsNull() == before.get(name).getIsNull()
                                            && delivered
                                                    .getValue()
                                                    .equals(before.get(name).getValue());
                            assertThat(delivered.getUpdated()).isEqualTo(!same);
                            rebuilt += same ? 0 : 1;
                        }
                    }
                }
            }
            assertThat(held).as("seed %d", SEED).isEmpty();
            assertThat(differences).as("seed %d", SEED).isGreaterThan(10);
            assertThat(rebuilt).as("seed %d", SEED).isGreaterThan(100);
        }
    }

    private static void assertSame(String expected, Column delivered, Column note) throws Exception {
        assertThat(delivered.getIsNull()).as("%s, seed %d", note, SEED).isEqualTo(expected == null);
        if (expected != null) {
            // Both parse to the same; as texts they differ in the escapes that JSON leaves open.
            assertThat(JSON.readTree(delivered.getValue()).toString())
                    .as("%s, seed %d", note, SEED)
                    .isEqualTo(JSON.readTree(expected).toString());
        }
    }

    private static Map<String, Column> byName(List<Column> columns) {
        Map<String, Column> byName = new HashMap<>();
        columns.forEach(column -> byName.put(column.getName(), column));
        return byName;
    }

    private static List<RowData> updates(MySqlServer server, BinlogEnd start) throws Exception {
        ConnectOptions login = ConnectOptions.of(new ServerAddress(server.host(), server.port()), "canal", "secret");
        SourceOptions options = new SourceOptions(
                login,
                4716,
                new BinlogPosition(start.file(), start.offset()),
                null,
                List.of(),
                List.of(),
                Duration.ofSeconds(5));
        List<RowData> updates = new ArrayList<>();
        try (LiveSource live = LiveSource.reading(options, new RingConfig(1 << 12, 1 << 14, false))
                .encodeAhead(true)
                .start()) {
            for (Entry entry : live.readUntil(entry -> entry.kind() == EntryKind.DDL)) {
                if (entry.kind() == EntryKind.ROWS) {
                    ByteWriter out = new ByteWriter(256);
                    Encodings.writeProtobuf(entry, out);
                    RowChange change = RowChange.parseFrom(io.sluice.protocol.entry.Entry.parseFrom(out.toByteArray())
                            .getStoreValue());
                    for (RowData row : change.getRowDatasList()) {
                        if (row.getAfterColumnsCount() > 0 && row.getBeforeColumnsCount() > 0) {
                            updates.add(row);
                        }
                    }
                }
            }
        }
        return updates;
    }

    private static void insert(Connection connection, Random random) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("insert into docs.doc values (?, ?, 0, ?, '')")) {
            for (int id = 0; id < ROWS; id++) {
                insert.setInt(1, id);
                insert.setString(2, (id < LARGE ? large(random, id) : document(random, 3)).toString());
                insert.setString(
                        3, random.nextInt(4) == 0 ? null : document(random, 2).toString());
                insert.execute();
            }
        }
    }

    private static void update(Connection connection, Random random, ServerRelease release, Map<String, Held> held)
            throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (int i = 0; i < UPDATES; i++) {
                String image =
                        List.of("FULL", "FULL", "FULL", "MINIMAL", "NOBLOB").get(random.nextInt(5));
                statement.execute("set session binlog_row_image = " + image);
                if (release != ServerRelease.MYSQL_8_0_15) {
                    statement.execute("set session binlog_transaction_compression = " + random.nextBoolean());
                }
                int id = random.nextInt(ROWS);
                boolean both = random.nextInt(4) == 0;
                String sql = "update docs.doc set note = 'u%d', n = %d".formatted(i, random.nextInt(3))
                        + (both || random.nextBoolean() ? ", j = " + change("j", random, id >= LARGE) : "")
                        + (both || random.nextInt(3) == 0 ? ", k = " + change("k", random, true) : "")
                        + " where id = " + id;
                try {
                    statement.execute(sql);
                } catch (SQLException e) {
                    assertThat(e.getMessage()).as(sql).contains("path"); // such as an insert into what is no array
                    continue;
                }
                try (ResultSet row = statement.executeQuery("select j, k, note from docs.doc where id = " + id)) {
                    row.next();
                    held.put(row.getString(3), new Held(row.getString(1), row.getString(2), image));
                }
            }
        }
    }

    /** Mostly a call that can be logged as differences; at times a new document, or NULL. */
    private static String change(String column, Random random, boolean mayReplace) {
        if (mayReplace && random.nextInt(8) == 0) {
            return random.nextInt(6) == 0 ? "null" : value(document(random, 4).toString());
        }
        String changed = random.nextInt(15) == 0 ? "coalesce(%s, '{}')".formatted(column) : column;
        for (int calls = 1 + random.nextInt(3); calls > 0; calls--) {
            String function = List.of("json_set", "json_set", "json_replace", "json_remove", "json_insert")
                    .get(random.nextInt(5));
            StringBuilder arguments = new StringBuilder(changed);
            for (int n = 1 + random.nextInt(2); n > 0; n--) {
                arguments.append(", '").append(path(random)).append('\'');
                if (!function.equals("json_remove")) {
                    arguments.append(", ").append(anyValue(random));
                }
            }
            changed = function + "(" + arguments + ")";
        }
        return random.nextInt(20) == 0
                ? "json_array_insert(%s, '$[%s]', 'in')".formatted(changed, index(random))
                : changed;
    }

    private static String path(Random random) {
        StringBuilder path = new StringBuilder("$");
        for (int legs = 1 + random.nextInt(3); legs > 0; legs--) {
            if (random.nextInt(3) == 0) {
                path.append('[').append(index(random)).append(']');
            } else {
                String key = JsonNodeFactory.instance
                        .textNode(KEYS.get(random.nextInt(KEYS.size())))
                        .toString();
                path.append('.').append(key.replace("\\", "\\\\").replace("'", "''"));
            }
        }
        return path.toString();
    }

    private static String index(Random random) {
        return switch (random.nextInt(6)) {
            case 0 -> "last";
            case 1 -> "last-" + random.nextInt(3);
            default -> Integer.toString(random.nextInt(4));
        };
    }

    private static String anyValue(Random random) {
        return switch (random.nextInt(6)) {
            case 0 -> Integer.toString(random.nextInt(100_000) - 50_000);
            case 4 -> "cast(%d as unsigned)".formatted(random.nextLong(1L << (8 + random.nextInt(25))));
            case 1 -> value(document(random, 1).toString());
            case 2 -> "cast('2024-02-29 01:02:03' as datetime)";
            case 3 -> "cast(%d.%02d as decimal(8,2))".formatted(random.nextInt(1000), 1 + random.nextInt(99));
            default -> "'%s'".formatted(TEXTS.get(random.nextInt(TEXTS.size())).replace("\\", "\\\\"));
        };
    }

    private static String value(String json) {
        return "cast('%s' as json)".formatted(json.replace("\\", "\\\\").replace("'", "''"));
    }

    /** An object or an array. */
    private static com.fasterxml.jackson.databind.JsonNode large(Random random, int id) {
        if (id % 2 == 0) {
            ObjectNode object = JsonNodeFactory.instance.objectNode();
            KEYS.forEach(key -> object.set(key, document(random, 2)));
            return object.put("filler", FILLER);
        }
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        for (int i = 0; i < 40; i++) {
            array.add(document(random, 2));
        }
        array.insert(20, FILLER);
        return array;
    }

    /** Long enough for a difference to be shorter. */
    private static com.fasterxml.jackson.databind.JsonNode document(Random random, int levels) {
        JsonNodeFactory nodes = JsonNodeFactory.instance;
        if (levels == 0) {
            return switch (random.nextInt(5)) {
                case 0 -> nodes.nullNode();
                case 1 -> nodes.booleanNode(random.nextBoolean());
                case 2 -> nodes.numberNode(random.nextLong());
                case 3 -> nodes.numberNode(random.nextInt(1000) / 8.0);
                default ->
                    nodes.textNode("padding ".repeat(random.nextInt(6)) + TEXTS.get(random.nextInt(TEXTS.size())));
            };
        }
        if (random.nextInt(3) == 0) {
            ArrayNode array = nodes.arrayNode();
            for (int n = random.nextInt(6); n > 0; n--) {
                array.add(document(random, random.nextInt(levels)));
            }
            return array;
        }
        ObjectNode object = nodes.objectNode();
        for (int n = 2 + random.nextInt(8); n > 0; n--) {
            object.set(KEYS.get(random.nextInt(KEYS.size())), document(random, random.nextInt(levels)));
        }
        return object;
    }
}
