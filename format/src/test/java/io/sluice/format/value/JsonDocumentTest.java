package io.sluice.format.value;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.protocol.bytes.ByteWriter;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonDocumentTest {
    /** A document that is one value: its type, length and bytes. What the server shows is compared in the tests of the stream. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0f fe 04 fedcba98 | \"base64:type254:/ty6mA==\"",
                "0f 10 02 0abc | \"base64:type16:Crw=\"",
                "0f fc 00 | \"base64:type252:\"",
                "0f f6 04 0402 8101 | 1.01",
                "0f 0f 01 22 | \"base64:type15:Ig==\"",
            })
    void valuesThatJsonHasNoTypeForHaveTheirTypeAndAllBytes(String hex, String text) {
        assertThat(exact(hex.replace(" ", ""))).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"57, false", "58, true"})
    void base64HasLinesAsTheServerShowsIt(int length, boolean isBroken) {
        String text = exact("0f0f" + HexFormat.of().toHexDigits((byte) length) + "00".repeat(length));

        String line = "A".repeat(76);
        assertThat(text).isEqualTo("\"base64:type15:" + line + (isBroken ? "\\nAA==" : "") + "\"");
    }

    private static String exact(String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex);
        ByteWriter out = new ByteWriter(16);
        new JsonDocument(bytes, 0, bytes.length, JsonForm.EXACT).writeText(out);
        return new String(out.toByteArray(), StandardCharsets.UTF_8);
    }
}
