package io.sluice.schema.sql;

import io.sluice.schema.sql.Token.Kind;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Statements as they are shown to a user who may not see values, and in logs: without the content of string literals and comments.
 *
 * <p>Neither the server nor the SQL mode needs to be known. Where they make a difference, what is a literal or a comment to one of them is masked.
 */
public final class MaskedSql {
    /** In place of what is masked. */
    public static final String MASK = "***";

    private static final int NO_VERSION = 0;
    private static final int ANY_VERSION = Integer.MAX_VALUE;

    /** Dumps have six. */
    private static final int MAX_VERSIONS = 10;

    private static final Pattern EXECUTABLE_COMMENT = Pattern.compile("/\\*M?!(\\d{5,6})");

    /** How many words are shown of a text that cannot be read. */
    private static final int FIRST_WORDS = 2;

    /** A string of bytes that has no quotes. */
    private static final Pattern BYTES = Pattern.compile("0[xX][0-9a-fA-F]+|0b[01]+");

    /** Begins the text of a stored program in another language. */
    private static final Pattern DOLLAR_QUOTE = Pattern.compile("\\$\\w*\\$");

    private MaskedSql() {}

    /**
     * Masks a statement. Names, numbers, words and the marks around literals and comments are kept, also in executable comments.
     *
     * @param sql the text of statements, complete. If a literal or a comment is not closed only the first words are shown.
     */
    public static String of(String sql) {
        List<Reading> readings = new ArrayList<>();
        for (SourceTraits source : sources(sql)) {
            for (SqlMode mode : modes(sql)) {
                Reading reading = new Reading(sql, source, mode);
                if (!reading.isUnclosed) { // else the source has not read it so, since it has run it
                    readings.add(reading);
                }
            }
        }
        return readings.isEmpty() ? firstWords(sql) : shown(sql, readings);
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
        boolean hasQuotes = sql.indexOf('"') >= 0;
        if (sql.indexOf('\\') < 0) {
            return List.of(SqlMode.DEFAULT);
        }
        return hasQuotes
                ? List.of(SqlMode.DEFAULT, new SqlMode(false, true), new SqlMode(true, false))
                : List.of(SqlMode.DEFAULT, new SqlMode(false, true));
    }

    private static String shown(String sql, List<Reading> readings) {
        // An executable comment that no reading looks into is one as any other.
        BitSet masked = (BitSet) readings.get(0).executable.clone();
        readings.forEach(reading -> masked.and(reading.executable));
        readings.forEach(reading -> masked.or(reading.masked));
        StringBuilder shown = new StringBuilder(sql.length());
        int at = 0;
        while (at < sql.length()) {
            int from = masked.nextSetBit(at);
            if (from < 0) {
                break;
            }
            shown.append(sql, at, from).append(MASK);
            at = masked.nextClearBit(from);
        }
        return at < sql.length() ? shown.append(sql, at, sql.length()).toString() : shown.toString();
    }

    private static String firstWords(String sql) {
        SqlLexer lexer = new SqlLexer(sql, SourceTraits.DEFAULT);
        StringBuilder shown = new StringBuilder();
        Token token = lexer.next();
        for (int words = 0; words < FIRST_WORDS && token.kind() == Kind.WORD; words++) {
            shown.append(token.text()).append(' ');
            token = lexer.next();
        }
        return shown.append(MASK).toString();
    }

    /** What is a literal or a comment to one kind of server in one mode. */
    private static final class Reading {
        private final BitSet masked = new BitSet();

        /** What it does not look into, and others do. */
        private final BitSet executable = new BitSet();

        private final boolean isUnclosed;

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
        }

        private void add(Token token, String sql) {
            char first = sql.charAt(token.start());
            if (first == '\'' || first == '"') {
                masked.set(token.start() + 1, Math.max(token.start() + 1, token.end() - 1));
            } else if (token.kind() == Kind.WORD && BYTES.matcher(token.text()).matches()) {
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
