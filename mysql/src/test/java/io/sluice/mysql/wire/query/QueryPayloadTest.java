package io.sluice.mysql.wire.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueryPayloadTest {
    private static final char[] CHARACTERS = {'a', '\u007f', '\u0080', '\u07ff', '\u0800', '\uffff', '\ud83d', '\ude00'
    };

    private static void assertIsAsOfJava(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        byte[] payload = QueryPayload.of(3, text);

        assertThat(payload[0]).isEqualTo((byte) 3);
        assertThat(Arrays.copyOfRange(payload, 1, payload.length)).isEqualTo(utf8);
        assertThat(QueryPayload.length(text)).isEqualTo(utf8.length);
    }

    @Test
    void anEmptyTextHasNoBytes() {
        assertIsAsOfJava("");
    }

    /** Characters of each length in UTF-8, and halves of surrogate pairs, in any order. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void isTheTextInUtf8(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 200; i++) {
            StringBuilder text = new StringBuilder();
            for (int length = random.nextInt(40); length > 0; length--) {
                text.append(CHARACTERS[random.nextInt(CHARACTERS.length)]);
            }
            assertIsAsOfJava(text.toString());
        }
    }
}
