package io.sluice.server.port;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrintableInputTest {
    /** Also those that are no ASCII: the next line, the control sequence introducer, and the separators of lines and paragraphs. */
    @ParameterizedTest
    @ValueSource(chars = {'\n', '\r', '\t', '\u001b', '\u007f', '\u0085', '\u009b', '\u2028', '\u2029'})
    void aControlCharacterOfAClientIsNotPrintableInput(char control) {
        assertThat(PrintableInput.text("shop" + control + "till")).isEqualTo("shop till");
    }

    @Test
    void aLongTextIsCut() {
        assertThat(PrintableInput.text("x".repeat(200))).hasSize(200);
        assertThat(PrintableInput.text("x".repeat(201))).isEqualTo("x".repeat(200) + "…");
    }
}
