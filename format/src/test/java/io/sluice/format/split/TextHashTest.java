package io.sluice.format.split;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TextHashTest {
    @Test
    void knowsHashesThatCanalWasSeenToUse() {
        assertThat(hash("")).isZero();
        assertThat(hash("mytest")).isEqualTo(-1_059_087_298);
        assertThat(hash("1")).isEqualTo(49);
        assertThat(hash("tom")).isEqualTo(115_026);
        assertThat(hash("polygenelubricants")).isEqualTo(Integer.MIN_VALUE);
    }

    /** Whatever the text, with characters of one to four bytes, the hash is that of the string. */
    @ParameterizedTest
    @MethodSource("seeds")
    void isThatOfTheString(long seed) {
        Random random = new Random(seed);
        int[] limits = {0x80, 0x800, 0xD800, Character.MAX_CODE_POINT + 1};
        for (int i = 0; i < 1000; i++) {
            StringBuilder text = new StringBuilder();
            for (int length = random.nextInt(20); length > 0; length--) {
                int point = random.nextInt(limits[random.nextInt(limits.length)]);
                text.appendCodePoint(point >= 0xD800 && point < 0xE000 ? 'x' : point);
            }
            assertThat(hash(text.toString()))
                    .as(text.toString())
                    .isEqualTo(text.toString().hashCode());
        }
    }

    @Test
    void endsWhereTheTextEndsEvenWithinACharacter() {
        for (String text : new String[] {"ü", "中", "🙂"}) {
            byte[] utf8 = ("x" + text).getBytes(StandardCharsets.UTF_8);
            for (int end = 2; end < utf8.length; end++) {
                assertThat(TextHash.of(java.util.Arrays.copyOf(utf8, end), 0, end))
                        .isEqualTo("x\uFFFD".hashCode());
            }
        }
    }

    static LongStream seeds() {
        return LongStream.range(0, 5);
    }

    private static int hash(String text) {
        byte[] utf8 = ("??" + text + "??").getBytes(StandardCharsets.UTF_8);
        return TextHash.of(utf8, 2, utf8.length - 2);
    }
}
