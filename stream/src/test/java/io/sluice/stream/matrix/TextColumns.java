package io.sluice.stream.matrix;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Texts and bytes: empty, short, as long as they can be, and with whatever must be escaped. */
final class TextColumns {
    private static final int CHARSETS_PER_TABLE = 14;

    /** Every charset has some of these; the server puts question marks in the places of the others. */
    private static final List<String> WORDS = List.of(
            "Grüße, Ärger €",
            "привет мир",
            "Ελληνικά",
            "中文字符",
            "にほんご カナ ｶﾅ",
            "한국어",
            "עברית",
            "العربية",
            "ไทย",
            "ąęłżőřđ",
            "ა հայ",
            "😀𠮷",
            "~\\\\^{}[]|#$@`");

    private static final String EVERY_BYTE =
            IntStream.rangeClosed(0, 255).mapToObj("%02x"::formatted).collect(Collectors.joining("", "x'", "'"));

    private TextColumns() {}

    /** A column of each kind in each of the server's character sets. */
    static List<MatrixTable> inCharsets(List<String> charsets) {
        List<MatrixTable> tables = new ArrayList<>();
        for (int from = 0; from < charsets.size(); from += CHARSETS_PER_TABLE) {
            List<MatrixColumn> columns = new ArrayList<>();
            for (String charset : charsets.subList(from, Math.min(charsets.size(), from + CHARSETS_PER_TABLE))) {
                List<String> words = new ArrayList<>(List.of("''"));
                for (String word : WORDS) {
                    words.add("CONVERT('%s' USING %s)".formatted(word, charset));
                }
                String set = " CHARACTER SET " + charset;
                columns.add(new MatrixColumn("c_" + charset, "CHAR(20)" + set, words));
                columns.add(new MatrixColumn("v_" + charset, "VARCHAR(70)" + set, words));
                columns.add(new MatrixColumn("x_" + charset, "TEXT" + set, words));
            }
            tables.add(new MatrixTable("charsets_" + from, columns));
        }
        return tables;
    }

    static MatrixTable texts() {
        String escapes =
                "CONCAT('quote \\' \" back \\\\ tab \\t', CHAR(0, 1, 8, 10, 12, 13, 27, 31, 127 USING utf8mb4),"
                        + " '\u2028\u2029\u0085')";
        return new MatrixTable(
                "texts",
                List.of(
                        MatrixColumn.of("c_0", "CHAR(0)", "''"),
                        MatrixColumn.of("c_1", "CHAR(1)", "''", "'a'", "'😀'"),
                        MatrixColumn.of("c_255", "CHAR(255)", "REPEAT('😀', 255)", "'  two blanks  '", escapes),
                        MatrixColumn.of("v_63", "VARCHAR(63)", "REPEAT('中', 63)", "'  two blanks  '"),
                        MatrixColumn.of("v_64", "VARCHAR(64)", "REPEAT('a', 64)", escapes),
                        MatrixColumn.of("v_300", "VARCHAR(300)", "REPEAT('😀', 300)", "''", "'a'"),
                        MatrixColumn.of("v_9000", "VARCHAR(9000)", "REPEAT('中', 9000)", escapes),
                        MatrixColumn.of("tt", "TINYTEXT", "REPEAT('b', 255)", "''"),
                        MatrixColumn.of("x", "TEXT", "REPEAT('c', 65535)", "''", escapes),
                        MatrixColumn.of("x_99", "TEXT(99)", "REPEAT('c', 99)", "''"),
                        MatrixColumn.of("mt", "MEDIUMTEXT", "REPEAT('中', 30000)", "''"),
                        MatrixColumn.of("lt", "LONGTEXT", "REPEAT('中', 30000)", "''", escapes)));
    }

    static MatrixTable bytes() {
        String zeros = "x'000000'";
        String inner = "x'00FF00FF0000'";
        return new MatrixTable(
                "bytes",
                List.of(
                        MatrixColumn.of("b_1", "BINARY(1)", "x'00'", "x'ff'", "x'41'"),
                        MatrixColumn.of("b_255", "BINARY(255)", EVERY_BYTE, zeros, inner, "''"),
                        MatrixColumn.of("vb_255", "VARBINARY(255)", EVERY_BYTE, zeros, inner, "''"),
                        MatrixColumn.of("vb_256", "VARBINARY(256)", EVERY_BYTE, zeros, inner, "''"),
                        MatrixColumn.of("cb", "CHAR(9) CHARACTER SET binary", "x'80ff00'", "''"),
                        MatrixColumn.of("tb", "TINYBLOB", "REPEAT(x'80', 255)", zeros, "''"),
                        MatrixColumn.of("b", "BLOB", EVERY_BYTE, "REPEAT(x'ff00', 30000)", zeros, "''"),
                        MatrixColumn.of("mb", "MEDIUMBLOB", EVERY_BYTE, "REPEAT(x'ff00', 40000)", "''"),
                        MatrixColumn.of("lb", "LONGBLOB", EVERY_BYTE, "REPEAT(x'ff00', 40000)", "''")));
    }

    static MatrixTable members() {
        return new MatrixTable(
                "members",
                List.of(
                        MatrixColumn.of("e_1", "ENUM('only')", "1", "''"),
                        MatrixColumn.of("e_3", "ENUM('one','it''s','中')", "'one'", "'it''s'", "'中'", "'no such'"),
                        MatrixColumn.of("e_255", "ENUM(" + names(255) + ")", "1", "128", "255"),
                        MatrixColumn.of("e_256", "ENUM(" + names(256) + ")", "1", "255", "256"),
                        MatrixColumn.of("e_900", "ENUM(" + names(900) + ")", "1", "256", "900"),
                        MatrixColumn.of("s_1", "SET('only')", "''", "'only'"),
                        MatrixColumn.of("s_8", "SET(" + names(8) + ")", "0", "128", "255"),
                        MatrixColumn.of("s_9", "SET(" + names(9) + ")", "0", "256", "511"),
                        MatrixColumn.of("s_24", "SET(" + names(24) + ")", "0", "16777215"),
                        MatrixColumn.of("s_33", "SET(" + names(33) + ")", "0", "4294967296", "8589934591"),
                        MatrixColumn.of(
                                "s_64",
                                "SET(" + names(64) + ")",
                                "0",
                                "9223372036854775807",
                                "'m64'",
                                "18446744073709551615")));
    }

    private static String names(int count) {
        return IntStream.rangeClosed(1, count).mapToObj(i -> "'m" + i + "'").collect(Collectors.joining(","));
    }

    /** MariaDB can hold texts and bytes compressed, in its binlog too. */
    static MatrixTable compressed() {
        return new MatrixTable(
                "compressed",
                List.of(
                        MatrixColumn.of("cv", "VARCHAR(200) COMPRESSED", "''", "'short'", "REPEAT('中', 200)"),
                        MatrixColumn.of("cvb", "VARBINARY(900) COMPRESSED", "''", EVERY_BYTE, "REPEAT(x'80', 900)"),
                        MatrixColumn.of("ctt", "TINYTEXT COMPRESSED", "''", "REPEAT('a', 200)"),
                        MatrixColumn.of("ctb", "TINYBLOB COMPRESSED", "''", "REPEAT('a', 200)"),
                        MatrixColumn.of("cx", "TEXT COMPRESSED", "''", "'short'", "REPEAT('中', 20000)"),
                        MatrixColumn.of("cb", "BLOB COMPRESSED", "''", EVERY_BYTE, "REPEAT(x'80', 60000)"),
                        MatrixColumn.of("cmt", "MEDIUMTEXT COMPRESSED", "''", "REPEAT('中', 30000)"),
                        MatrixColumn.of("clb", "LONGBLOB COMPRESSED", "''", "REPEAT(x'80', 90000)")));
    }
}
