package io.sluice.stream.differential;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Names of schemas, tables and columns that are hard to read. */
final class Identifiers {
    /** In SQL literals, none needs an escape. */
    static final List<String> SCHEMAS = List.of(SessionState.FIRST_SCHEMA, "D`2", "库3");

    static final List<String> TABLES = List.of(
            "t1",
            "T2",
            "t3",
            "订单",
            "weird `name",
            "select",
            "Ünï",
            "two words",
            "a.b",
            "_t1_gho",
            "_t1_del",
            "_t1_new",
            "table",
            "a\"b'c",
            "like");

    static final List<String> COLUMNS = List.of(
                    words(
                            "a b c d e f MiXed é 列 表 ソ 縗 ı ß ﬀ Σ 1a a$b $x #h a'b a\"b a/*b a--b a;b a,b a)b (a f.g x\\y my_row_id"),
                    List.of("col `q", "two words", "tab\tx", "line\nx", "on update", "period for"),
                    words(
                            "order key unsigned first after comment default check constraint period system_time partition index"),
                    words(
                            "columns add column as values row start end json enum versioning virtual invisible value date time"),
                    words(
                            "year bit text type data engine charset ascii byte unicode serial bool signed action begin storage"),
                    words(
                            "visible of system if exists primary unique fulltext spatial foreign with without set vector to"),
                    words(
                            "rename like table select character national long lateral rows function for stored generated always"),
                    words(
                            "not null collate persistent compressed ref_system_id srid array nchar references on update delete"),
                    words(
                            "uuid inet6 interval convert wait nowait algorithm lock force cascade restrict sequence nextval"))
            .stream()
            .flatMap(List::stream)
            .toList();

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z_\\u00e0-\\uffff][A-Za-z0-9_$\\u00e0-\\uffff]*");
    private static final Pattern ASCII = Pattern.compile("[\\x20-\\x7e]*");

    private Identifiers() {}

    private static List<String> words(String text) {
        return List.of(text.split(" "));
    }

    /** Whether the lexer takes it for one identifier, or a keyword, without quotation marks. */
    static boolean needsNoQuotes(String name) {
        return PLAIN.matcher(name).matches();
    }

    static String quoted(String name) {
        return "`" + name.replace("`", "``") + "`";
    }

    /** In upper case; other letters than those of ASCII stay as they are. */
    static String upper(String name) {
        return ASCII.matcher(name).matches() ? name.toUpperCase(Locale.ROOT) : name;
    }

    /** In lower case; other letters than those of ASCII stay as they are. */
    static String lower(String name) {
        return ASCII.matcher(name).matches() ? name.toLowerCase(Locale.ROOT) : name;
    }
}
