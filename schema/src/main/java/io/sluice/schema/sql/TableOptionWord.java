package io.sluice.schema.sql;

import java.util.Locale;
import java.util.Set;

/** The words by which options of a table begin. */
public final class TableOptionWord {
    private static final Set<String> WITH_ONE_VALUE = Set.of(
            "AUTO_INCREMENT",
            "AVG_ROW_LENGTH",
            "CHECKSUM",
            "COMMENT",
            "COMPRESSION",
            "CONNECTION",
            "DELAY_KEY_WRITE",
            "ENCRYPTION",
            "ENGINE",
            "INSERT_METHOD",
            "KEY_BLOCK_SIZE",
            "MAX_ROWS",
            "MIN_ROWS",
            "PACK_KEYS",
            "PASSWORD",
            "ROW_FORMAT",
            "STATS_AUTO_RECALC",
            "STATS_PERSISTENT",
            "STATS_SAMPLE_PAGES");

    private static final Set<String> OTHERS = Set.of("DATA", "INDEX", "TABLESPACE", "TYPE", "UNION");

    private TableOptionWord() {}

    /** Whether a token is the name of an option, other than one of character sets, whose value is the one token after it. */
    public static boolean hasOneValue(Token token) {
        return WITH_ONE_VALUE.contains(upper(token));
    }

    /** Whether an option, other than one of character sets, may begin with a token. */
    public static boolean isFirst(Token token) {
        String word = upper(token);
        return WITH_ONE_VALUE.contains(word) || OTHERS.contains(word);
    }

    private static String upper(Token token) {
        return token.text().toUpperCase(Locale.ROOT);
    }
}
