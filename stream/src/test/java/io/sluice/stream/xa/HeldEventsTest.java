package io.sluice.stream.xa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.mysql.binlog.EventBody;
import io.sluice.mysql.binlog.EventHeader;
import io.sluice.mysql.binlog.EventSource;
import io.sluice.protocol.bytes.ByteWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeldEventsTest {
    private static final EventHeader DECIDING = new EventHeader(2_000, 2, 9, 100, 0, 0);

    @TempDir
    private Path directory;

    private final List<String> told = new ArrayList<>();
    private final HeldReader.Taker taker = new HeldReader.Taker() {
        @Override
        public void table(long tableId, int table) {
            told.add("table %d %d".formatted(tableId, table));
        }

        @Override
        public void passed(int events) {
            told.add("passed " + events);
        }
    };

    @ParameterizedTest
    @ValueSource(longs = {0, 200, 100_000, 1 << 24})
    void readsWhatWasAppended(long memoryBytes) throws Exception {
        Random random = new Random(memoryBytes);
        HeldSpace space = new HeldSpace(directory.resolve("xa"), "xa-", memoryBytes);
        HeldEvents events = new HeldEvents(space);
        List<byte[]> bodies = new ArrayList<>();
        for (int length :
                new int[] {0, 10, 3_000, EventSource.LARGEST_WHOLE - 19, EventSource.LARGEST_WHOLE, 700_000, 1}) {
            byte[] body = new byte[length];
            random.nextBytes(body);
            bodies.add(body);
            events.appendTable(77, bodies.size());
            events.pass();
            events.pass();
            events.append(header(1_000, length + 4), new EventBody(body, 0, length));
            assertThat(space.usedBytes()).isLessThanOrEqualTo(events.file() == null ? memoryBytes : 1_024);
        }
        events.pass();
        events.seal();

        for (int times = 0; times < 2; times++) {
            told.clear();
            HeldReader reader = events.read(DECIDING, taker);
            for (int i = 0; i < bodies.size(); i++) {
                assertThat(read(reader)).isEqualTo(bodies.get(i));
                assertThat(told).as("before the event").hasSize(2 * i + 2).endsWith("passed 2");
            }
            assertThat(reader.next(new ByteWriter(10))).isNegative();
            assertThat(told)
                    .hasSize(15)
                    .startsWith("table 77 1", "passed 2", "table 77 2")
                    .endsWith("passed 1");
            reader.close();
        }
        assertThat(files()).hasSize(memoryBytes < 1 << 20 ? 1 : 0);
        events.discard();
        assertThat(files()).isEmpty();
        assertThat(space.usedBytes()).isZero();
    }

    @Test
    void transactionsShareTheMemory() throws Exception {
        HeldSpace space = new HeldSpace(directory.resolve("xa"), "xa-", 1_500 + 2 * 1_024);
        List<HeldEvents> all = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            HeldEvents events = new HeldEvents(space);
            events.append(header(1_000, 604), new EventBody(new byte[600], 0, 600));
            events.seal();
            all.add(events);
        }
        assertThat(all.stream().filter(events -> events.file() == null)).hasSize(2);
        assertThat(files()).hasSize(3);
        all.forEach(HeldEvents::discard);
        assertThat(files()).isEmpty();
        assertThat(space.usedBytes()).isZero();
    }

    /** Of many transactions that wait for a decision, only what is counted is in memory. */
    @Test
    void transactionsInFilesKeepNoBuffer() throws Exception {
        HeldSpace space = new HeldSpace(directory.resolve("xa"), "xa-", 0);
        List<HeldEvents> all = new ArrayList<>();
        long before = usedBytes();
        for (int i = 0; i < 500; i++) {
            HeldEvents events = new HeldEvents(space);
            events.append(header(1_000, 14), new EventBody(new byte[10], 0, 10));
            events.seal();
            all.add(events);
        }
        assertThat(usedBytes() - before).isLessThan(500 * 10_000);
        HeldReader reader = all.get(499).read(DECIDING, taker);
        assertThat(read(reader)).hasSize(10);
        reader.close();
        assertThatThrownBy(() -> all.get(0).appendTable(1, 1)).isInstanceOf(IllegalStateException.class);
        all.forEach(HeldEvents::discard);
        assertThat(files()).isEmpty();
        assertThat(space.usedBytes()).isZero();
    }

    private static long usedBytes() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    @Test
    void onlyTheBeginOfATooLargeEventIsHeld() throws Exception {
        HeldEvents events = new HeldEvents(new HeldSpace(directory, "xa-", 0));
        events.appendCut(new EventHeader(1_000, 30, 1, 1 << 29, 0, 0), new EventBody(new byte[50], 0, 50));
        events.append(header(1_000, 5), new EventBody(new byte[] {7}, 0, 1));
        events.seal();

        HeldReader reader = events.read(DECIDING, taker);
        ByteWriter out = new ByteWriter(10);
        assertThat(reader.next(out)).isEqualTo(69);
        assertThat(EventHeader.read(out.array(), 0, 69).length()).isEqualTo(1 << 29);
        assertThat(reader.hasRest()).isTrue();
        assertThat(read(reader)).containsExactly(7);
        reader.close();
        events.discard();
    }

    private static EventHeader header(long seconds, int bodyLength) {
        return new EventHeader(seconds, 30, 1, EventHeader.LENGTH + bodyLength, 4_711, 1);
    }

    /** The body of the next event, which has the time and server of what decided on it. */
    private static byte[] read(HeldReader reader) throws IOException {
        ByteWriter out = new ByteWriter(10);
        int length = reader.next(out);
        EventHeader header = EventHeader.read(out.array(), 0, length);
        assertThat(header.timestampSeconds()).isEqualTo(2_000);
        assertThat(header.serverId()).isEqualTo(9);
        assertThat(header.code()).isEqualTo(30);
        byte[] piece = new byte[10_000];
        int count = reader.hasRest() ? reader.rest(piece, 0, piece.length) : -1;
        while (count >= 0) {
            out.write(piece, 0, count);
            count = reader.rest(piece, 0, piece.length);
        }
        assertThat(out.size()).isEqualTo(header.length());
        return Arrays.copyOfRange(out.array(), EventHeader.LENGTH, out.size());
    }

    private List<Path> files() throws IOException {
        if (!Files.isDirectory(directory.resolve("xa"))) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(directory.resolve("xa"))) {
            return files.toList();
        }
    }
}
