package io.sluice.schema.history.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class TextMapJsonTest {
    @Test
    void readsTextsOfAnyLength() {
        Map<String, String> texts = Map.of("shop", "create table t (a int);\n".repeat(1_000_000));

        assertThat(TextMapJson.read(TextMapJson.write(texts))).isEqualTo(texts);
    }

    /** With the escapes of JSON; what is not ASCII is as it is. */
    @Test
    void writesAnyCharacters() {
        Map<String, String> texts =
                Map.of("a\"\\", "\u0000\u001f\b\f\n\r\t/'\"\\\u00e9\u4e2d\ud83d\ude00", "b", "", "", "x");

        String json = TextMapJson.write(texts);

        assertThat(TextMapJson.read(json)).isEqualTo(texts);
        assertThat(json)
                .isEqualTo(
                        "{\"\":\"x\",\"a\\\"\\\\\":\"\\u0000\\u001F\\b\\f\\n\\r\\t/'\\\"\\\\\u00e9\u4e2d\ud83d\ude00\",\"b\":\"\"}");
        assertThat(TextMapJson.write(Map.of())).isEqualTo("{}");
    }
}
