package io.sluice.stream.golden;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Where we differ from the record on purpose, and why. What is right there is what the tables held at the end.
 *
 * @param kind how far the record still is the measure
 * @param reason what canal does, and what we do
 * @param columns those whose values differ, each with its table; only of {@link Kind#VALUES}
 */
record Deviation(Kind kind, String reason, Set<String> columns) {
    /** How far the record still is the measure. */
    enum Kind {
        /** Values of some columns, and the {@code sqlType} that follows them, differ; nothing else does. */
        VALUES,
        /** Names have other quotes or another encoding, and the types of such tables another case; nothing else differs. */
        NAMES,
        /** Types are the same, but in another case. */
        TYPE_SPELLING,
        /** Dates in JSON differ. */
        JSON_DATES,
        /** canal stopped, or lost a statement; Sluice continues, and is compared with the tables only. */
        STATE,
        /** canal left out ends of transactions, which only the raw form shows; we deliver them. */
        MORE_ENDS,
        /** canal delivered rows that were rolled back, and gave their transactions no end. */
        ROLLED_BACK,
        /** GTIDs with tags are missing, wherever they are stated. */
        TAGS,
        /** canal lost statements; we deliver them among the others. */
        MORE_STATEMENTS,
        /** Documents that are logged as differences are texts of functions; we deliver the documents. */
        PARTIAL_JSON
    }

    private static final Map<String, Deviation> BY_CASE = new HashMap<>();

    static {
        values(
                "01-strings-blobs",
                "a text type in the character set binary is binary to MySQL, whatever the DDL calls it",
                columns("bytes_of", "cb", "vcb", "txb"));
        Set<String> synonyms = new HashSet<>(columns("text_len", "h", "j", "l"));
        synonyms.addAll(List.of("serial_pk.id", "uni.e"));
        values(
                "01-type-synonyms",
                "TEXT(n), national types, SERIAL and CHAR .. BYTE are what MySQL makes of them",
                synonyms);
        String decoded = "canal decodes every column as UTF-8; we decode each by its character set";
        Set<String> charsets = new HashSet<>(columns("mixed", "a", "c", "d", "e", "f", "k"));
        charsets.addAll(List.of("by_default.v", "converted.v", "converted.w"));
        values("02-charset-columns", decoded, charsets);
        Set<String> letters = new HashSet<>();
        for (String charset : List.of(
                "big5", "binary", "cp1251", "gb18030", "gb2312", "gbk", "latin1", "sjis", "ucs2", "utf16", "utf32")) {
            letters.addAll(columns("letters_" + charset, "c", "t", "x"));
        }
        values("02-charset-tables", decoded, letters);
        put("03-json-opaque", Kind.JSON_DATES, "canal adds a time to dates in JSON, and makes 100 hours 0");
        put("02-names-dots", Kind.NAMES, "canal keeps doubled backticks in names");
        put("02-names-unquoted", Kind.NAMES, "canal keeps the backticks of CREATE DATABASE, and garbles its name");
        values("07-row-metadata-full", decoded, columns("described", "a", "t"));
        put("05-ddl-create", Kind.NAMES, "canal keeps the backticks of DROP SCHEMA");
        put("05-ddl-comments", Kind.STATE, "canal takes a DDL whose text ends in COMMIT for a commit");
        put("03-json-partial", Kind.PARTIAL_JSON, "canal gives partial updates as texts of functions");
        put("12-mariadb-compressed-log", Kind.MORE_STATEMENTS, "canal loses MariaDB's compressed statements");
        put("12-mariadb-compressed-rows", Kind.MORE_STATEMENTS, "canal loses MariaDB's compressed statements");
        put(
                "14-settings-filter-regex",
                Kind.TYPE_SPELLING,
                "canal takes tables that a filter stops from the source when they are renamed; we know their DDL");
        String ends = "canal swallows the end of a transaction whose text is delivered and whose rows are not";
        put("14-settings-filter-dml", Kind.MORE_ENDS, ends);
        put("14-settings-filter-rows", Kind.MORE_ENDS, ends);
        values(
                "14-settings-gbk-connection",
                "canal decodes every column as GBK; we decode each by its character set",
                columns("g", "b", "e"));
        put(
                "14-settings-serial-compressed",
                Kind.STATE,
                "canal loses compressed transactions without its parallel parser");
        put("04-long-transactions", Kind.MORE_ENDS, "canal swallows the end of a transaction of 1023 rows events");
    }

    static {
        for (String server : GoldenFileTest.MARIADB_SERVERS) {
            put(
                    server + "/04-transactions",
                    Kind.ROLLED_BACK,
                    "canal delivers rows that are logged before ROLLBACK TO; we do not");
            put(
                    server + "/08-statement-format",
                    Kind.MORE_ENDS,
                    "canal gives no end to a transaction that is rolled back");
        }
        put("13-mysql9-tagged-gtid-on", Kind.TAGS, "canal passes over GTIDs with tags; we state them as MySQL does");
    }

    private static void values(String name, String reason, Set<String> columns) {
        BY_CASE.put(name, new Deviation(Kind.VALUES, reason, columns));
    }

    private static Set<String> columns(String table, String... names) {
        return Stream.of(names).map(name -> table + "." + name).collect(Collectors.toSet());
    }

    private static void put(String name, Kind kind, String reason) {
        BY_CASE.put(name, new Deviation(kind, reason, Set.of()));
    }

    /** What holds for a case; empty if it must equal the record. */
    static Optional<Deviation> of(GoldenCase golden) {
        if (golden.name().endsWith("-fails")) {
            return Optional.of(new Deviation(Kind.STATE, "canal stopped with an error", Set.of()));
        }
        Deviation ofServer = BY_CASE.get(golden.server() + "/" + golden.name());
        return Optional.ofNullable(ofServer == null ? BY_CASE.get(golden.name()) : ofServer);
    }

    static boolean is(GoldenCase golden, Kind kind) {
        return of(golden).filter(deviation -> deviation.kind == kind).isPresent();
    }
}
