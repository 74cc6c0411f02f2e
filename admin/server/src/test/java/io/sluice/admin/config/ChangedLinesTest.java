package io.sluice.admin.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
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
    void aSecretThatIsContinuedFromALineThatIsNotShownIsNotShownEither() {
        String start = "a = 1\ncanal.passwd = \\\n";

        assertThat(ChangedLines.of(start + "  former", start + "  hidden\nb = 2"))
                .isEqualTo(new ChangedLines("******", "******\nb = 2"));
    }

    /** The only connection to SQLite waits meanwhile. */
    @ParameterizedTest
    @ValueSource(strings = {"//a:", "=a:", "a:", "token", "a=token=x\n", "\n", "a\\\n", "\\"})
    @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aTextOfAnyLengthIsMasked(String repeated) {
        String text = "#x:" + repeated.repeat(ConfigStore.MAX_LENGTH / repeated.length());

        ChangedLines lines = ChangedLines.of("a = 1", text);

        assertThat(lines.before()).isEqualTo("a = 1");
        assertThat(lines.after())
                .hasSizeBetween(20_000, 20_100)
                .startsWith("#x:")
                .endsWith(" more lines)");
        assertThat(ChangedLines.of(text, "").before()).isEqualTo(lines.after());
        assertThat(ChangedLines.masked(text)).isEqualTo(lines.after());
    }

    @Test
    void howMuchIsLeftOutIsReported() {
        assertThat(ChangedLines.masked("x".repeat(20_003)))
                .isEqualTo("x".repeat(20_000) + "…\n(3 more characters of this line, 0 more lines)");
        assertThat(ChangedLines.masked("x".repeat(20_001) + "\ny\nz"))
                .endsWith("x…\n(1 more characters of this line, 2 more lines)");
        assertThat(ChangedLines.masked("x".repeat(20_000))).isEqualTo("x".repeat(20_000));
    }

    @Test
    void otherLinesAreShown() {
        assertThat(ChangedLines.masked("canal.port = 1\ncanal.mq.topic = \\\n  orders"))
                .isEqualTo("canal.port = 1\ncanal.mq.topic = \\\n  orders");
    }
}
