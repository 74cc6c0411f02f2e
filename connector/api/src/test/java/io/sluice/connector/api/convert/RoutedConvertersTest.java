package io.sluice.connector.api.convert;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.connector.api.FixedTime;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.MessageHeader;
import io.sluice.connector.api.route.FixedRouter;
import io.sluice.connector.api.route.Partitioning;
import io.sluice.connector.api.route.Partitioning.ByKey;
import io.sluice.connector.api.route.Partitioning.ByTable;
import io.sluice.connector.api.route.Partitioning.One;
import io.sluice.connector.api.route.Route;
import io.sluice.connector.api.route.Router;
import io.sluice.format.entry.Entry;
import io.sluice.format.split.RowKey;
import io.sluice.protocol.entry.EventType;
import io.sluice.protocol.packet.Messages;
import io.sluice.protocol.packet.Packet;
import io.sluice.protocol.time.Time;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RoutedConvertersTest {
    private static final Time CLOCK = new FixedTime(0, 5);

    /** Keys "a", "b", "c", … have hashes one apart, so with 3 partitions "a" goes to 1, "b" to 2, and "c" to 0. */
    private static final Partitioning BY_KEY = new ByKey(RowKey.PRIMARY, 0, 3);

    private static final Entry ROWS = KeyedEntry.of(1, "orders", EventType.INSERT, "a", "b", "d", "e", "a");
    private static final Entry MOVED = KeyedEntry.of(2, "orders", EventType.UPDATE, "a>a", "d>e", "g>g", "b>a");
    private static final Entry ALTER = KeyedEntry.of(3, "orders", EventType.ALTER);
    private static final Entry QUERY = KeyedEntry.of(4, "", EventType.QUERY);
    private static final Entry BEGIN = KeyedEntry.of(5, "", null);

    @Test
    void rowsOfOnePartitionAreOneMessageInTheFlatForm() {
        assertThat(flat(route(BY_KEY, null), KeyChange.KEEP, DdlPartition.FIRST, BEGIN, ROWS, ALTER, QUERY))
                .containsExactly(
                        "t/1 INSERT 1: 0=a>a 2=d>d 4=a>a;",
                        "t/2 INSERT 1: 1=b>b 3=e>e;",
                        "t/0 ALTER 3:;",
                        "t/0 QUERY 4:;");
    }

    @Test
    void eachRowIsAnEntryInTheRawForm() {
        assertThat(raw(route(BY_KEY, null), KeyChange.KEEP, DdlPartition.FIRST, 1000, BEGIN, ROWS, ALTER, QUERY))
                .containsExactly(
                        "t/1 INSERT 1: 0=a>a; INSERT 1: 2=d>d; INSERT 1: 4=a>a;",
                        "t/2 INSERT 1: 1=b>b; INSERT 1: 3=e>e;",
                        "t/0 ALTER 3:; QUERY 4:;");
    }

    @Test
    void anUpdateGoesByItsNewKeyOrIsSplit() {
        assertThat(flat(route(BY_KEY, null), KeyChange.KEEP, DdlPartition.FIRST, MOVED))
                .containsExactly("t/1 UPDATE 2: 0=a>a 2=g>g 3=b>a;", "t/2 UPDATE 2: 1=d>e;");
        assertThat(flat(route(BY_KEY, null), KeyChange.SPLIT, DdlPartition.FIRST, MOVED))
                .containsExactly(
                        "t/1 UPDATE 2: 0=a>a;",
                        "t/1 DELETE 2: 1=d>d;",
                        "t/2 INSERT 2: 1=e>e;",
                        "t/1 UPDATE 2: 2=g>g;",
                        "t/2 DELETE 2: 3=b>b;",
                        "t/1 INSERT 2: 3=a>a;");
        assertThat(raw(route(BY_KEY, null), KeyChange.SPLIT, DdlPartition.FIRST, 1000, MOVED))
                .containsExactly(
                        "t/1 UPDATE 2: 0=a>a; DELETE 2: 1=d>d; UPDATE 2: 2=g>g; INSERT 2: 3=a>a;",
                        "t/2 INSERT 2: 1=e>e; DELETE 2: 3=b>b;");
    }

    @Test
    void ddlGoesToAllPartitionsThatTheRulesKnowOfIfThatIsWanted() {
        assertThat(flat(route(BY_KEY, null), KeyChange.KEEP, DdlPartition.ALL, ALTER, QUERY))
                .containsExactly("t/0 ALTER 3:;", "t/1 ALTER 3:;", "t/2 ALTER 3:;", "t/0 QUERY 4:;");
        assertThat(raw(route(new ByTable(1, 2), null), KeyChange.KEEP, DdlPartition.ALL, 1000, ROWS, ALTER))
                .containsExactly("t/1 INSERT 1: 0=a>a 1=b>b 2=d>d 3=e>e 4=a>a; ALTER 3:;", "t/0 ALTER 3:;");
        assertThat(flat(route(new One(2), null), KeyChange.KEEP, DdlPartition.ALL, ALTER, ROWS))
                .containsExactly("t/2 ALTER 3:;", "t/2 INSERT 1: 0=a>a 1=b>b 2=d>d 3=e>e 4=a>a;");
    }

    /** The order of a partition stays that of the stream, so rows with one key are together only if nothing is between. */
    @Test
    void messagesWithKeysHoldRowsOfOneKey() {
        Router keyed = route(BY_KEY, RowKey.PRIMARY);
        Entry rows = KeyedEntry.of(1, "orders", EventType.INSERT, "a", "b", "a", "d", "a");

        assertThat(flat(keyed, KeyChange.KEEP, DdlPartition.FIRST, rows, ALTER))
                .containsExactly(
                        "t/1[a] INSERT 1: 0=a>a 2=a>a;",
                        "t/2[b] INSERT 1: 1=b>b;",
                        "t/1[d] INSERT 1: 3=d>d;",
                        "t/1[a] INSERT 1: 4=a>a;",
                        "t/0 ALTER 3:;");
        assertThat(raw(keyed, KeyChange.KEEP, DdlPartition.FIRST, 1000, rows, ALTER))
                .containsExactly(
                        "t/1[a] INSERT 1: 0=a>a; INSERT 1: 2=a>a;",
                        "t/2[b] INSERT 1: 1=b>b;",
                        "t/1[d] INSERT 1: 3=d>d;",
                        "t/1[a] INSERT 1: 4=a>a;",
                        "t/0 ALTER 3:;");
        assertThat(flat(route(new One(0), RowKey.PRIMARY), KeyChange.SPLIT, DdlPartition.FIRST, MOVED))
                .containsExactly(
                        "t/0[a] UPDATE 2: 0=a>a;",
                        "t/0[d] DELETE 2: 1=d>d;",
                        "t/0[e] INSERT 2: 1=e>e;",
                        "t/0[g] UPDATE 2: 2=g>g;",
                        "t/0[b] DELETE 2: 3=b>b;",
                        "t/0[a] INSERT 2: 3=a>a;");
    }

    @Test
    void packetsAreNoLargerThanTheLimit() {
        assertThat(raw(route(BY_KEY, null), KeyChange.KEEP, DdlPartition.FIRST, 48, ROWS))
                .containsExactly(
                        "t/1 INSERT 1: 0=a>a; INSERT 1: 2=d>d;",
                        "t/1 INSERT 1: 4=a>a;",
                        "t/2 INSERT 1: 1=b>b; INSERT 1: 3=e>e;");
    }

    @Test
    void headersTellChangesApart() {
        Router router = route(BY_KEY, null);
        List<Message> flat = messages(
                Converters.OF_TEXTS.flat(router, KeyChange.SPLIT, DdlPartition.FIRST, ChangeHeaders.IDS, CLOCK),
                List.of(ROWS, MOVED, ALTER));

        assertThat(flat).extracting(message -> header(message, "sluice-id")).doesNotHaveDuplicates();
        assertThat(headers(flat.get(1)))
                .containsExactly(
                        "sluice-id=uuid:1/1/1/2",
                        "sluice-gtid=uuid:1",
                        "sluice-server-id=9",
                        "sluice-file=binlog.000001",
                        "sluice-offset=1",
                        "sluice-sequence=1",
                        "sluice-row=1",
                        "sluice-rows=2");
        assertThat(headers(flat.get(3)))
                .contains("sluice-id=9/binlog.000001/2/1/1/1/before", "sluice-row=1", "sluice-rows=1");
        assertThat(headers(flat.get(8))).noneMatch(header -> header.startsWith("sluice-row"));

        List<Message> raw = messages(
                Converters.OF_TEXTS.packets(router, KeyChange.KEEP, DdlPartition.FIRST, 1000, ChangeHeaders.IDS),
                List.of(ROWS, MOVED));
        assertThat(headers(raw.get(0)))
                .contains("sluice-id=uuid:1/1/0/1", "sluice-last-id=9/binlog.000001/2/1/3/1", "sluice-rows=6");
    }

    @Test
    void fixedTargetsHaveTheSameHeaders() {
        Router target = new FixedRouter("t", 4);

        List<Message> flat =
                messages(Converters.OF_TEXTS.flat(target, ChangeHeaders.IDS, CLOCK), List.of(BEGIN, ROWS, ALTER));
        assertThat(flat)
                .extracting(message -> header(message, "sluice-id"))
                .containsExactly("uuid:1/1/0/5", "uuid:3/1/0/0");
        List<Message> raw = messages(
                Converters.OF_TEXTS.packets(target, PacketStyle.RAW, 1000, ChangeHeaders.IDS),
                List.of(ROWS, MOVED, ALTER));
        assertThat(headers(raw.get(0)))
                .contains("sluice-id=uuid:1/1/0/5", "sluice-last-id=uuid:3/1/0/0", "sluice-rows=9");
    }

    /**
     * Whatever the rows: each partition has, in the stream's order, exactly the changes whose keys go there, in both forms
     * and however updates of keys are treated.
     */
    @ParameterizedTest
    @MethodSource("seeds")
    void eachPartitionHasItsChangesInOrder(long seed) throws Exception {
        Random random = new Random(seed);
        int count = 1 + random.nextInt(17);
        KeyChange keyChange = random.nextBoolean() ? KeyChange.SPLIT : KeyChange.KEEP;
        RowKey messageKey = random.nextBoolean() ? RowKey.PRIMARY : null;
        ByKey byKey = new ByKey(RowKey.PRIMARY, random.nextInt(), count);
        ByName router = table -> new Route(table.length() % 2 == 0 ? "even" : "odd", byKey, messageKey);
        List<Entry> entries = new ArrayList<>();
        Map<String, StringBuilder> expected = new TreeMap<>();
        for (int number = 0; number < 60; number++) {
            addEvent(random, number, byKey, keyChange, entries, expected);
        }

        BatchConverter flat =
                Converters.OF_TEXTS.flat(router, keyChange, DdlPartition.FIRST, ChangeHeaders.NONE, CLOCK);
        BatchConverter raw = Converters.OF_TEXTS.packets(
                router, keyChange, DdlPartition.FIRST, 30 + random.nextInt(2000), ChangeHeaders.NONE);

        Map<String, String> flatChanges = new TreeMap<>();
        for (Message message : messages(flat, entries)) {
            flatChanges.merge(
                    message.topic() + "/" + message.partition(), eachRow(text(message.value())), String::concat);
        }
        Map<String, String> rawChanges = new TreeMap<>();
        for (Message message : messages(raw, entries)) {
            for (String entry : entriesOf(message.value())) {
                rawChanges.merge(message.topic() + "/" + message.partition(), eachRow(entry), String::concat);
            }
        }
        Map<String, String> wanted = new TreeMap<>();
        expected.forEach((partition, changes) -> wanted.put(partition, changes.toString()));
        assertThat(flatChanges).as("seed %d", seed).isEqualTo(wanted);
        assertThat(rawChanges).as("seed %d", seed).isEqualTo(wanted);
    }

    static LongStream seeds() {
        return LongStream.range(0, 60);
    }

    private static void addEvent(
            Random random,
            int number,
            ByKey byKey,
            KeyChange keyChange,
            List<Entry> entries,
            Map<String, StringBuilder> expected) {
        String table = "t".repeat(1 + random.nextInt(3));
        String topic = table.length() % 2 == 0 ? "even" : "odd";
        EventType type =
                List.of(EventType.INSERT, EventType.UPDATE, EventType.DELETE).get(random.nextInt(3));
        String[] keys = new String[1 + random.nextInt(random.nextInt(4) == 0 ? 200 : 4)];
        for (int i = 0; i < keys.length; i++) {
            String before = "k" + random.nextInt(9);
            String after = type == EventType.UPDATE && random.nextInt(3) == 0 ? "k" + random.nextInt(9) : before;
            keys[i] = before + ">" + after;
            if (keyChange == KeyChange.SPLIT && !before.equals(after)) {
                at(expected, topic, byKey, before).append("DELETE %d: %d=%s>%s;".formatted(number, i, before, before));
                at(expected, topic, byKey, after).append("INSERT %d: %d=%s>%s;".formatted(number, i, after, after));
            } else {
                at(expected, topic, byKey, after).append("%s %d: %d=%s>%s;".formatted(type, number, i, before, after));
            }
        }
        entries.add(KeyedEntry.of(number, table, type, keys));
    }

    private static StringBuilder at(Map<String, StringBuilder> expected, String topic, ByKey byKey, String key) {
        int partition = byKey.partitionOf(byKey.seed() ^ key.hashCode());
        return expected.computeIfAbsent(topic + "/" + partition, name -> new StringBuilder());
    }

    /** A message of several rows as if each were alone. */
    private static String eachRow(String message) {
        String head = message.substring(0, message.indexOf(':') + 1);
        StringBuilder rows = new StringBuilder();
        for (String row :
                message.substring(head.length(), message.length() - 1).trim().split(" ")) {
            rows.append(head).append(' ').append(row).append(';');
        }
        return rows.toString();
    }

    @FunctionalInterface
    private interface ByName extends Router {
        Route route(String table);

        @Override
        default Route route(String schema, String table) {
            return route(table);
        }

        @Override
        default boolean isFixed() {
            return false;
        }
    }

    private static Router route(Partitioning partitioning, RowKey messageKey) {
        Route route = new Route("t", partitioning, messageKey);
        ByName router = table -> route;
        return router;
    }

    private static List<String> flat(Router router, KeyChange keyChange, DdlPartition ddl, Entry... entries) {
        return messages(Converters.OF_TEXTS.flat(router, keyChange, ddl, ChangeHeaders.NONE, CLOCK), List.of(entries))
                .stream()
                .map(message -> place(message) + " " + text(message.value()))
                .toList();
    }

    private static List<String> raw(
            Router router, KeyChange keyChange, DdlPartition ddl, int maxPacketBytes, Entry... entries) {
        BatchConverter converter =
                Converters.OF_TEXTS.packets(router, keyChange, ddl, maxPacketBytes, ChangeHeaders.NONE);
        return messages(converter, List.of(entries)).stream()
                .map(message -> place(message) + " " + String.join(" ", entriesOf(message.value())))
                .toList();
    }

    private static List<Message> messages(BatchConverter converter, List<Entry> entries) {
        return converter.convert(3, entries).stream()
                .map(OutgoingMessage::message)
                .toList();
    }

    private static List<String> entriesOf(byte[] packet) {
        try {
            return Messages.parseFrom(Packet.parseFrom(packet).getBody()).getMessagesList().stream()
                    .map(entry -> entry.toStringUtf8())
                    .toList();
        } catch (com.google.protobuf.InvalidProtocolBufferException e) {
            throw new AssertionError(e);
        }
    }

    private static String place(Message message) {
        String key = message.key() == null ? "" : "[" + text(message.key()) + "]";
        return message.topic() + "/" + message.partition() + key;
    }

    private static String text(byte[] utf8) {
        return new String(utf8, StandardCharsets.UTF_8);
    }

    private static List<String> headers(Message message) {
        return message.headers().stream()
                .map(header -> header.name() + "=" + header.value())
                .toList();
    }

    private static String header(Message message, String name) {
        return message.headers().stream()
                .filter(header -> header.name().equals(name))
                .map(MessageHeader::value)
                .findFirst()
                .orElseThrow();
    }
}
