package io.sluice.mysql.charset;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.protocol.bytes.ByteWriter;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MySqlCharsetsTest {
    private static final List<String> ALL = List.of(
            "armscii8",
            "ascii",
            "big5",
            "binary",
            "cp1250",
            "cp1251",
            "cp1256",
            "cp1257",
            "cp850",
            "cp852",
            "cp866",
            "cp932",
            "dec8",
            "eucjpms",
            "euckr",
            "gb18030",
            "gb2312",
            "gbk",
            "geostd8",
            "greek",
            "hebrew",
            "hp8",
            "keybcs2",
            "koi8r",
            "koi8u",
            "latin1",
            "latin2",
            "latin5",
            "latin7",
            "macce",
            "macroman",
            "sjis",
            "swe7",
            "tis620",
            "ucs2",
            "ujis",
            "utf16",
            "utf16le",
            "utf32",
            "utf8mb3",
            "utf8mb4");

    /** The bytes and what MySQL 8.0.31 gives for {@code CONVERT(CONVERT(UNHEX(..) USING charset) USING utf8mb4)}. */
    @ParameterizedTest
    @CsvSource({
        "latin1, 4180818D99E9FF, A€\u0081\u008D™éÿ",
        "latin2, A1B1FF, Ąą˙",
        "latin5, D0FDFE, Ğış",
        "latin7, A1B8C0, ”øĄ",
        "dec8, A1A8D7DD, ¡¤ŒŸ",
        "hp8, A1B2FC, Àý■",
        "swe7, 415B5C5D6040, AÄÖÅéÉ",
        "armscii8, B2B3FE, Աա’",
        "geostd8, C0E3, აჯ",
        "keybcs2, 8085, ČĎ",
        "macce, 8A8BFF, äčˇ",
        "macroman, 8AA0F0, ä†\uF8FF",
        "cp850, 84D5, äı",
        "cp852, 84A5, äą",
        "cp866, 80EF, Ая",
        "cp1250, 8A9C, Šś",
        "cp1251, C0FF, Ая",
        "cp1256, C7ED, اي",
        "cp1257, E0FE, ąž",
        "greek, C1F9, Αω",
        "hebrew, E0FA, את",
        "koi8r, C1D1, ая",
        "koi8u, A4A6, єі",
        "tis620, A1CD, กอ",
        "gbk, 61BABAD7D6, a汉字",
        "gbk, A892, ⊕",
        "gb2312, BABAD7D6, 汉字",
        "gb18030, BABA8139EF309439FC36, 汉㐁😀",
        "gb18030, FE598235903782359833, \uE81E龴ꀀ",
        "big5, BA7EA672, 漢字",
        "big5, F9D6, 碁",
        "euckr, C7D1B1DB8141, 한글갂",
        "sjis, 8ABF8E9AB1815F, 漢字ｱ\\",
        "cp932, 8ABF8740815F, 漢①＼",
        "ujis, B4C1BBFA8EB18FB0A1A1C0, 漢字ｱ丂\\",
        "eucjpms, B4C1ADA1A1C0A1C1F5A1, 漢①＼～\uE000",
        "ucs2, 00416C49, A汉",
        "utf16, 00416C49D83DDE00, A汉😀",
        "utf16le, 4100496C3DD800DE, A汉😀",
        "utf32, 0000004100006C490001F600, A汉😀",
        "utf8mb4, 41E6BCA2F09F9880, A漢😀",
    })
    void decodesAsTheServerDoes(String charset, String hex, String text) {
        assertThat(decode(charset, bytes(hex))).isEqualTo(text);
    }

    @Test
    void takesEachByteOfBinaryForACharacter() {
        assertThat(decode("binary", bytes("00417F80A0FF"))).isEqualTo("\u0000A\u007F\u0080\u00A0ÿ");
    }

    @Test
    void keepsCodesForPrivateUseThatTheServerCannotConvert() {
        assertThat(decode("gbk", bytes("A140"))).isEqualTo("\uE4C6");
    }

    @Test
    void hasADecoderForEveryCharset() {
        assertThat(ALL).hasSize(41).allSatisfy(charset -> {
            assertThat(MySqlCharsets.decoder(charset)).isNotNull();
            assertThat(MySqlCharsets.decoder(charset)).isSameAs(MySqlCharsets.decoder(charset));
        });
        assertThat(MySqlCharsets.decoder("UTF8")).isNotNull();
        assertThat(MySqlCharsets.decoder("klingon")).isNull();
    }

    @Test
    void passesOnlyTheBytesOfUtf8Through() {
        assertThat(ALL.stream().filter(name -> MySqlCharsets.decoder(name).isUtf8()))
                .containsExactly("ascii", "utf8mb3", "utf8mb4");
    }

    @ParameterizedTest
    @CsvSource({
        "1, big5",
        "8, latin1",
        "28, gbk",
        "33, utf8mb3",
        "45, utf8mb4",
        "46, utf8mb4",
        "63, binary",
        "83, utf8mb3",
        "101, utf16",
        "192, utf8mb3",
        "224, utf8mb4",
        "248, gb18030",
        "255, utf8mb4",
        "309, utf8mb4",
        "323, utf8mb4",
        "576, utf8mb3",
        "2304, utf8mb4",
        "3327, utf32"
    })
    void knowsTheCharsetOfACollation(int collation, String charset) {
        assertThat(MySqlCharsets.charsetOf(collation)).isEqualTo(charset);
    }

    @ParameterizedTest
    @CsvSource({"45, 45", "1029, 5", "1070, 46", "2047, 1023", "2048, 2048"})
    void collationsOfMariaDbWithoutPaddingHaveTheCharsetOfOneWith(int collation, int padded) {
        assertThat(MySqlCharsets.padded(collation)).isEqualTo(padded);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 100, 125, 152, 272, 324, 575, 1024, 1029, 1070, 1124, 3328, 65535})
    void knowsNoCharsetOfOtherIds(int collation) {
        assertThat(MySqlCharsets.charsetOf(collation)).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "FF",
                "C3",
                "C080",
                "E0809F",
                "EDA080",
                "EDA080EDB080",
                "F4908080",
                "F5808080",
                "41C342",
                "E6BC",
                "F09F98",
                "80",
                "F09F9880C3"
            })
    void repairsMalformedUtf8AsJavaDoes(String hex) {
        assertThat(decode("utf8mb4", bytes(hex))).isEqualTo(new String(bytes(hex), StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @CsvSource({
        "gbk, 61BA, a�",
        "gbk, BA20, '� '",
        "sjis, 81, �",
        "ujis, 8FB0, ��",
        "ujis, 8F41, �A",
        "gb18030, 813081, �0�",
        "utf16, 004100, A�",
        "utf16, D83D0041, �A",
        "utf16le, 00DE, �",
        "utf32, 00110000, �",
        "utf32, 0000D800, �",
        "utf32, 000000, �",
        "cp1251, 98, �",
        "dec8, A4, �",
    })
    void marksWhatIsNoCharacter(String charset, String hex, String text) {
        assertThat(decode(charset, bytes(hex))).isEqualTo(text);
    }

    /** Where {@code CONVERT} of MariaDB 10.11 gives one question mark for both bytes, or for the first one. */
    @ParameterizedTest
    @CsvSource({
        "cp932, 82408ABF, �漢",
        "cp932, 827E41, �A",
        "cp932, 82FC41, �A",
        "cp932, 827F41, �\u007FA",
        "sjis, 82408ABF, �漢",
        "sjis, 827E41, �A",
        "sjis, 827F41, �\u007FA",
        "big5, C87E41, �A",
        "big5, 8140A672, �@字",
        "big5, FA4041, �@A",
        "euckr, C941C7D1, �한",
        "euckr, C95A41, �A",
        "euckr, C96141, �A",
        "euckr, C97A41, �A",
        "euckr, C94041, �@A",
        "euckr, A15BC7D1, �[한",
        "euckr, C96041, �`A",
        "euckr, C97B41, �{A",
        "gb2312, A24041, �@A",
    })
    void takesACodeWithoutACharacterForOne(String charset, String hex, String text) {
        assertThat(decode(charset, bytes(hex))).isEqualTo(text);
    }

    /** The first and the last character beyond the first plane, characters for users, and lead bytes whose second byte cannot be one. */
    @ParameterizedTest
    @CsvSource({
        "gb18030, 9030813041, '\uD800\uDC00A'",
        "gb18030, E3329A3541, '\uDBFF\uDFFFA'",
        "gb18030, E3329A3641, '\uFFFDA'",
        "cp932, F04041, '\uE000A'",
        "sjis, F04041, '\uFFFDA'",
        "ujis, 8F4142, '\uFFFDAB'",
        "ujis, 8FA2, '\uFFFD\uFFFD'",
        "euckr, C961, '\uFFFD'",
        "euckr, C95A, '\uFFFD'",
    })
    void readsCodesAtTheLimits(String charset, String hex, String text) {
        assertThat(decode(charset, bytes(hex))).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({
        "latin1, 1, 1",
        "binary, 1, 1",
        "gbk, 2, 1",
        "sjis, 2, 1",
        "ucs2, 2, 2",
        "utf8mb3, 3, 1",
        "ujis, 3, 1",
        "eucjpms, 3, 1",
        "utf8mb4, 4, 1",
        "UTF8MB4, 4, 1",
        "utf16, 4, 2",
        "utf16le, 4, 2",
        "utf32, 4, 4",
        "gb18030, 4, 1",
    })
    void knowsHowManyBytesACharacterHas(String charset, int most, int least) {
        assertThat(MySqlCharsets.longestCharacter(charset)).isEqualTo(most);
        assertThat(MySqlCharsets.shortestCharacter(charset)).isEqualTo(least);
    }

    @Test
    void takesAnyBytesAndGivesWellFormedUtf8() {
        Random random = new Random(7);
        for (String charset : ALL) {
            for (int i = 0; i < 200; i++) {
                byte[] source = new byte[random.nextInt(40)];
                random.nextBytes(source);
                ByteWriter out = new ByteWriter(1);
                out.writeAscii("before:");

                MySqlCharsets.decoder(charset).decode(source, 0, source.length, out);

                assertThat(Utf8Text.isWellFormed(out.array(), 0, out.size()))
                        .as("%s %s", charset, HexFormat.of().formatHex(source))
                        .isTrue();
                assertThat(new String(out.toByteArray(), StandardCharsets.UTF_8))
                        .startsWith("before:");
            }
        }
    }

    @Test
    void readsOnlyTheBytesItIsGiven() {
        ByteWriter out = new ByteWriter(1);

        MySqlCharsets.decoder("gbk").decode(bytes("FFBABAD7D6FF"), 1, 4, out);

        assertThat(new String(out.toByteArray(), StandardCharsets.UTF_8)).isEqualTo("汉字");
    }

    private static String decode(String charset, byte[] source) {
        ByteWriter out = new ByteWriter(1);
        MySqlCharsets.decoder(charset).decode(source, 0, source.length, out);
        return new String(out.toByteArray(), StandardCharsets.UTF_8);
    }

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }
}
