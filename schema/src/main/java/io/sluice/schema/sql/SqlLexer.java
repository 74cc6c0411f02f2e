package io.sluice.schema.sql;

import io.sluice.schema.sql.Token.Kind;

/**
 * Splits an SQL text into tokens as the server does: comments are left out, and what is in an executable comment that
 * the server would run is read as if it was there without one.
 *
 * <p>Any text can be read: what is not closed goes to the end of the text. For one thread.
 */
public final class SqlLexer {
    private final String sql;
    private final SourceTraits source;
    private final SqlMode mode;
    private final Comments comments;
    private int at;
    private boolean inExecutableComment;
    private boolean isUnclosed;
    private boolean isNested;

    /** A listener for the comments between the tokens. */
    interface Comments {
        /** For those that read tokens only. */
        Comments UNUSED = (from, to, isExecutable) -> {};

        /**
         * Called for a comment that is left out.
         *
         * @param from where its content begins, after what opens it
         * @param to where its content ends, before what closes it
         * @param isExecutable whether another server would run it
         */
        void leftOut(int from, int to, boolean isExecutable);
    }

    /** Begins at the start of a text, in the default mode. */
    public SqlLexer(String sql, SourceTraits source) {
        this(sql, source, SqlMode.DEFAULT);
    }

    /**
     * Begins at the start of a text.
     *
     * @param source the server that executed it
     * @param mode that of the session
     */
    public SqlLexer(String sql, SourceTraits source, SqlMode mode) {
        this(sql, source, mode, Comments.UNUSED);
    }

    SqlLexer(String sql, SourceTraits source, SqlMode mode, Comments comments) {
        this.sql = sql;
        this.source = source;
        this.mode = mode;
        this.comments = comments;
    }

    /** Whether a string, a quoted name or a comment that was read goes to the end of the text because nothing closes it. */
    boolean isUnclosed() {
        return isUnclosed;
    }

    /** Whether an executable comment was left out that is in one whose content was read. */
    boolean isNested() {
        return isNested;
    }

    /** The server whose text it is. */
    SourceTraits source() {
        return source;
    }

    /** Whether strings are bytes, as {@link SqlMode#hasBytesForStrings} has it. */
    boolean hasBytesForStrings() {
        return mode.hasBytesForStrings();
    }

    /** What names of types mean to this server in this mode. */
    TypeNames typeNames() {
        return new TypeNames(source, mode);
    }

    /** Reads the next token; {@link Kind#END} after the last one, however often it is called. */
    public Token next() {
        skipBlanksAndComments();
        int start = at;
        if (at >= sql.length()) {
            return new Token(Kind.END, "", start, start);
        }
        char c = sql.charAt(at);
        return switch (c) {
            case '`' -> quoted(Kind.NAME, '`', false);
            case '\'' -> quoted(Kind.STRING, '\'', !mode.plainBackslashes());
            case '"' ->
                mode.ansiQuotes()
                        ? quoted(Kind.NAME, '"', false)
                        : quoted(Kind.DOUBLE_QUOTED, '"', !mode.plainBackslashes());
            default -> {
                if (isWordChar(c)) {
                    yield wordOrNumber();
                }
                at++;
                yield new Token(Kind.SIGN, sql.substring(start, at), start, at);
            }
        };
    }

    private void skipBlanksAndComments() {
        while (at < sql.length()) {
            char c = sql.charAt(at);
            if (mode.isBlank(c)) {
                at++;
            } else if (c == '#' || (c == '-' && isDashComment())) {
                int end = sql.indexOf('\n', at);
                comments.leftOut(at + (c == '#' ? 1 : 2), end < 0 ? sql.length() : end, false);
                at = end < 0 ? sql.length() : end + 1;
            } else if (c == '/' && peek(1) == '*') {
                skipOrEnterComment();
            } else if (c == '*' && inExecutableComment && peek(1) == '/') {
                inExecutableComment = false;
                at += 2;
            } else {
                return;
            }
        }
    }

    /** Two dashes begin a comment only if a blank or the end follows; {@code 5--3} is a sum. */
    private boolean isDashComment() {
        return peek(1) == '-' && (at + 2 >= sql.length() || mode.isBlank(sql.charAt(at + 2)));
    }

    private void skipOrEnterComment() {
        int mark = at + 2;
        boolean isOfMariaDb = source.mariaDb() && peek(2) == 'M' && peek(3) == '!';
        boolean executable = peek(2) == '!' || isOfMariaDb;
        if (isOfMariaDb) {
            mark++;
        }
        if (!executable || inExecutableComment) {
            isNested |= executable;
            skipComment(at + 2);
            return;
        }
        mark++;
        int digits = versionDigits(mark);
        int version = digits == 0 ? 0 : Integer.parseInt(sql.substring(mark, mark + digits));
        if (digits == 0 || source.runsComment(version, isOfMariaDb)) {
            inExecutableComment = true;
            at = mark + digits;
        } else {
            skipExecutableComment(mark + digits);
        }
    }

    /** The number of digits from an index on that are a version; fewer than five are text. */
    private int versionDigits(int from) {
        int digits = 0;
        while (digits < 6 && from + digits < sql.length() && isDigit(sql.charAt(from + digits))) {
            digits++;
        }
        boolean endsText = from + digits >= sql.length() || mode.isBlank(sql.charAt(from + digits));
        if (digits == 6 && !source.readsSixDigits(endsText)) {
            return 5;
        }
        return digits < 5 ? 0 : digits;
    }

    private void skipComment(int from) {
        int end = sql.indexOf("*/", from);
        isUnclosed |= end < 0;
        comments.leftOut(from, end < 0 ? sql.length() : end, false);
        at = end < 0 ? sql.length() : end + 2;
    }

    /** An executable comment that is not run may hold comments, one level deep. */
    private void skipExecutableComment(int from) {
        int i = from;
        while (i < sql.length()) {
            if (sql.startsWith("/*", i)) {
                int end = sql.indexOf("*/", i + 2);
                i = end < 0 ? sql.length() : end + 2;
            } else if (sql.startsWith("*/", i)) {
                comments.leftOut(from, i, true);
                at = i + 2;
                return;
            } else {
                i++;
            }
        }
        isUnclosed = true;
        comments.leftOut(from, sql.length(), true);
        at = sql.length();
    }

    private Token quoted(Kind kind, char quote, boolean escapes) {
        int start = at++;
        StringBuilder value = new StringBuilder();
        while (at < sql.length()) {
            char c = sql.charAt(at++);
            if (c == quote) {
                if (at >= sql.length() || sql.charAt(at) != quote) {
                    return new Token(kind, value.toString(), start, at);
                }
                at++;
                value.append(quote);
            } else if (c == '\\' && escapes && at < sql.length()) {
                appendEscaped(value, sql.charAt(at++));
            } else {
                value.append(c);
            }
        }
        isUnclosed = true;
        return new Token(kind, value.toString(), start, at);
    }

    private static void appendEscaped(StringBuilder value, char c) {
        switch (c) {
            case 'n' -> value.append('\n');
            case 't' -> value.append('\t');
            case 'r' -> value.append('\r');
            case 'b' -> value.append('\b');
            case '0' -> value.append('\0');
            case 'Z' -> value.append('\032');
            case '%', '_' -> value.append('\\').append(c); // the server keeps these for LIKE
            default -> value.append(c);
        }
    }

    private Token wordOrNumber() {
        int start = at;
        boolean allDigits = true;
        while (at < sql.length() && isWordChar(sql.charAt(at))) {
            allDigits &= isDigit(sql.charAt(at));
            at++;
        }
        if (allDigits && peek(0) == '.' && isDigit(peek(1))) {
            at++;
            while (at < sql.length() && isDigit(sql.charAt(at))) {
                at++;
            }
        }
        return new Token(allDigits ? Kind.NUMBER : Kind.WORD, sql.substring(start, at), start, at);
    }

    private char peek(int ahead) {
        return at + ahead < sql.length() ? sql.charAt(at + ahead) : '\0';
    }

    private boolean isWordChar(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || isDigit(c)
                || c == '_'
                || c == '$'
                || c >= 0x80 && !mode.isBlank(c);
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
