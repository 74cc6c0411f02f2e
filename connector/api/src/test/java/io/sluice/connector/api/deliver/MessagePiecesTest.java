package io.sluice.connector.api.deliver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.connector.api.convert.BatchConverter;
import io.sluice.connector.api.convert.ChangeHeaders;
import io.sluice.connector.api.convert.Converters;
import io.sluice.connector.api.convert.DdlPartition;
import io.sluice.connector.api.convert.KeyChange;
import io.sluice.connector.api.convert.KeyedEntry;
import io.sluice.connector.api.convert.OutgoingMessage;
import io.sluice.connector.api.convert.PacketStyle;
import io.sluice.connector.api.route.FixedRouter;
import io.sluice.connector.api.route.Partitioning;
import io.sluice.connector.api.route.Route;
import io.sluice.connector.api.route.Router;
import io.sluice.connector.api.route.RoutingRules;
import io.sluice.connector.api.route.RuleTexts;
import io.sluice.format.entry.Entry;
import io.sluice.format.split.RowKey;
import io.sluice.protocol.entry.EventType;
import io.sluice.protocol.time.Time;
import io.sluice.store.ring.Batch;
import io.sluice.store.ring.BatchLimit;
import io.sluice.store.ring.EntryRing;
import io.sluice.store.ring.Readiness;
import io.sluice.store.ring.RingConfig;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MessagePiecesTest {
    private static final EventType[] TYPES = {EventType.INSERT, EventType.UPDATE, EventType.DELETE};

    @Test
    void aFlatMessageIsCutIntoItsRows() throws InterruptedException {
        Batch batch = batch(List.of(
                KeyedEntry.of(1, "orders", EventType.INSERT, "a", "b"),
                KeyedEntry.of(2, "orders", EventType.INSERT, "c")));
        BatchConverter converter = Converters.OF_TEXTS.flat(new FixedRouter("t", 0), Time.SYSTEM);
        OutgoingMessage first = converter.convert(1, batch.entries()).get(0);

        assertThat(texts(MessagePieces.of(batch, converter, first)))
                .containsExactly("INSERT 1: 0=a>a;", "INSERT 1: 1=b>b;");
    }

    /** In each partition, the pieces of all messages are the messages of single rows, or entries, in their order. */
    @ParameterizedTest
    @MethodSource("seeds")
    void thePiecesOfAllMessagesAreAllThatThereIs(long seed) throws InterruptedException {
        Random random = new Random(seed);
        Batch batch = batch(randomEntries(random));
        requirePieces(batch, randomConverter(random, route(random)));
    }

    /** They go where their message goes, by the number of partitions that it was made for. */
    @ParameterizedTest
    @MethodSource("seeds")
    void theBrokerMayChangeTheNumberOfPartitionsMeanwhile(long seed) throws InterruptedException {
        Random random = new Random(seed);
        Batch batch = batch(randomEntries(random));
        Router changing = RoutingRules.read(new RuleTexts(
                        "t",
                        0,
                        "",
                        ".*\\..*:id",
                        true,
                        OptionalInt.empty(),
                        "",
                        true,
                        random.nextBoolean() ? "pk" : ""))
                .router(topic -> OptionalInt.of(1 + random.nextInt(5)));
        BatchConverter converter = randomConverter(random, changing);

        requirePieces(batch, converter.forBatch());
    }

    @Test
    void whatDoesNotFitIsNotLeftOutInSilence() throws InterruptedException {
        Batch batch = batch(List.of(KeyedEntry.of(1, "orders", EventType.INSERT, "a", "b", "c", "d", "e", "f")));
        AtomicInteger partitions = new AtomicInteger(1);
        Router unpinned = router(() -> new Route("t", new Partitioning.ByKey(RowKey.PRIMARY, 0, partitions.get())));
        BatchConverter converter =
                Converters.OF_TEXTS.flat(unpinned, KeyChange.KEEP, DdlPartition.FIRST, ChangeHeaders.IDS, Time.SYSTEM);
        OutgoingMessage message = converter.convert(1, batch.entries()).get(0);

        partitions.set(2);

        assertThatThrownBy(() -> MessagePieces.of(batch, converter, message))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(
                        "binlog.000001:1 to binlog.000001:1 for topic t, partition 0, has 6 changes, but ");
    }

    private static void requirePieces(Batch batch, BatchConverter converter) {
        Map<TopicPartition, List<String>> pieces = new LinkedHashMap<>();
        Map<TopicPartition, List<String>> singles = new LinkedHashMap<>();

        for (OutgoingMessage record : converter.convert(batch.id(), batch.entries())) {
            List<OutgoingMessage> own = MessagePieces.of(batch, converter, record);
            assertThat(own).isNotEmpty();
            pieces.computeIfAbsent(TopicPartition.of(record.message()), lane -> new ArrayList<>())
                    .addAll(texts(own));
        }

        for (OutgoingMessage single : converter.singly().convert(batch.id(), batch.entries())) {
            singles.computeIfAbsent(TopicPartition.of(single.message()), lane -> new ArrayList<>())
                    .addAll(texts(List.of(single)));
        }
        assertThat(pieces).isEqualTo(singles);
    }

    static LongStream seeds() {
        return LongStream.range(0, 300);
    }

    private static List<Entry> randomEntries(Random random) {
        List<Entry> entries = new ArrayList<>();
        int count = 1 + random.nextInt(12);
        for (int number = 1; number <= count; number++) {
            switch (random.nextInt(6)) {
                case 0 -> entries.add(KeyedEntry.of(number, "", EventType.QUERY));
                case 1 -> entries.add(KeyedEntry.of(number, "orders", EventType.ALTER));
                default -> {
                    EventType type = TYPES[random.nextInt(TYPES.length)];
                    String[] rows = new String[1 + random.nextInt(5)];
                    for (int i = 0; i < rows.length; i++) {
                        String key = Integer.toString(random.nextInt(5));
                        rows[i] = type == EventType.UPDATE ? key + ">" + random.nextInt(5) : key;
                    }
                    entries.add(KeyedEntry.of(number, "orders", type, rows));
                }
            }
        }
        return entries;
    }

    private static Router route(Random random) {
        Partitioning partitioning = switch (random.nextInt(3)) {
            case 0 -> new Partitioning.One(1);
            case 1 -> new Partitioning.ByTable(1, 3);
            default -> new Partitioning.ByKey(RowKey.PRIMARY, 0, 3);
        };
        Route route = new Route("t", partitioning, random.nextBoolean() ? RowKey.PRIMARY : null);
        return router(() -> route);
    }

    private static BatchConverter randomConverter(Random random, Router router) {
        int most = 1 + random.nextInt(200);
        KeyChange keyChange = random.nextBoolean() ? KeyChange.SPLIT : KeyChange.KEEP;
        DdlPartition ddl = random.nextBoolean() ? DdlPartition.ALL : DdlPartition.FIRST;
        return switch (random.nextInt(4)) {
            case 0 -> Converters.OF_TEXTS.flat(new FixedRouter("t", 0), Time.SYSTEM);
            case 1 -> Converters.OF_TEXTS.packets(new FixedRouter("t", 0), PacketStyle.PARSED_WITHOUT_BOUNDARIES, most);
            case 2 -> Converters.OF_TEXTS.flat(router, keyChange, ddl, ChangeHeaders.IDS, Time.SYSTEM);
            default -> Converters.OF_TEXTS.packets(router, keyChange, ddl, most, ChangeHeaders.IDS);
        };
    }

    private static Router router(Supplier<Route> route) {
        return new Router() {
            @Override
            public Route route(String schema, String table) {
                return route.get();
            }

            @Override
            public boolean isFixed() {
                return false;
            }
        };
    }

    private static Batch batch(List<Entry> entries) throws InterruptedException {
        try (EntryRing ring = new EntryRing(new RingConfig(1024, 1024, false))) {
            ring.put(entries);
            return Objects.requireNonNull(ring.getIfReady(BatchLimit.entries(100), Readiness.ANY), "nothing is there");
        }
    }

    private static List<String> texts(List<OutgoingMessage> records) {
        return records.stream()
                .map(record -> new String(record.message().value(), StandardCharsets.ISO_8859_1))
                .toList();
    }
}
