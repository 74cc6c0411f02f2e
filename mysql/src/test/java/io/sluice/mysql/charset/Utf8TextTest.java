package io.sluice.mysql.charset;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Utf8TextTest {
    private static final int LONGEST = 40;

    /** Every byte that is escaped, and its neighbours, in every place of texts of all lengths around one and two words. */
    @Test
    void escapesAreWrittenAtEveryOffset() {
        for (int length = 1; length <= 24; length++) {
            for (int at = 0; at < length; at++) {
                for (int character = 0; character < 0x80; character++) {
                    char[] text =
                            "abcdefghijklmnopqrstuvwxyz".substring(0, length).toCharArray();
                    text[at] = (char) character;
                    assertIsCopied(new String(text).getBytes(StandardCharsets.UTF_8));
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"é", "東", "😀", "\u2028", "\u007F", "\uFFFF", "\u0080", "\u07FF", "\u0800", "\uD7FF", "\uE000"})
    void charactersOfSeveralBytesAreKeptAtEveryOffset(String character) {
        for (int before = 0; before <= 17; before++) {
            for (int after = 0; after <= 17; after++) {
                assertIsCopied(("a".repeat(before) + character + "\"".repeat(after % 3) + "b".repeat(after))
                        .getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void invalidUtf8IsReplacedAsInJava(long seed) {
        Random random = new Random(seed);
        byte[] odd = {
            (byte) 0xC0, (byte) 0xE0, (byte) 0xED, (byte) 0xF0, (byte) 0xF4, (byte) 0x80, (byte) 0xBF, '"', 0, 'a'
        };
        for (int i = 0; i < 100_000; i++) {
            byte[] text = new byte[random.nextInt(LONGEST)];
            random.nextBytes(text);
            for (int at = 0; at < text.length; at++) {
                switch (random.nextInt(8)) {
                    case 0 -> text[at] = odd[random.nextInt(odd.length)];
                    case 1 -> {}
                    default -> text[at] &= 0x7F;
                }
            }
            assertIsCopied(text);
        }
    }

    /** Alone in its array, and among other bytes, which must not matter. */
    private static void assertIsCopied(byte[] text) {
        String string = new String(text, StandardCharsets.UTF_8);
        byte[] plain = string.getBytes(StandardCharsets.UTF_8);
        byte[] escaped = escaped(string).getBytes(StandardCharsets.UTF_8);
        for (int before : new int[] {0, 3, 9}) {
            byte[] source = new byte[before + text.length + (before == 0 ? 0 : 5)];
            Arrays.fill(source, (byte) '"');
            System.arraycopy(text, 0, source, before, text.length);
            byte[] target = new byte[6 * text.length + 9];

            int end = Utf8Text.put(source, before, before + text.length, target, 1);
            assertThat(Arrays.copyOfRange(target, 1, end)).as(string).isEqualTo(plain);
            end = Utf8Text.putJson(source, before, before + text.length, target, 1);
            assertThat(Arrays.copyOfRange(target, 1, end)).as(string).isEqualTo(escaped);
        }
    }

    private static String escaped(String text) {
        StringBuilder escaped = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            switch (character) {
                case '"', '\\' -> escaped.append('\\').append(character);
                case '\b' -> escaped.append("\\b");
                case '\t' -> escaped.append("\\t");
                case '\n' -> escaped.append("\\n");
                case '\f' -> escaped.append("\\f");
                case '\r' -> escaped.append("\\r");
                default -> escaped.append(character < ' ' ? "\\u%04x".formatted((int) character) : "" + character);
            }
        }
        return escaped.toString();
    }
}
