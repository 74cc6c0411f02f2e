package io.sluice.stream.golden;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.entry.Entry;
import io.sluice.format.value.ColumnTypes;
import io.sluice.mysql.binlog.ListedEvents;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.SourceServer;
import io.sluice.protocol.time.Time;
import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.schema.ddl.catalog.TableDefinitions;
import io.sluice.schema.filter.TableFilter;
import io.sluice.schema.table.TableName;
import io.sluice.store.ring.EntryRing;
import io.sluice.store.ring.RingConfig;
import io.sluice.stream.options.StreamOptions;
import io.sluice.stream.pipeline.StreamPipeline;
import io.sluice.stream.reader.EventReader;
import io.sluice.stream.reader.ReaderOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Recorded transactions, packed as a source with compression packs them. */
class CompressedTransactionsTest {
    private static final List<String> CASES = List.of("04-keys", "01-integers", "01-temporal", "04-generated-columns");

    static Stream<GoldenCase> cases() throws Exception {
        return GoldenCase.all(
                List.of("mysql-8.0.31"), List.of("00", "01", "03", "04", "05", "06", "07", "08", "09", "14"))
                .stream();
    }

    /** With all that their settings leave out, too. */
    @ParameterizedTest
    @MethodSource("cases")
    void makeTheSameEntriesAsUncompressedOnes(GoldenCase golden) throws Exception {
        List<byte[]> events = Compression.packed(Compression.events(golden), new Random(1));

        List<Entry> entries = GoldenRun.entries(golden, new ListedEvents(events), false);

        assertThat(texts(entries)).isEqualTo(texts(GoldenRun.entries(golden, false)));
    }

    private static List<String> texts(List<Entry> entries) {
        return GoldenRun.flat(entries).stream()
                .map(message -> new String(message, StandardCharsets.UTF_8))
                .toList();
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 40);
    }

    /** Asking for a table schema may fail within a payload; then part of it was handed on. */
    @ParameterizedTest
    @MethodSource("seeds")
    void areNeitherLostNorDoubledWhenTheSourceBreaksWithinThem(long seed) throws Exception {
        Random random = new Random(seed);
        List<GoldenCase> all = GoldenCase.all(List.of("mysql-8.0.31"), CASES);
        GoldenCase golden = all.get(random.nextInt(all.size()));
        List<byte[]> events = Compression.inOne(Compression.events(golden), random);

        List<Entry> unbroken = read(golden, events, table -> false);
        boolean[] broke = {false};
        List<Entry> broken = read(golden, events, table -> {
            boolean breaks = random.nextInt(3) == 0;
            broke[0] |= breaks;
            return breaks;
        });

        assertThat(GoldenRun.raw(broken))
                .as("%s of seed %d, broke=%s", golden, seed, broke[0])
                .usingElementComparator(java.util.Arrays::compare)
                .isEqualTo(GoldenRun.raw(unbroken));
        assertThat(ChangeIdsTest.ids(broken)).as("seed %d", seed).isEqualTo(ChangeIdsTest.ids(unbroken));
    }

    /** Whether asking for a table fails this time. */
    private interface Breaks {
        boolean at(TableName table);
    }

    private static List<Entry> read(GoldenCase golden, List<byte[]> events, Breaks breaks) throws Exception {
        Map<TableName, String> start = golden.startSchemas();
        TableDefinitions end = golden.endSchemas();
        SchemaTracker tracker = new SchemaTracker(table -> {
            if (breaks.at(table)) {
                throw new IOException("cannot be asked");
            }
            String create = start.get(table);
            return create == null ? end.createStatement(table) : create;
        });
        TableFilter filter = new TableFilter("", "");
        StreamOptions options = StreamOptions.DEFAULT;
        EventReader reader = new EventReader(
                SourceServer.at("localhost", 3306),
                golden.start(),
                null,
                options,
                tracker,
                filter,
                ColumnTypes.defaults(ZoneOffset.UTC),
                ReaderOptions.DEFAULT);
        try (EntryRing ring = new EntryRing(new RingConfig(1 << 14, 1 << 14, false));
                StreamPipeline pipeline = new StreamPipeline(reader, ring, null, 4, false, () -> {}, Time.SYSTEM)) {
            boolean done = false;
            while (!done) {
                try {
                    pipeline.read(new ListedEvents(from(events, reader.resumePosition())));
                    done = true;
                } catch (IOException e) {
                    reader.onReconnect(false, false);
                }
            }
            pipeline.drain();
            return new ArrayList<>(GoldenRun.taken(ring));
        }
    }

    /** What a source sends that is asked from there on; all is in one file. */
    private static List<byte[]> from(List<byte[]> events, BinlogPosition point) {
        return events.stream().filter(event -> end(event) > point.offset()).toList();
    }

    private static long end(byte[] event) {
        return ByteBuffer.wrap(event).order(ByteOrder.LITTLE_ENDIAN).getInt(13) & 0xFFFF_FFFFL;
    }
}
