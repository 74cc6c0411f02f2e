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

    /** Of containers, those of 64 KiB and more have numbers of four bytes in place. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "02 0100 0700 05 ffff | [-1]",
                "02 0100 0700 06 ffff | [65535]",
                "02 0100 0b00 07 0700 feffffff | [-2]",
                "02 0100 0b00 08 0700 feffffff | [4294967294]",
                "03 01000000 0d000000 07 feffffff | [-2]",
                "03 01000000 0d000000 08 feffffff | [4294967294]",
                "0a ffffffffffffffff | 18446744073709551615",
                "09 ffffffffffffffff | -1",
                "0c 03 617f62 | \"a\\u007fb\"",
                "0c 02 c2a0 | \"\\u00a0\"",
                "0c 02 c2a1 | \"\u00a1\"",
                "0f 0c 08 0000000000000000 | \"0000-00-00 00:00:00\"",
                "0f 0a 08 00000000004cb319 | \"2024-05-06\"",
                "0f 07 08 20a10709724cb319 | \"2024-05-06 07:08:09.500000\"",
                "0f 0c 08 20a10709724cb319 | \"2024-05-06 07:08:09.500000\"",
                "0f 0b 08 0000007defffffff | \"-01:02:03.000000\"",
                "0f 0b 08 702ffc7cefffffff | \"-01:02:03.250000\"",
                "0f 0b 08 0000000000000000 | \"00:00:00\"",
            })
    void valuesAreThoseThatTheServerShows(String hex, String text) {
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
