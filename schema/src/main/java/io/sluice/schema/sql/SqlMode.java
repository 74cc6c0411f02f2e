package io.sluice.schema.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a session on which the meaning of its statements depends: flags of its {@code sql_mode}, and what its character sets imply.
 *
 * @param ansiQuotes whether double quotes are around names, not around strings
 * @param plainBackslashes whether a backslash in a string is an ordinary character ({@code NO_BACKSLASH_ESCAPES})
 * @param oracle whether MariaDB understands names of types as Oracle does
 * @param maxDb whether a {@code TIMESTAMP} is a {@code DATETIME}
 * @param noBreakSpaceIsBlank whether a no-break space is a blank, not a letter, as in texts of clients with some single-byte character sets
 * @param hasBytesForStrings whether strings have no character set, as with {@code SET NAMES binary}: their bytes, of UTF-8, are a text in the character set of the
 *     column
 */
public record SqlMode(
        boolean ansiQuotes,
        boolean plainBackslashes,
        boolean oracle,
        boolean maxDb,
        boolean noBreakSpaceIsBlank,
        boolean hasBytesForStrings) {
    /** None of them. */
    public static final SqlMode DEFAULT = new SqlMode(false, false);

    private static final char NO_BREAK_SPACE = '\u00a0';

    /** The character sets in which the servers have it as white space; in others, such as cp1251 and UTF-8, it is a letter or a syntax error. */
    private static final Set<String> SETS_WITH_BLANK_NO_BREAK_SPACE = Set.of(
            "armscii8",
            "cp1250",
            "cp852",
            "cp866",
            "dec8",
            "geostd8",
            "greek",
            "hebrew",
            "keybcs2",
            "latin1",
            "latin2",
            "latin5",
            "latin7");

    private static final String BINARY = "binary";

    /** Those of clients whose strings have bytes of UTF-8. */
    private static final Set<String> SETS_OF_UTF8 = Set.of(BINARY, "utf8", "utf8mb3", "utf8mb4");

    private static final long ANSI_QUOTES = 4;
    private static final long ORACLE = 1 << 9;
    private static final long MAXDB = 1 << 12;
    private static final long NO_BACKSLASH_ESCAPES = 1 << 20;

    /** A mode in which types have their usual names. */
    public SqlMode(boolean ansiQuotes, boolean plainBackslashes) {
        this(ansiQuotes, plainBackslashes, false, false, false, false);
    }

    /** The mode in the bits of a QUERY event's {@code sql_mode}. */
    public static SqlMode ofBits(long bits) {
        return new SqlMode(
                (bits & ANSI_QUOTES) != 0,
                (bits & NO_BACKSLASH_ESCAPES) != 0,
                (bits & ORACLE) != 0,
                (bits & MAXDB) != 0,
                false,
                false);
    }

    /**
     * The mode for a statement of a client.
     *
     * @param clientCharset the client's character set; null if it is not known
     * @param connectionCharset that to which its strings are converted; null if it is not known
     */
    public SqlMode ofClient(String sql, @Nullable String clientCharset, @Nullable String connectionCharset) {
        boolean isBlank = clientCharset != null
                && SETS_WITH_BLANK_NO_BREAK_SPACE.contains(clientCharset.toLowerCase(Locale.ROOT))
                && hasNoBreakSpace(sql);
        boolean hasBytes = BINARY.equals(connectionCharset)
                && (clientCharset == null || SETS_OF_UTF8.contains(clientCharset.toLowerCase(Locale.ROOT)));
        return isBlank || hasBytes ? new SqlMode(ansiQuotes, plainBackslashes, oracle, maxDb, isBlank, hasBytes) : this;
    }

    /** The modes in which a text of the same client can be read otherwise, with the types of this one or with the usual ones. */
    public List<SqlMode> alternatives() {
        List<SqlMode> alternatives = new ArrayList<>();
        for (int flags = 0; flags < 8; flags++) {
            boolean hasTypes = (flags & 4) != 0;
            alternatives.add(new SqlMode(
                    (flags & 1) != 0,
                    (flags & 2) != 0,
                    hasTypes && oracle,
                    hasTypes && maxDb,
                    noBreakSpaceIsBlank,
                    hasBytesForStrings));
        }
        return alternatives;
    }

    /** Returns a copy in which a no-break space is a blank. */
    SqlMode withBlankNoBreakSpace() {
        return new SqlMode(ansiQuotes, plainBackslashes, oracle, maxDb, true, hasBytesForStrings);
    }

    /** Whether a text has a no-break space, so that it matters whether that is a blank. */
    static boolean hasNoBreakSpace(String sql) {
        return sql.indexOf(NO_BREAK_SPACE) >= 0;
    }

    /** Whether a character separates words. */
    boolean isBlank(char c) {
        return c <= ' ' || c == NO_BREAK_SPACE && noBreakSpaceIsBlank;
    }

    /** The mode that {@link #toString} wrote; words that it does not know change nothing. */
    public static SqlMode parse(String text) {
        return new SqlMode(
                text.contains("ANSI_QUOTES"),
                text.contains("NO_BACKSLASH_ESCAPES"),
                text.contains("ORACLE"),
                text.contains("MAXDB"),
                text.contains("BLANK_NO_BREAK_SPACE"),
                text.contains("BYTES_FOR_STRINGS"));
    }

    /** The server's words, and words for the rest, with a comma between them; empty for the default. */
    @Override
    public String toString() {
        StringJoiner words = new StringJoiner(",");
        if (ansiQuotes) {
            words.add("ANSI_QUOTES");
        }
        if (plainBackslashes) {
            words.add("NO_BACKSLASH_ESCAPES");
        }
        if (oracle) {
            words.add("ORACLE");
        }
        if (maxDb) {
            words.add("MAXDB");
        }
        if (noBreakSpaceIsBlank) {
            words.add("BLANK_NO_BREAK_SPACE");
        }
        if (hasBytesForStrings) {
            words.add("BYTES_FOR_STRINGS");
        }
        return words.toString();
    }
}
