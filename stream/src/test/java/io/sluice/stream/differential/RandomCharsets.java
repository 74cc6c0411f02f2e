package io.sluice.stream.differential;

import java.util.List;

/** Clauses of character sets and collations. */
final class RandomCharsets {
    private static final List<String> CHARSETS = List.of(
            ("utf8mb4 utf8mb4 utf8mb4 latin1 gbk utf8 utf8mb3 ascii binary ucs2 utf16 utf32 sjis cp932 big5 euckr koi8r cp1251"
                            + " latin2 latin5 hebrew ujis eucjpms tis620 greek utf16le swe7 hp8 dec8 cp866 keybcs2 macroman"
                            + " armscii8 geostd8 gb2312 cp850 cp1256 latin7")
                    .split(" "));

    private final Scene scene;
    private final Dice dice;

    RandomCharsets(Scene scene) {
        this.scene = scene;
        dice = scene.dice();
    }

    String charset() {
        return !scene.mariaDb() && dice.percent(3) ? "gb18030" : dice.oneOf(CHARSETS);
    }

    String collation() {
        if (dice.percent(30)) {
            return scene.mariaDb()
                    ? dice.oneOf(
                            "uca1400_ai_ci",
                            "utf8mb4_uca1400_ai_ci",
                            "utf8mb3_general_nopad_ci",
                            "utf8mb4_nopad_bin",
                            "latin1_nopad_bin")
                    : dice.oneOf("utf8mb4_0900_ai_ci", "utf8mb4_0900_bin", "utf8mb4_ja_0900_as_cs", "utf8_bin");
        }
        return dice.oneOf(
                "utf8mb4_general_ci",
                "utf8mb4_bin",
                "latin1_swedish_ci",
                "gbk_chinese_ci",
                "utf8_general_ci",
                "utf8mb4_unicode_ci",
                "binary",
                "latin1_bin",
                "ucs2_bin",
                "cp1251_general_ci",
                "big5_chinese_ci");
    }

    /** What may follow the type of a text; often nothing. */
    String ofColumn() {
        if (dice.percent(30)) {
            return abbreviated();
        }
        if (dice.percent(60)) {
            return "";
        }
        String charset = charset();
        String binary = charset.equals("binary") ? "binary" : charset + "_bin";
        return switch (dice.below(8)) {
            case 0, 1, 2 -> " character set " + charset;
            case 3 -> " charset " + charset;
            case 4 -> " collate " + binary;
            case 5 -> " character set " + charset + (dice.percent(50) ? " collate " + binary : "");
            case 6 -> " charset '" + charset + "'";
            default -> (scene.mariaDb() ? " char set " : " character set ") + charset;
        };
    }

    private String abbreviated() {
        return dice.percent(75)
                ? ""
                : switch (dice.below(6)) {
                    case 0 -> " ascii";
                    case 1 -> " unicode";
                    case 2 -> " byte";
                    case 3 -> " binary";
                    case 4 -> " binary character set " + charset();
                    default -> " character set " + charset() + " binary";
                };
    }

    /** The default of a table. */
    String ofTable() {
        return dice.percent(70)
                ? dice.oneOf(
                                "charset=",
                                "default charset=",
                                "character set ",
                                "default character set = ",
                                "CHARSET ",
                                "default charset ")
                        + charset()
                : dice.oneOf("collate=", "default collate ", "collate ") + collation();
    }

    /** The default of a schema; it may be left out. */
    String ofSchema() {
        return dice.oneOf(
                "",
                " charset latin1",
                " default character set = gbk",
                " collate utf8mb4_bin",
                " character set utf8mb4 collate utf8mb4_general_ci",
                " charset " + charset());
    }
}
