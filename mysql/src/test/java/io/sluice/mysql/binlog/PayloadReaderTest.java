package io.sluice.mysql.binlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdOutputStream;
import io.sluice.protocol.bytes.ByteWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PayloadReaderTest {
    private final PayloadReader reader = new PayloadReader();

    @AfterEach
    void close() throws IOException {
        reader.close();
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 30);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void givesTheEventsThatWerePacked(long seed) throws IOException {
        Random random = new Random(seed);
        for (int i = 0; i < 3; i++) {
            List<byte[]> events = new ArrayList<>();
            ByteWriter plain = new ByteWriter(64);
            for (int n = random.nextInt(60); n >= 0; n--) {
                byte[] event = event(random.nextInt(random.nextInt(50) == 0 ? 400_000 : 2_000), random);
                events.add(event);
                plain.write(event);
            }
            byte[] bytes = plain.toByteArray();
            boolean zstd = random.nextInt(3) > 0;
            byte[] packed = zstd ? Zstd.compress(bytes, 1 + random.nextInt(5)) : bytes;

            reader.open(new TransactionPayload(zstd, zstd ? bytes.length : -1, body(packed)));

            assertThat(all())
                    .as("seed %d", seed)
                    .usingElementComparator(Arrays::compare)
                    .isEqualTo(events);
        }
    }

    /** However large, and whatever it states: what is held at any time is an event and two buffers. */
    @Test
    void unpacksALargePayloadStepByStep() throws IOException {
        Random random = new Random(1);
        byte[] event = event(100_000, random);
        int count = 2_000;
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (ZstdOutputStream zstd = new ZstdOutputStream(packed)) {
            for (int i = 0; i < count; i++) {
                zstd.write(event);
            }
        }
        assertThat(packed.size()).isLessThan(1 << 20);

        reader.open(new TransactionPayload(true, (long) count * event.length, body(packed.toByteArray())));

        ByteWriter out = new ByteWriter(64);
        for (int i = 0; i < count; i++) {
            out.clear();
            assertThat(reader.next(out)).isEqualTo(event.length);
        }
        assertThat(Arrays.copyOf(out.array(), out.size())).isEqualTo(event);
        assertThat(out.array()).hasSizeLessThan(3 * event.length);
        assertThat(reader.next(out)).isEqualTo(-1);
    }

    @Test
    void takesNoMemoryForAnEventThatIsNotThere() throws IOException {
        byte[] event = event(1_000, new Random(1));
        ByteBuffer.wrap(event).order(ByteOrder.LITTLE_ENDIAN).putInt(9, 1 << 30);
        ByteWriter out = new ByteWriter(64);

        reader.open(new TransactionPayload(true, 1L << 31, body(Zstd.compress(event))));

        assertThatThrownBy(() -> next(out))
                .isInstanceOf(MalformedEventException.class)
                .hasMessageContaining("ends within an event");
        assertThat(out.array()).hasSizeLessThan(1 << 22);
    }

    @Test
    void rejectsEventsLargerThanAnyServerWrites() throws IOException {
        byte[] event = event(1_000, new Random(1));
        ByteBuffer.wrap(event).order(ByteOrder.LITTLE_ENDIAN).putInt(9, Integer.MAX_VALUE);

        reader.open(new TransactionPayload(false, -1, body(event)));

        assertThatThrownBy(() -> reader.next(new ByteWriter(64)))
                .isInstanceOf(MalformedEventException.class)
                .hasMessageContaining("an event of 2147483647 bytes");
    }

    @Test
    void rejectsMoreBytesThanItStates() throws IOException {
        byte[] event = event(500_000, new Random(1));

        reader.open(new TransactionPayload(true, event.length - 1L, body(Zstd.compress(event))));

        assertThatThrownBy(() -> next(new ByteWriter(64)))
                .isInstanceOf(MalformedEventException.class)
                .hasMessageContaining("an event of 500019 bytes");
    }

    @Test
    void rejectsFewerBytesThanItStates() throws IOException {
        byte[] event = event(500, new Random(1));

        reader.open(new TransactionPayload(true, event.length + 1L, body(Zstd.compress(event))));

        assertThat(reader.next(new ByteWriter(64))).isEqualTo(event.length);
        assertThatThrownBy(() -> reader.next(new ByteWriter(64)))
                .isInstanceOf(MalformedEventException.class)
                .hasMessageContaining("has 519 bytes unpacked, it states 520");
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void damageEndsInMalformedEventOrTheEvents(long seed) throws IOException {
        Random random = new Random(seed);
        byte[] event = event(10_000, random);
        byte[] packed = Zstd.compress(event);
        if (random.nextBoolean()) {
            packed = Arrays.copyOf(packed, random.nextInt(packed.length));
        } else {
            packed[random.nextInt(packed.length)] ^= (byte) (1 + random.nextInt(255));
        }

        reader.open(new TransactionPayload(true, event.length, body(packed)));

        Throwable thrown = null;
        try {
            all();
        } catch (RuntimeException e) {
            thrown = e;
        }
        assertThat(thrown)
                .as("seed %d", seed)
                .satisfiesAnyOf(
                        e -> assertThat(e).isNull(), e -> assertThat(e).isInstanceOf(MalformedEventException.class));
    }

    @Test
    void readsTheNextPayloadAfterADamagedOne() throws IOException {
        byte[] event = event(100, new Random(1));
        byte[] packed = Zstd.compress(event);
        reader.open(new TransactionPayload(true, event.length, body(Arrays.copyOf(packed, packed.length / 2))));
        assertThatThrownBy(this::all).isInstanceOf(MalformedEventException.class);

        reader.open(new TransactionPayload(true, event.length, body(packed)));

        assertThat(all()).usingElementComparator(Arrays::compare).containsExactly(event);
    }

    /** The last block may be unpacked in part when all compressed bytes were taken. */
    @Test
    void unpacksTheRestOfTheLastBlock() throws IOException {
        List<byte[]> events = List.of(event(100_000, new Random(1)), event(100_000, new Random(2)));
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (ZstdOutputStream zstd = new ZstdOutputStream(packed)) {
            zstd.write(events.get(0));
            zstd.flush();
            zstd.write(events.get(1));
        }

        reader.open(new TransactionPayload(true, -1, body(packed.toByteArray())));

        assertThat(all()).usingElementComparator(Arrays::compare).isEqualTo(events);
    }

    /** As at a reconnect, with more of an event unread, unpacked and packed. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void readsTheNextPayloadAfterOneThatWasAbandonedWithinAnEvent(boolean zstd) throws IOException {
        byte[] large = event(EventSource.LARGEST_WHOLE + 100_000, new Random(1));
        reader.open(new TransactionPayload(true, large.length, body(Zstd.compress(large))));
        reader.next(new ByteWriter(64));
        assertThat(reader.hasRest()).isTrue();
        reader.abandon();

        byte[] event = event(100, new Random(2));
        reader.open(new TransactionPayload(zstd, event.length, body(zstd ? Zstd.compress(event) : event)));

        assertThat(all()).usingElementComparator(Arrays::compare).containsExactly(event);
    }

    @Test
    void rejectsACompressionThatItDoesNotKnow() throws IOException {
        byte[] bytes = {2, 1, 1, 0};

        assertThatThrownBy(() -> TransactionPayload.decode(body(bytes)))
                .isInstanceOf(MalformedEventException.class)
                .hasMessageContaining("unknown way 1");
    }

    private List<byte[]> all() throws IOException {
        List<byte[]> events = new ArrayList<>();
        ByteWriter out = new ByteWriter(64);
        while (next(out) >= 0) {
            events.add(out.toByteArray());
            out.clear();
        }
        return events;
    }

    /** Appends a whole event. */
    private int next(ByteWriter out) throws IOException {
        int from = out.size();
        if (reader.next(out) < 0) {
            return -1;
        }
        byte[] more = new byte[50_000];
        while (reader.hasRest()) {
            out.write(more, 0, reader.rest(more, 0, more.length));
        }
        assertThat(reader.rest(more, 0, more.length)).isEqualTo(-1);
        return out.size() - from;
    }

    private static byte[] event(int bodyLength, Random random) {
        ByteBuffer event = ByteBuffer.allocate(EventHeader.LENGTH + bodyLength).order(ByteOrder.LITTLE_ENDIAN);
        byte[] body = new byte[bodyLength / 2];
        random.nextBytes(body);
        event.position(EventHeader.LENGTH);
        event.put(body);
        event.putInt(9, event.capacity());
        return event.array();
    }

    private static EventBody body(byte[] bytes) {
        return new EventBody(bytes, 0, bytes.length);
    }
}
