package io.sluice.schema.sql;

import java.util.StringJoiner;

/**
 * The flags of a session's {@code sql_mode} on which the meaning of its statements depends.
 *
 * @param ansiQuotes whether double quotes are around names, not around strings
 * @param plainBackslashes whether a backslash in a string is an ordinary character ({@code NO_BACKSLASH_ESCAPES})
 * @param oracle whether MariaDB understands names of types as Oracle does
 * @param maxDb whether a {@code TIMESTAMP} is a {@code DATETIME}
 */
public record SqlMode(boolean ansiQuotes, boolean plainBackslashes, boolean oracle, boolean maxDb) {
    /** None of them. */
    public static final SqlMode DEFAULT = new SqlMode(false, false);

    private static final long ANSI_QUOTES = 4;
    private static final long ORACLE = 1 << 9;
    private static final long MAXDB = 1 << 12;
    private static final long NO_BACKSLASH_ESCAPES = 1 << 20;

    /** A mode in which types have their usual names. */
    public SqlMode(boolean ansiQuotes, boolean plainBackslashes) {
        this(ansiQuotes, plainBackslashes, false, false);
    }

    /** The mode in the bits of a QUERY event's {@code sql_mode}. */
    public static SqlMode ofBits(long bits) {
        return new SqlMode(
                (bits & ANSI_QUOTES) != 0,
                (bits & NO_BACKSLASH_ESCAPES) != 0,
                (bits & ORACLE) != 0,
                (bits & MAXDB) != 0);
    }

    /** The mode that {@link #toString} wrote; words that it does not know change nothing. */
    public static SqlMode parse(String text) {
        return new SqlMode(
                text.contains("ANSI_QUOTES"),
                text.contains("NO_BACKSLASH_ESCAPES"),
                text.contains("ORACLE"),
                text.contains("MAXDB"));
    }

    /** The server's words with a comma between them; empty for the default. */
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
        return words.toString();
    }
}
