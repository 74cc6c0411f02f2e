package io.sluice.admin.fleet.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ControlUrlTest {
    @Test
    void readsUrls() {
        assertThat(ControlUrl.parse("https://Node-1:7000")).isEqualTo(new ControlUrl(true, "node-1", 7000));
        assertThat(ControlUrl.parse(" HTTP://127.0.0.1/ ")).isEqualTo(new ControlUrl(false, "127.0.0.1", 11113));
        assertThat(ControlUrl.parse("https://[fd00::7]:1")).hasToString("https://[fd00::7]:1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "node-1:11113",
                "ftp://node-1",
                "file:///etc/passwd",
                "https://user:secret@node-1",
                "https://node-1/api",
                "https://node-1?x=1",
                "https://node-1#x",
                "https://:11113",
                "https://node-1:99999",
                "https://node 1",
                "jar:http://x!/"
            })
    void rejectsWhatIsNone(String text) {
        assertThatThrownBy(() -> ControlUrl.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .message()
                .doesNotContain("secret");
    }
}
