package io.sluice.mysql.charset;

import java.util.Locale;

/**
 * The East Asian character sets of MySQL: the Java set that is nearest, and where MySQL's table has another character.
 *
 * <p>The differences were found by asking MySQL 8.0.31 for each code. Where it has no character and Java has one (codes
 * for private use above all), Java's is taken: nothing is lost then.
 */
enum MultiByteCharset {
    BIG5("x-Big5-Solaris", 0x81, ""),
    GBK("x-mswin-936", 0x81, ""),
    GB2312("EUC_CN", 0xA1, ""),
    EUCKR("x-windows-949", 0x81, ""),
    SJIS("Shift_JIS", 0x81, "815C=2015 815F=005C"),
    CP932("windows-31j", 0x81, ""),
    UJIS("EUC-JP", 0x8E, "A1BD=2015 A1C0=005C 8FA2B7=007E"),
    EUCJPMS("x-eucJP-Open", 0x8E, "A1BD=2015 A1C1=FF5E A1C2=2225 A1DD=FF0D A1F1=FFE0 A1F2=FFE1 A2CC=FFE2 8FA2C3=FFE4"),
    /** As in the edition of 2005: that of 2022, which newer Java has, swapped these with private use. */
    GB18030(
            "GB18030",
            0x81,
            "A6D9=E78D A6DA=E78E A6DB=E78F A6DC=E790 A6DD=E791 A6DE=E792 A6DF=E793 A6EC=E794 A6ED=E795 A6F3=E796"
                    + " FE59=E81E FE61=E826 FE66=E82B FE67=E82C FE6D=E832 FE7E=E843 FE90=E854 FEA0=E864"
                    + " 82359037=9FB4 82359038=9FB5 82359039=9FB6 82359130=9FB7 82359131=9FB8 82359132=9FB9"
                    + " 82359133=9FBA 82359134=9FBB 84318236=FE10 84318237=FE11 84318238=FE12 84318239=FE13"
                    + " 84318330=FE14 84318331=FE15 84318332=FE16 84318333=FE17 84318334=FE18 84318335=FE19");

    private final String javaName;
    private final int firstLead;
    private final String differences;

    MultiByteCharset(String javaName, int firstLead, String differences) {
        this.javaName = javaName;
        this.firstLead = firstLead;
        this.differences = differences;
    }

    String mysqlName() {
        return name().toLowerCase(Locale.ROOT);
    }

    String javaName() {
        return javaName;
    }

    /** Codes and their characters in hex, {@code code=character}, blanks between them. */
    String differences() {
        return differences;
    }

    /** Whether a byte begins a character of more than one. */
    boolean isLead(int b) {
        if (this == SJIS || this == CP932) {
            return (b >= 0x81 && b <= 0x9F) || (b >= 0xE0 && b <= 0xFC);
        }
        if (isEuc()) {
            return b == 0x8E || b == 0x8F || (b >= 0xA1 && b <= 0xFE);
        }
        return b >= firstLead && b <= 0xFE;
    }

    /**
     * Whether a lead byte and one below 80, for which Java has no character, are a code of the server, which counts as one character
     * nevertheless. MySQL 8.0.31 and MariaDB 10.11 have the same codes.
     */
    boolean isCode(int lead, int second) {
        return switch (this) {
            case SJIS, CP932 -> second >= 0x40 && second <= 0x7E;
            case BIG5 -> lead >= 0xA1 && lead <= 0xF9 && second >= 0x40 && second <= 0x7E;
            case EUCKR -> (second >= 'A' && second <= 'Z') || (second >= 'a' && second <= 'z');
            case GBK, GB2312, UJIS, EUCJPMS, GB18030 -> false;
        };
    }

    /** Whether it is one of the two Japanese EUC sets, which have three-byte codes and rows for private use. */
    boolean isEuc() {
        return this == UJIS || this == EUCJPMS;
    }
}
