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
}
