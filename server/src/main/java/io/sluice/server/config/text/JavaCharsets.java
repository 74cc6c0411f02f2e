package io.sluice.server.config.text;

import static java.util.Map.entry;

import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The character sets that both Java and MySQL have: MySQL's names of them, by those of Java. */
final class JavaCharsets {
    /** By Java's canonical names. A set that is a little larger in one of both is the same here. */
    private static final Map<String, String> MYSQL_NAMES = Map.ofEntries(
            entry("UTF-8", "utf8mb4"),
            entry("CESU-8", "utf8mb4"),
            entry("UTF-16", "utf16"),
            entry("UTF-16BE", "utf16"),
            entry("UTF-16LE", "utf16le"),
            entry("UTF-32", "utf32"),
            entry("UTF-32BE", "utf32"),
            entry("US-ASCII", "ascii"),
            entry("ISO-8859-1", "latin1"),
            entry("windows-1252", "latin1"), // which MySQL's latin1 is
            entry("ISO-8859-2", "latin2"),
            entry("ISO-8859-7", "greek"),
            entry("ISO-8859-8", "hebrew"),
            entry("ISO-8859-9", "latin5"),
            entry("ISO-8859-13", "latin7"),
            entry("windows-1250", "cp1250"),
            entry("windows-1251", "cp1251"),
            entry("windows-1256", "cp1256"),
            entry("windows-1257", "cp1257"),
            entry("IBM850", "cp850"),
            entry("IBM00858", "cp850"),
            entry("IBM852", "cp852"),
            entry("IBM866", "cp866"),
            entry("KOI8-R", "koi8r"),
            entry("KOI8-U", "koi8u"),
            entry("x-MacRoman", "macroman"),
            entry("x-MacCentralEurope", "macce"),
            entry("TIS-620", "tis620"),
            entry("x-iso-8859-11", "tis620"),
            entry("x-windows-874", "tis620"),
            entry("GB2312", "gb2312"),
            entry("GBK", "gbk"),
            entry("x-mswin-936", "gbk"),
            entry("GB18030", "gb18030"),
            entry("Big5", "big5"),
            entry("x-Big5-Solaris", "big5"),
            entry("x-windows-950", "big5"), // MS950, the Big5 of Windows
            entry("EUC-KR", "euckr"),
            entry("x-windows-949", "euckr"),
            entry("Shift_JIS", "sjis"),
            entry("windows-31j", "cp932"),
            entry("x-PCK", "cp932"), // the Shift_JIS of Solaris
            entry("EUC-JP", "ujis"),
            entry("x-euc-jp-linux", "ujis"),
            entry("x-eucJP-Open", "eucjpms"));

    private JavaCharsets() {}

    /**
     * MySQL's name of the character set that is meant by one of Java's names, aliases included, or by MySQL's {@code utf8mb3} or {@code utf8mb4}.
     *
     * @return in lower case; empty if Java has no such set, or MySQL has not
     */
    static Optional<String> mysqlName(String name) {
        if (name.toLowerCase(Locale.ROOT).startsWith("utf8mb")) {
            return Optional.of("utf8mb4");
        }
        try {
            return Optional.ofNullable(MYSQL_NAMES.get(Charset.forName(name).name()));
        } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
            return Optional.empty();
        }
    }
}
