package io.sluice.format.value;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.protocol.bytes.ByteWriter;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class DigitsTest {
    private static final int NUMBERS = 50_000;

    /** The numbers around each power of ten, and the extremes. */
    static LongStream borders() {
        LongStream powers = LongStream.iterate(1, power -> power * 10)
                .limit(19)
                .flatMap(power -> LongStream.of(power - 1, power, power + 1, 5 * power, -power, 1 - power));
        return LongStream.concat(powers, LongStream.of(Long.MAX_VALUE, Long.MIN_VALUE, -1, Long.MIN_VALUE + 1));
    }

    @ParameterizedTest
    @MethodSource("borders")
    void bordersHaveTheirDigits(long value) {
        assertHasItsDigits(value);
    }

    @Test
    void numbersOfAllSizesHaveTheirDigits() {
        long seed = 20_261;
        Random random = new Random(seed);
        for (int i = 0; i < NUMBERS; i++) {
            assertHasItsDigits(random.nextLong() >> random.nextInt(64));
        }
    }

    @Test
    void allNumbersOfFourDigitsHaveTheirDigitsInBothHalves() {
        for (int i = 0; i < 10_000; i++) {
            assertHasItsDigits(i);
            assertHasItsDigits(99_990_000 + i);
            assertHasItsDigits(10_000L * i);
        }
    }

    private static void assertHasItsDigits(long value) {
        assertThat(text(out -> Digits.writeLong(out, value))).isEqualTo(Long.toString(value));
        assertThat(text(out -> Digits.writeUnsigned(out, value))).isEqualTo(Long.toUnsignedString(value));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9})
    void paddedNumbersHaveTheirLastDigits(int length) {
        Random random = new Random(length);
        for (int i = 0; i < NUMBERS; i++) {
            long value = random.nextInt() & 0xFFFF_FFFFL; // as much as four bytes of a damaged row may hold
            BigInteger last = BigInteger.valueOf(value).mod(BigInteger.TEN.pow(length));
            assertThat(text(out -> out.setSize(Digits.putPadded(room(out), out.size(), value, length))))
                    .isEqualTo(("%0" + length + "d").formatted(last));
        }
    }

    @Test
    void fractionsEndWithTheirLastDigitThatIsNotZero() {
        for (int i = 0; i < 1_000_000; i += i < 1000 || i > 990_000 ? 1 : 97) {
            int millionths = i;
            String text = "." + "%06d".formatted(i).replaceAll("0+$", "");
            assertThat(text(out -> out.setSize(Digits.putFraction(room(out), out.size(), millionths))))
                    .isEqualTo(text.length() == 1 ? ".0" : text);
        }
    }

    /** The bytes after a number are not touched, nor those before it, wherever the array ends. */
    @Test
    void numbersFitBesideOthers() {
        ByteWriter out = new ByteWriter(1);
        StringBuilder expected = new StringBuilder();
        Stream.of(7L, 77L, 7_777_777L, 77_777_777_777L, -7L).forEach(value -> {
            Digits.writeLong(out, value);
            expected.append(value);
        });
        assertThat(new String(out.array(), 0, out.size(), StandardCharsets.US_ASCII))
                .isEqualTo(expected.toString());
    }

    @Test
    void numbersOfSeveralBytesAreReadFromTheHighestOn() {
        byte[] bytes = {(byte) 0x81, 0x72, 0x63, 0x54, 0x45, 0x36, 0x27, 0x18};
        for (int from = 0; from < bytes.length; from++) {
            for (int length = 0; length <= bytes.length - from; length++) {
                assertThat(Bytes.readBig(bytes, from, length))
                        .as("%d bytes from %d", length, from)
                        .isEqualTo(new BigInteger(1, bytes, from, length).longValue());
            }
        }
    }

    private static byte[] room(ByteWriter out) {
        out.ensure(Digits.ROOM);
        return out.array();
    }

    private static String text(Consumer<ByteWriter> number) {
        ByteWriter out = new ByteWriter(1);
        number.accept(out);
        return new String(out.array(), 0, out.size(), StandardCharsets.US_ASCII);
    }
}
