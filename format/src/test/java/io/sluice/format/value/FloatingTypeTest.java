package io.sluice.format.value;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.protocol.bytes.ByteWriter;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class FloatingTypeTest {
    private static final int NUMBERS = 100_000;

    static LongStream seeds() {
        return LongStream.of(1, 20_26, 77);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void doublesAreWrittenAsJavaWritesThem(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < NUMBERS; i++) {
            double decimal = random.nextInt(2_000_000_000) / Math.pow(10, random.nextInt(12)) - 1_000;
            assertThat(text(decimal)).isEqualTo(Double.toString(decimal));
            double bits = Double.longBitsToDouble(random.nextLong());
            assertThat(text(bits)).isEqualTo(Double.toString(bits));
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void floatsAreWrittenAsJavaWritesThem(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < NUMBERS; i++) {
            float decimal = (float) (random.nextInt(20_000_000) / Math.pow(10, random.nextInt(9)) - 10);
            assertThat(text(decimal)).isEqualTo(Float.toString(decimal));
            float bits = Float.intBitsToFloat(random.nextInt());
            assertThat(text(bits)).isEqualTo(Float.toString(bits));
        }
    }

    @ParameterizedTest
    @ValueSource(
            doubles = {0.0, -0.0, 1.0, 0.001, 9.999E-4, 9_999_999, 1e7, 0.1, 1.1, 3_333_333.3333333335, 123_456.5, 0.002
            })
    void bordersAreWrittenAsJavaWritesThem(double value) {
        assertThat(text(value)).isEqualTo(Double.toString(value));
        assertThat(text((float) value)).isEqualTo(Float.toString((float) value));
    }

    private static String text(double value) {
        ByteWriter out = new ByteWriter(32);
        FloatingType.writeDouble(value, out);
        return new String(out.array(), 0, out.size(), StandardCharsets.US_ASCII);
    }

    private static String text(float value) {
        ByteWriter out = new ByteWriter(32);
        FloatingType.writeFloat(value, out);
        return new String(out.array(), 0, out.size(), StandardCharsets.US_ASCII);
    }
}
