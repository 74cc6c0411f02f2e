package io.sluice.server.config.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.charset.MySqlCharsets;
import io.sluice.mysql.charset.TextDecoder;
import io.sluice.protocol.bytes.ByteWriter;
import java.nio.charset.Charset;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class JavaCharsetsTest {
    static Stream<Charset> known() {
        return Charset.availableCharsets().values().stream()
                .filter(charset -> JavaCharsets.mysqlName(charset.name()).isPresent());
    }

    /** The same bytes mean the same letters in both; MySQL may lack some. */
    @ParameterizedTest
    @MethodSource("known")
    void lettersOfASetOfJavaAreReadByThatOfMySql(Charset charset) {
        TextDecoder decoder =
                MySqlCharsets.decoder(JavaCharsets.mysqlName(charset.name()).orElseThrow());
        CharsetEncoder encoder = charset.newEncoder();
        int letters = 0;
        int missing = 0;
        int others = 0;
        for (char c = 'A'; c < Character.MIN_SURROGATE; c++) {
            if (Character.isLetter(c) && encoder.canEncode(c)) {
                String text = String.valueOf(c);
                byte[] bytes = text.getBytes(charset);
                int mark = charset.name().matches("UTF-(16|32)") && bytes[0] == (byte) 0xFE ? 2 : 0;
                String decoded = decoded(decoder, bytes, mark);
                letters++;
                if (decoded.equals("\uFFFD")) {
                    missing++;
                } else if (!decoded.equals(text)) {
                    others++;
                }
            }
        }
        assertThat(letters).isGreaterThan(50);
        assertThat(missing).as("missing").isLessThanOrEqualTo(letters / 10);
        assertThat(others).as("others").isLessThanOrEqualTo(letters / 100);
    }

    private static String decoded(TextDecoder decoder, byte[] bytes, int from) {
        ByteWriter out = new ByteWriter(16);
        decoder.decode(bytes, from, bytes.length - from, out);
        return new String(out.array(), 0, out.size(), StandardCharsets.UTF_8);
    }

    @Test
    void manySetsAreInBoth() {
        assertThat(known().map(charset -> JavaCharsets.mysqlName(charset.name()).orElseThrow()))
                .contains("utf8mb4", "latin1", "latin2", "gbk", "euckr", "cp1251", "sjis", "ujis", "utf16")
                .hasSizeGreaterThan(35);
    }

    @ParameterizedTest
    @CsvSource({
        "utf-8, utf8mb4",
        "UTF8MB4, utf8mb4",
        "utf8mb3, utf8mb4",
        "latin1, latin1",
        "Cp1252, latin1",
        "euc_cn, gb2312",
        "SJIS, sjis",
        "MS932, cp932",
        "MS936, gbk",
        "koi8_r, koi8r"
    })
    void anAliasWillDo(String name, String mysqlName) {
        assertThat(JavaCharsets.mysqlName(name)).contains(mysqlName);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"klingon", "", "no name", "ISO-8859-5", "windows-1253", "UTF-32LE", "IBM037", "ISO-2022-JP"})
    void aSetThatMySqlDoesNotHaveHasNoName(String name) {
        assertThat(JavaCharsets.mysqlName(name)).isEqualTo(Optional.empty());
    }
}
