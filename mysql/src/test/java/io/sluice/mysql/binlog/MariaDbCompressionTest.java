package io.sluice.mysql.binlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.protocol.bytes.ByteWriter;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class MariaDbCompressionTest {
    private final MariaDbCompression packed = new MariaDbCompression();

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 200);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 127, 128, 255, 256, 65_535, 65_536, 3_000_000})
    void unpacksAnyLength(int length) {
        byte[] plain = plain(length);
        ByteWriter out = new ByteWriter(16);
        out.writeByte('<');

        packed.unpack(body(pack(plain, length)), out);

        assertThat(Arrays.copyOfRange(out.toByteArray(), 1, out.size())).isEqualTo(plain);
    }

    /** Of a large event only the beginning is read. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 63, 64, 65, 3_000_000})
    void unpacksTheFirstBytesWithoutTheRest(int length) {
        byte[] plain = plain(length);
        byte[] event = pack(plain, length);
        ByteWriter out = new ByteWriter(16);

        packed.unpackFirst(new EventBody(event, 0, Math.min(event.length, 1000)), 64, out);

        assertThat(out.toByteArray()).isEqualTo(Arrays.copyOf(plain, Math.min(length, 64)));
    }

    @ParameterizedTest
    @ValueSource(longs = {999, 1001, 0, 0xFFFF_FFFFL, 1L << 30})
    void rejectsAnotherLengthThanStated(long stated) {
        assertThatThrownBy(() -> packed.unpack(body(pack(plain(1000), stated)), new ByteWriter(16)))
                .isInstanceOf(MalformedEventException.class)
                .hasMessageContaining(Long.toString(stated));
    }

    /** A stated length alone takes no memory. */
    @Test
    void takesNoMoreMemoryThanTheDataFill() {
        byte[] event = pack(plain(2_000_000), Inflation.MAX_BYTES);
        event = Arrays.copyOf(event, event.length + 2_000_000);
        byte[] padded = event;
        ByteWriter out = new ByteWriter(16);

        assertThatThrownBy(() -> packed.unpack(body(padded), out)).isInstanceOf(MalformedEventException.class);
        assertThat(out.array().length).isLessThan(20_000_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "00", "82", "8901", "9001", "80", "8f0000"})
    void rejectsAnotherHead(String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex);

        assertThatThrownBy(() -> packed.unpack(body(bytes), new ByteWriter(16)))
                .isInstanceOf(MalformedEventException.class);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void failsOnlyAsDocumented(long seed) {
        Random random = new Random(seed);
        byte[] event = pack(plain(1 + random.nextInt(5_000)), 1 + random.nextInt(5_000));
        for (int i = random.nextInt(5); i >= 0; i--) {
            event[random.nextInt(event.length)] = (byte) random.nextInt(256);
        }
        byte[] damaged = Arrays.copyOf(event, random.nextInt(event.length + 1));
        Throwable thrown = null;
        try {
            packed.unpack(body(damaged), new ByteWriter(16));
        } catch (RuntimeException e) {
            thrown = e;
        }

        assertThat(thrown).as("seed %d", seed).matches(e -> e == null || e instanceof MalformedEventException);
    }

    private static EventBody body(byte[] bytes) {
        return new EventBody(bytes, 0, bytes.length);
    }

    private static byte[] plain(int length) {
        byte[] plain = new byte[length];
        for (int i = 0; i < length; i++) {
            plain[i] = (byte) (i * 31 >> 3);
        }
        return plain;
    }

    /** As MariaDB packs, with a length of our own. */
    private static byte[] pack(byte[] plain, long stated) {
        Deflater deflater = new Deflater();
        deflater.setInput(plain);
        deflater.finish();
        byte[] data = new byte[plain.length + 64];
        int length = deflater.deflate(data);
        return ByteBuffer.allocate(5 + length)
                .put((byte) 0x84)
                .putInt((int) stated)
                .put(data, 0, length)
                .array();
    }
}
