package io.sluice.protocol.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrintableTextTest {
    /** Line feed, carriage return, escape, delete, the next line and the control sequence introducer of C1, and Unicode's separators. */
    @ParameterizedTest
    @ValueSource(chars = {'\0', '\n', '\r', '\u001b', '\u007f', '\u0085', '\u009b', '\u2028', '\u2029'})
    void aControlCharacterBecomesASpace(char control) {
        assertThat(PrintableText.line("one" + control + "two")).isEqualTo("one two");
    }

    @Test
    void onlyLinesKeepTheirLineFeeds() {
        assertThat(PrintableText.lines("one\ntwo\r\n\u2028three")).isEqualTo("one\ntwo \n three");
    }

    @Test
    void whatIsPrintableStaysAsItIs() {
        String text = "a\tb \u00a0\u00e9\u4e2d\ud83d\ude00 \u00ad";

        assertThat(PrintableText.line(text)).isSameAs(text);
        assertThat(PrintableText.lines(text)).isSameAs(text);
    }
}
