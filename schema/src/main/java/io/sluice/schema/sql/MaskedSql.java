package io.sluice.schema.sql;

import io.sluice.schema.sql.Token.Kind;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Statements as they are shown to users without the right to see values, and in logs: without the content of string literals and comments.
 *
 * <p>Neither the server nor the SQL mode needs to be known. Where they make a difference, what is a literal or a comment to one of them is masked.
 */
public final class MaskedSql {
    /** Of a longer text only the first words are shown: it may have to be read in a hundred ways, which takes as many times as long. */
    public static final int MAX_CHARS = 64 * 1024;

    private static final int NO_VERSION = 0;
    private static final int ANY_VERSION = Integer.MAX_VALUE;

    /** Dumps have six. */
    private static final int MAX_VERSIONS = 10;

    private static final Pattern EXECUTABLE_COMMENT = Pattern.compile("/\\*M?!(\\d{5,6})");

    /** How many words are shown of a text that cannot be read. */
    private static final int FIRST_WORDS = 2;

    /** Begins the text of a stored program in another language. */
    private static final Pattern DOLLAR_QUOTE = Pattern.compile("\\$[^$]*\\$");

    private MaskedSql() {}

    /**
     * Masks a statement. Names, numbers, words and the marks around literals and comments are kept, also in executable comments.
     *
     * @param sql the text of statements, complete. If a literal or a comment is not closed, if it has an executable comment in another, or more
     *     than {@link #MAX_CHARS}, only the first words are shown.
     */
    public static String of(String sql) {
        if (sql.length() > MAX_CHARS) {
            return firstWords(sql.substring(0, MAX_CHARS));
        }
        Masked masked = new Masked();
        for (SourceTraits source : sources(sql)) {
            for (SqlMode mode : modes(sql)) {
                Reading reading = new Reading(sql, source, mode);
                if (reading.isNested) { // versions differ in where these end
                    return firstWords(sql);
                }
                if (!reading.isUnclosed) { // else the source has not read it so, since it has run it
                    masked.add(reading);
                }
            }
        }
        BitSet all = masked.all();
        return all == null ? firstWords(sql) : shown(sql, all);
    }

    /** A server for each way to decide which of the executable comments are run. */
    private static List<SourceTraits> sources(String sql) {
        if (!sql.contains("/*")) {
            return List.of(SourceTraits.DEFAULT);
        }
        Set<Integer> versions = new LinkedHashSet<>(List.of(NO_VERSION, ANY_VERSION));
        Matcher comment = EXECUTABLE_COMMENT.matcher(sql);
        while (comment.find() && versions.size() < MAX_VERSIONS) {
            versions.add(Integer.valueOf(comment.group(1)));
        }
        List<SourceTraits> sources = new ArrayList<>();
        for (int version : versions) {
            sources.add(new SourceTraits(false, version, false));
            sources.add(new SourceTraits(true, version, false));
        }
        return sources;
    }

    private static List<SqlMode> modes(String sql) {
        List<SqlMode> modes = new ArrayList<>(modesOfQuotes(sql));
        if (SqlMode.hasNoBreakSpace(sql)) {
            modes.addAll(modes.stream().map(SqlMode::withBlankNoBreakSpace).toList());
        }
        return modes;
    }

    private static List<SqlMode> modesOfQuotes(String sql) {
        boolean hasQuotes = sql.indexOf('"') >= 0;
        if (sql.indexOf('\\') < 0) {
            return List.of(SqlMode.DEFAULT);
        }
        return hasQuotes
                ? List.of(SqlMode.DEFAULT, new SqlMode(false, true), new SqlMode(true, false))
                : List.of(SqlMode.DEFAULT, new SqlMode(false, true));
    }

    private static String shown(String sql, BitSet masked) {
        StringBuilder shown = new StringBuilder(sql.length());
        int at = 0;
        while (at < sql.length()) {
            int from = masked.nextSetBit(at);
            if (from < 0) {
                break;
            }
            shown.append(sql, at, from).append(Token.MASK);
            at = masked.nextClearBit(from);
        }
        return at < sql.length() ? shown.append(sql, at, sql.length()).toString() : shown.toString();
    }

    private static String firstWords(String sql) {
        SqlLexer lexer = new SqlLexer(sql, SourceTraits.DEFAULT);
        StringBuilder shown = new StringBuilder();
        Token token = lexer.next();
        for (int words = 0; words < FIRST_WORDS && isShownAlone(token); words++) {
            shown.append(token.text()).append(' ');
            token = lexer.next();
        }
        return shown.append(Token.MASK).toString();
    }

    private static boolean isShownAlone(Token token) {
        return token.kind() == Kind.WORD && token.text().indexOf('$') < 0 && !token.isBytes();
    }

    /** What any of several readings masks. */
    private static final class Masked {
        private final BitSet masked = new BitSet();

        /** What no reading looks into; null before the first one. */
        private @Nullable BitSet executable;

        void add(Reading reading) {
            masked.or(reading.masked);
            if (executable == null) {
                executable = reading.executable;
            } else {
                executable.and(reading.executable);
            }
        }

        /** Null if there was no reading. An executable comment that no reading looks into is one as any other. */
        @Nullable BitSet all() {
            if (executable == null) {
                return null;
            }
            masked.or(executable);
            return masked;
        }
    }

    /** What is a literal or a comment to one kind of server in one mode. */
    private static final class Reading {
        private final BitSet masked = new BitSet();

        /** What it does not look into, and others do. */
        private final BitSet executable = new BitSet();

        private final boolean isUnclosed;
        private final boolean isNested;

        Reading(String sql, SourceTraits source, SqlMode mode) {
            SqlLexer lexer = new SqlLexer(
                    sql,
                    source,
                    mode,
                    (from, to, isExecutable) -> (isExecutable ? executable : masked).set(from, Math.max(from, to)));
            Token token = lexer.next();
            while (token.kind() != Kind.END && !isForeignText(token, sql)) {
                add(token, sql);
                token = lexer.next();
            }
            isUnclosed = lexer.isUnclosed();
            isNested = lexer.isNested();
        }

        private void add(Token token, String sql) {
            char first = sql.charAt(token.start());
            if (first == '\'' || first == '"') {
                masked.set(token.start() + 1, Math.max(token.start() + 1, token.end() - 1));
            } else if (token.isBytes()) {
                masked.set(token.start(), token.end());
            }
        }

        /** Whether the rest is in quotes of dollars, or after them. Its literals are those of another language, so all of it is masked. */
        private boolean isForeignText(Token token, String sql) {
            if (token.kind() != Kind.WORD || token.text().charAt(0) != '$') {
                return false;
            }
            Matcher quote = DOLLAR_QUOTE.matcher(token.text());
            if (!quote.lookingAt()) {
                return false;
            }
            masked.set(token.start() + quote.end(), sql.length());
            return true;
        }
    }
}
