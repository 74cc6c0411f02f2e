package io.sluice.server.config.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.charset.MySqlCharsets;
import io.sluice.mysql.charset.TextDecoder;
import io.sluice.protocol.bytes.ByteWriter;
import java.nio.charset.Charset;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
        Map<String, byte[]> letters = letters(charset);

        assertThat(letters).hasSizeGreaterThan(50);
        assertThat(isReadBy(JavaCharsets.mysqlName(charset.name()).orElseThrow(), letters))
                .isTrue();
    }

    /** Of systems that no client of MySQL has, there are others, too. */
    @Test
    void noSetThatIsReadByOneOfMySqlIsLeftOut() {
        List<String> mysqlNames = known().map(
                        charset -> JavaCharsets.mysqlName(charset.name()).orElseThrow())
                .distinct()
                .toList();
        List<String> leftOut = new ArrayList<>();
        for (Charset charset : Charset.availableCharsets().values()) {
            boolean isOfOtherSystem = charset.name().matches("x-(IBM|Mac).*");
            if (!isOfOtherSystem
                    && charset.canEncode()
                    && JavaCharsets.mysqlName(charset.name()).isEmpty()) {
                Map<String, byte[]> letters = letters(charset);
                letters.keySet().removeIf(letter -> letter.charAt(0) < 0x80); // which most sets have
                mysqlNames.stream()
                        .filter(name -> letters.size() > 20 && isReadBy(name, letters))
                        .forEach(name -> leftOut.add(charset.name() + " is " + name));
            }
        }

        assertThat(leftOut).isEmpty();
    }

    /** The letters that a set has, and their bytes. */
    private static Map<String, byte[]> letters(Charset charset) {
        CharsetEncoder encoder = charset.newEncoder();
        Map<String, byte[]> letters = new LinkedHashMap<>();
        for (char c = 'A'; c < Character.MIN_SURROGATE; c++) {
            if (Character.isLetter(c) && encoder.canEncode(c)) {
                byte[] bytes = String.valueOf(c).getBytes(charset);
                boolean hasMark = charset.name().matches("UTF-(16|32)") && bytes[0] == (byte) 0xFE;
                letters.put(String.valueOf(c), hasMark ? Arrays.copyOfRange(bytes, 2, bytes.length) : bytes);
            }
        }
        return letters;
    }

    private static boolean isReadBy(String mysqlName, Map<String, byte[]> letters) {
        TextDecoder decoder = MySqlCharsets.decoder(mysqlName);
        int missing = 0;
        int others = 0;
        for (Map.Entry<String, byte[]> letter : letters.entrySet()) {
            String decoded = decoded(decoder, letter.getValue());
            if (decoded.equals("\uFFFD")) {
                missing++;
            } else if (!decoded.equals(letter.getKey())) {
                others++;
            }
            if (missing > letters.size() / 10 || others > letters.size() / 100) {
                return false;
            }
        }
        return true;
    }

    private static String decoded(TextDecoder decoder, byte[] bytes) {
        ByteWriter out = new ByteWriter(16);
        decoder.decode(bytes, 0, bytes.length, out);
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
        "MS950, big5",
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
