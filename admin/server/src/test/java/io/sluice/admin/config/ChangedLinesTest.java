package io.sluice.admin.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChangedLinesTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "canal.passwd = hidden",
                "canal.passwd = \\\n  hidden",
                "#canal.passwd = hidden",
                "can\\u0061l.p\\\n   asswd=hidden",
                "canal.\\\npass\\\nwd = hidden",
                "canal.alarm.webhook.url = hidden"
            })
    void aSecretIsNotShown(String text) {
        assertThat(ChangedLines.masked(text)).doesNotContain("hidden").hasLineCount((int)
                text.lines().count());
    }

    @Test
    void otherLinesAreShown() {
        assertThat(ChangedLines.masked("canal.port = 1\ncanal.mq.topic = \\\n  orders"))
                .isEqualTo("canal.port = 1\ncanal.mq.topic = \\\n  orders");
    }
}
