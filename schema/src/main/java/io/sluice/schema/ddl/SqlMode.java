package io.sluice.schema.ddl;

/**
 * The flags of a session's {@code sql_mode} on which the syntax of its statements depends.
 *
 * @param ansiQuotes whether double quotes are around names, not around strings
 * @param plainBackslashes whether a backslash in a string is an ordinary character ({@code NO_BACKSLASH_ESCAPES})
 */
public record SqlMode(boolean ansiQuotes, boolean plainBackslashes) {
    /** Neither. */
    public static final SqlMode DEFAULT = new SqlMode(false, false);

    private static final long ANSI_QUOTES = 4;
    private static final long NO_BACKSLASH_ESCAPES = 1 << 20;

    /** The mode in the bits of a QUERY event's {@code sql_mode}. */
    public static SqlMode ofBits(long bits) {
        boolean ansi = (bits & ANSI_QUOTES) != 0;
        boolean plain = (bits & NO_BACKSLASH_ESCAPES) != 0;
        return ansi || plain ? new SqlMode(ansi, plain) : DEFAULT;
    }

    /** The mode that {@link #toString} wrote; words that it does not know change nothing. */
    public static SqlMode parse(String text) {
        return new SqlMode(text.contains("ANSI_QUOTES"), text.contains("NO_BACKSLASH_ESCAPES"));
    }

    /** MySQL's words with a comma between them; empty for the default. */
    @Override
    public String toString() {
        String ansi = ansiQuotes ? "ANSI_QUOTES" : "";
        String plain = plainBackslashes ? "NO_BACKSLASH_ESCAPES" : "";
        return ansi + (ansiQuotes && plainBackslashes ? "," : "") + plain;
    }
}
