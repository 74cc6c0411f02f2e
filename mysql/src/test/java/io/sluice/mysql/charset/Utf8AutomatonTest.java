package io.sluice.mysql.charset;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class Utf8AutomatonTest {
    /** The first and the last of each class of bytes, and those beside them. */
    private static final int[] OCTETS = {
        0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE,
        0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF
    };

    private final CharsetDecoder java = StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);

    @Test
    void agreesWithTheDecoderOfJava() {
        byte[] text = "abcdefghijklmnop".getBytes(StandardCharsets.US_ASCII);
        int wellFormed = 0;
        int at = 0;
        for (int first : OCTETS) {
            for (int second : OCTETS) {
                for (int third : OCTETS) {
                    for (int fourth : OCTETS) {
                        byte[] next = text.clone();
                        at = (at + 1) % (text.length - 3);
                        next[at] = (byte) first;
                        next[at + 1] = (byte) second;
                        next[at + 2] = (byte) third;
                        next[at + 3] = (byte) fourth;
                        boolean known = isWellFormed(next);
                        if (Utf8Text.isWellFormed(next, 0, next.length) != known) {
                            assertThat(next).as("well-formed: %s", known).isEmpty();
                        }
                        wellFormed += known ? 1 : 0;
                    }
                }
            }
        }
        assertThat(wellFormed).isGreaterThan(100);
    }

    private boolean isWellFormed(byte[] text) {
        try {
            return java.decode(ByteBuffer.wrap(text)).length() > 0;
        } catch (CharacterCodingException e) {
            return false;
        }
    }
}
