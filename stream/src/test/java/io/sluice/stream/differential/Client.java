package io.sluice.stream.differential;

/** The character set in which a session sends its statements. */
enum Client {
    UTF8("UTF-8"),
    GBK("GBK"),
    SJIS("windows-31j"),
    LATIN1("Cp1252"),
    BIG5("Big5"),
    EUCKR("EUC_KR"),
    /** Logs statements of temporary tables; changes rows of no others, since those would be logged as statements. */
    MIXED("UTF-8");

    private final String javaName;

    Client(String javaName) {
        this.javaName = javaName;
    }

    /** Those that log rows. */
    static Client[] ofRows() {
        return new Client[] {UTF8, GBK, SJIS, LATIN1, BIG5, EUCKR};
    }

    /** The character set's name in Java, as the driver takes it. */
    String javaName() {
        return javaName;
    }
}
