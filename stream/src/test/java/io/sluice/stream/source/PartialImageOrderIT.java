package io.sluice.stream.source;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.connector.api.convert.BatchConverter;
import io.sluice.connector.api.convert.ChangeHeaders;
import io.sluice.connector.api.convert.Converters;
import io.sluice.connector.api.convert.DdlPartition;
import io.sluice.connector.api.convert.KeyChange;
import io.sluice.connector.api.convert.OutgoingMessage;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.route.Router;
import io.sluice.connector.api.route.RoutingRules;
import io.sluice.connector.api.route.RuleTexts;
import io.sluice.format.entry.Entry;
import io.sluice.format.value.ColumnTypes;
import io.sluice.format.value.ValueOptions;
import io.sluice.protocol.entry.Column;
import io.sluice.protocol.entry.EventType;
import io.sluice.protocol.entry.RowChange;
import io.sluice.protocol.entry.RowData;
import io.sluice.protocol.packet.Messages;
import io.sluice.protocol.packet.Packet;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.time.Time;
import io.sluice.store.ring.RingConfig;
import io.sluice.stream.options.PartialImagePolicy;
import io.sluice.stream.options.StreamOptions;
import io.sluice.testkit.junit.Seeded;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ServerRelease;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whatever row images sessions choose, all changes of a key are in one partition, in their order: completed images have the
 * key. The keys and the order are read from the records alone, and compared with what was done.
 */
@Timeout(600)
class PartialImageOrderIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final RingConfig RING = new RingConfig(1 << 14, 1 << 14, false);
    private static final int PARTITIONS = 5;
    private static final int STATEMENTS = 600;
    private static final int KEYS = 12;

    private final SplittableRandom random;

    /**
     * What was done to each key: {@code I}, {@code U} and their number, {@code D}, {@code away}, {@code here} and its number; and
     * {@code leaves}, {@code comes} and its number where the images of the update have all that the server logs.
     */
    private final Map<String, List<String>> done = new TreeMap<>();

    PartialImageOrderIT(@Seeded SplittableRandom random) {
        this.random = random;
    }

    /** Tables by what identifies their rows; all but the last have a primary key. */
    private enum Shape {
        NUMBER("id INT PRIMARY KEY", "id"),
        PAIR("a INT, z VARCHAR(8), PRIMARY KEY (a, z)", "a", "z"),
        BYTES("id BINARY(4) PRIMARY KEY", "id"),
        /** Which NOBLOB leaves out of images after. */
        LONG_TEXT("id TEXT, PRIMARY KEY (id(20))", "id"),
        UNIQUE("u INT NOT NULL, UNIQUE KEY (u)", "u"),
        /** With columns that MariaDB 11.8 leaves out of the images of updates and deletes. */
        GENERATED("id INT PRIMARY KEY, g INT AS (seq + 1) STORED, h INT AS (seq + 2) VIRTUAL", "id");

        private final String definition;

        @SuppressWarnings("ImmutableEnumChecker") // made by List.of
        private final List<String> columns;

        Shape(String definition, String... columns) {
            this.definition = definition;
            this.columns = List.of(columns);
        }

        String table() {
            return "rnd." + name().toLowerCase(java.util.Locale.ROOT);
        }

        List<String> literals(int key) {
            return switch (this) {
                case NUMBER, UNIQUE, GENERATED -> List.of(String.valueOf(key));
                case PAIR -> List.of(String.valueOf(key % 3), "'z" + key + "'");
                case BYTES -> List.of("x'%02x000000'".formatted(key));
                case LONG_TEXT -> List.of("'the key %d'".formatted(key));
            };
        }

        /** As in messages. */
        String text(int key) {
            return switch (this) {
                case NUMBER, UNIQUE, GENERATED -> String.valueOf(key);
                case PAIR -> "[\"%d\",\"z%d\"]".formatted(key % 3, key);
                case BYTES -> (char) key + "\0\0\0";
                case LONG_TEXT -> "the key " + key;
            };
        }

        String where(int key) {
            List<String> conditions = new ArrayList<>();
            for (int i = 0; i < columns.size(); i++) {
                conditions.add(columns.get(i) + " = " + literals(key).get(i));
            }
            return String.join(" AND ", conditions);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL_5_7_22", "MYSQL_8_0_31", "MARIADB_11_8"})
    void changesOfAKeyAreInOnePartitionInTheirOrder(ServerRelease release) throws Exception {
        List<Entry> entries = changes(release, true);
        for (KeyChange keyChange : KeyChange.values()) {
            require(flat(messages(flatConverter(keyChange), entries)), keyChange);
            require(raw(messages(rawConverter(keyChange), entries)), keyChange);
        }
    }

    /** As canal has it: this is what the warning is about. */
    @ParameterizedTest
    @EnumSource(names = {"MYSQL_8_0_31"})
    void withoutCompletionMissingColumnsStayMissing(ServerRelease release) throws Exception {
        List<Entry> entries = changes(release, false);

        List<Seen> seen = raw(messages(rawConverter(KeyChange.KEEP), entries));

        assertThat(partitions(seen).values()).anyMatch(partitions -> partitions.size() > 1);
        assertThat(flat(messages(flatConverter(KeyChange.KEEP), entries)))
                .anyMatch(change -> change.key().contains("null"));
    }

    private List<Entry> changes(ServerRelease release, boolean completes) throws Exception {
        MySqlOptions options = MySqlOptions.defaults().release(release);
        try (MySqlServer server = MySqlServer.start(options);
                Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            BinlogEnd start = server.rotateBinlog();
            SourceOptions source = new SourceOptions(
                    Sources.login(server.port()),
                    4715,
                    new BinlogPosition(start.file(), start.offset()),
                    null,
                    List.of(),
                    List.of(),
                    Duration.ofSeconds(5));
            PartialImagePolicy images = new PartialImagePolicy(completes, PartialImagePolicy.Reported.NONE, false, "");
            ColumnTypes types = new ColumnTypes(ValueOptions.in(ZoneOffset.UTC).withExactBinary(true));
            try (LiveSource live = LiveSource.reading(source, RING).stream(StreamOptions.DEFAULT.with(images))
                    .types(types)
                    .start()) {
                statement.execute("CREATE DATABASE rnd");
                for (Shape shape : Shape.values()) {
                    statement.execute("CREATE TABLE %s (v VARCHAR(9), %s, seq INT, t TEXT, b BLOB)"
                            .formatted(shape.table(), shape.definition));
                }
                change(statement, release);
                statement.execute("CREATE TABLE rnd.last_one (id INT)");
                return live.readUntil(entry -> entry.tableName().equals("last_one"));
            }
        }
    }

    private void change(Statement statement, ServerRelease release) throws SQLException {
        List<String> images = new ArrayList<>(List.of("FULL", "MINIMAL", "NOBLOB"));
        if (release == ServerRelease.MARIADB_11_8) {
            images.add("FULL_NODUP");
        }
        Map<Shape, Set<Integer>> present = new TreeMap<>();
        for (int number = 1; number <= STATEMENTS; number++) {
            String image = images.get(random.nextInt(images.size()));
            statement.execute("SET SESSION binlog_row_image = " + image);
            Shape shape = Shape.values()[random.nextInt(Shape.values().length)];
            Set<Integer> keys = present.computeIfAbsent(shape, s -> new TreeSet<>());
            statement.execute(next(shape, keys, number, image.startsWith("FULL")));
        }
        statement.execute("SET SESSION binlog_row_image = FULL");
        int number = STATEMENTS;
        for (Shape shape : Shape.values()) {
            statement.execute(insert(shape, KEYS, ++number));
            statement.execute(move(shape, KEYS, KEYS + 1, ++number, true));
        }
    }

    /** The next statement, which is noted. */
    private String next(Shape shape, Set<Integer> present, int number, boolean isFull) {
        int key = random.nextInt(1, KEYS);
        int other = random.nextInt(1, KEYS);
        if (!present.contains(key)) {
            present.add(key);
            return insert(shape, key, number);
        }
        switch (random.nextInt(10)) {
            case 0 -> {
                present.remove(key);
                note(shape, key, "D");
                return "DELETE FROM %s WHERE %s".formatted(shape.table(), shape.where(key));
            }
            case 1 -> {
                present.forEach(one -> note(shape, one, "U" + number));
                return "UPDATE %s SET seq = %d".formatted(shape.table(), number);
            }
            case 2 -> {
                note(shape, key, "U" + number);
                return "INSERT INTO %s (%s, seq) VALUES (%s, 0) ON DUPLICATE KEY UPDATE seq = %d, v = 'dup'"
                        .formatted(
                                shape.table(),
                                String.join(", ", shape.columns),
                                String.join(", ", shape.literals(key)),
                                number);
            }
            case 3, 4 -> {
                if (!present.contains(other)) {
                    present.remove(key);
                    present.add(other);
                    return move(shape, key, other, number, isFull);
                }
            }
            default -> {}
        }
        note(shape, key, "U" + number);
        String more = List.of("", ", t = 'x%d'".formatted(number), ", v = 'y'", ", b = NULL")
                .get(random.nextInt(4));
        return "UPDATE %s SET seq = %d%s WHERE %s".formatted(shape.table(), number, more, shape.where(key));
    }

    private String insert(Shape shape, int key, int number) {
        note(shape, key, "I" + number);
        String more = random.nextBoolean() ? "t" : "b";
        return "INSERT INTO %s (%s, seq, %s) VALUES (%s, %d, 'some')"
                .formatted(
                        shape.table(),
                        String.join(", ", shape.columns),
                        more,
                        String.join(", ", shape.literals(key)),
                        number);
    }

    private String move(Shape shape, int key, int other, int number, boolean isFull) {
        note(shape, key, isFull ? "leaves" : "away");
        note(shape, other, (isFull ? "comes" : "here") + number);
        List<String> sets = new ArrayList<>();
        for (int i = 0; i < shape.columns.size(); i++) {
            sets.add(shape.columns.get(i) + " = " + shape.literals(other).get(i));
        }
        String all = random.nextBoolean() ? ", v = 'all', t = 'all', b = 'all'" : "";
        return "UPDATE %s SET %s, seq = %d%s WHERE %s"
                .formatted(shape.table(), String.join(", ", sets), number, all, shape.where(key));
    }

    private void note(Shape shape, int key, String what) {
        done.computeIfAbsent(shape.table() + " " + shape.text(key), k -> new ArrayList<>())
                .add(what);
    }

    /** A change of a row in a record. */
    private record Seen(String key, int partition, String what, String messageKey) {}

    private static Router router() {
        RoutingRules rules = RoutingRules.read(new RuleTexts(
                "topic",
                0,
                "",
                "rnd.unique:u,.*\\..*:$pk$",
                true,
                OptionalInt.of(PARTITIONS),
                "",
                false,
                "rnd.unique:u,.*\\..*:$pk$"));
        assertThat(rules.problems()).isEmpty();
        return rules.router(topic -> OptionalInt.empty());
    }

    private static BatchConverter flatConverter(KeyChange keyChange) {
        return Converters.OF_BINLOG.flat(router(), keyChange, DdlPartition.FIRST, ChangeHeaders.NONE, Time.SYSTEM);
    }

    private static BatchConverter rawConverter(KeyChange keyChange) {
        return Converters.OF_BINLOG.packets(router(), keyChange, DdlPartition.FIRST, 1 << 20, ChangeHeaders.NONE);
    }

    private static List<Message> messages(BatchConverter converter, List<Entry> entries) {
        return converter.convert(1, entries).stream()
                .map(OutgoingMessage::message)
                .toList();
    }

    private static String key(byte[] key) {
        return key == null ? "none" : new String(key, StandardCharsets.UTF_8);
    }

    private static List<Seen> flat(List<Message> messages) throws Exception {
        List<Seen> seen = new ArrayList<>();
        for (Message message : messages) {
            JsonNode value = JSON.readTree(message.value());
            if (value.get("isDdl").asBoolean()) {
                continue;
            }
            String table = "rnd." + value.get("table").asText();
            for (JsonNode row : value.get("data")) {
                seen.add(new Seen(
                        table + " "
                                + key(
                                        table,
                                        name -> row.hasNonNull(name)
                                                ? row.get(name).asText()
                                                : null),
                        message.partition(),
                        what(value.get("type").asText(), row.path("seq").asText()),
                        key(message.key())));
            }
        }
        return seen;
    }

    private static List<Seen> raw(List<Message> messages) throws Exception {
        List<Seen> seen = new ArrayList<>();
        for (Message message : messages) {
            Messages packet =
                    Messages.parseFrom(Packet.parseFrom(message.value()).getBody());
            for (var bytes : packet.getMessagesList()) {
                var entry = io.sluice.protocol.entry.Entry.parseFrom(bytes);
                RowChange change = RowChange.parseFrom(entry.getStoreValue());
                if (change.getIsDdl()) {
                    continue;
                }
                String table = "rnd." + entry.getHeader().getTableName();
                for (RowData row : change.getRowDatasList()) {
                    // The key of an update without completion is in the image before alone.
                    List<Column> image = change.getEventType() == EventType.DELETE
                            ? row.getBeforeColumnsList()
                            : row.getAfterColumnsList();
                    List<Column> other = row.getBeforeColumnsList();
                    seen.add(new Seen(
                            table + " " + key(table, name -> text(image, other, name)),
                            message.partition(),
                            what(change.getEventType().name(), text(image, image, "seq")),
                            key(message.key())));
                }
            }
        }
        return seen;
    }

    private static String text(List<Column> image, List<Column> other, String name) {
        for (List<Column> columns : List.of(image, other)) {
            for (Column column : columns) {
                if (column.getName().equals(name)) {
                    return column.getIsNull() ? null : column.getValue();
                }
            }
        }
        return null;
    }

    /** A row's key, as the text of a message's. */
    private static String key(String table, java.util.function.UnaryOperator<String> row) {
        List<String> columns = new ArrayList<>();
        for (Shape shape : Shape.values()) {
            if (shape.table().equals(table)) {
                shape.columns.forEach(column -> columns.add(row.apply(column)));
            }
        }
        return columns.size() == 1
                ? String.valueOf(columns.get(0))
                : columns.stream()
                        .map(text -> text == null ? "null" : "\"" + text + "\"")
                        .collect(java.util.stream.Collectors.joining(",", "[", "]"));
    }

    private static String what(String type, String number) {
        return type.equals("DELETE") ? "D" : type.charAt(0) + number;
    }

    private static Map<String, Set<Integer>> partitions(List<Seen> seen) {
        Map<String, Set<Integer>> partitions = new TreeMap<>();
        seen.forEach(change ->
                partitions.computeIfAbsent(change.key(), key -> new TreeSet<>()).add(change.partition()));
        return partitions;
    }

    private void require(List<Seen> seen, KeyChange keyChange) {
        assertThat(partitions(seen)).allSatisfy((key, all) -> assertThat(all).hasSize(1));
        assertThat(partitions(seen).values().stream().distinct().count()).isGreaterThan(2);
        assertThat(seen).allSatisfy(change -> assertThat(change.key()).endsWith(" " + change.messageKey()));
        Map<String, List<String>> changes = new TreeMap<>();
        seen.forEach(change ->
                changes.computeIfAbsent(change.key(), key -> new ArrayList<>()).add(change.what()));
        done.forEach((key, expected) -> {
            List<String> actual = new ArrayList<>(changes.getOrDefault(key, List.of()));
            assertThat(matches(expected, actual, keyChange))
                    .as("%s, %s: done %s, delivered %s", keyChange, key, expected, actual)
                    .isTrue();
        });
        assertThat(done.keySet()).containsAll(changes.keySet());
    }

    /** An update that changes a key is split where no column is missing: a delete, and an insert, each in its place. */
    private static boolean matches(List<String> expected, List<String> actual, KeyChange keyChange) {
        int at = 0;
        boolean splits = keyChange == KeyChange.SPLIT;
        for (String what : expected) {
            String next = at < actual.size() ? actual.get(at) : "";
            if (what.equals("leaves")) {
                if (splits && !next.equals("D")) {
                    return false;
                }
                at += splits ? 1 : 0;
            } else if (what.startsWith("comes")) {
                if (!next.equals((splits ? "I" : "U") + what.substring(5))) {
                    return false;
                }
                at++;
            } else if (what.equals("away")) {
                at += splits && next.equals("D") ? 1 : 0;
            } else if (what.startsWith("here")) {
                String number = what.substring(4);
                if (!next.equals("U" + number) && !(splits && next.equals("I" + number))) {
                    return false;
                }
                at++;
            } else if (next.equals(what)) {
                at++;
            } else {
                return false;
            }
        }
        return at == actual.size();
    }
}
