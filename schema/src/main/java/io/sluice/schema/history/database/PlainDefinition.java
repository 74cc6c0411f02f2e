package io.sluice.schema.history.database;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The form of the statements that H2 stores for plain tables, their indexes, keys and sequences, for users and for settings. Whatever can call
 * code, load a class, or read another file or database is not among them: triggers, aliases, views, linked tables, expressions.
 *
 * <p>A statement is reduced to its words, with {@code id}, {@code str} and {@code num} for names and literals; that has to match as a whole.
 */
final class PlainDefinition {
    private static final Pattern TOKEN = Pattern.compile("\\s*+(?:"
            + "(?<name>(?:U&)?+\"[^\"]*+(?:\"\"[^\"]*+)*+\")"
            + "|(?<text>(?:U&)?+'[^']*+(?:''[^']*+)*+')"
            + "|(?<number>[0-9]++(?:\\.[0-9]++)?+)"
            + "|(?<word>[A-Z][A-Z0-9_]*+)"
            + "|(?<sign>[(),.-]))\\s*+");

    private static final String NAME = "id(?: \\. id)*+";
    private static final String NUMBER = "(?:- )?num";
    private static final String LITERAL = "(?:" + NUMBER
            + "|(?:TIMESTAMP )?str|NULL|TRUE|FALSE|(?:CURRENT_TIMESTAMP|LOCALTIMESTAMP)(?: \\( num \\))?)";
    private static final String SEQUENCE =
            "(?: (?:AS BIGINT|AS INTEGER|(?:START|RESTART) WITH NUMBER|INCREMENT BY NUMBER|(?:MINVALUE|MAXVALUE|CACHE) NUMBER|NO CACHE|CYCLE|BELONGS_TO_TABLE))*"
                    .replace("NUMBER", NUMBER);
    private static final String TYPE =
            "(?:BIGINT|INTEGER|SMALLINT|TINYINT|BOOLEAN|NUMERIC|DECIMAL|REAL|FLOAT|DOUBLE PRECISION|DECFLOAT|DATE|TIME|TIMESTAMP"
                    + "|(?:CHARACTER|BINARY)(?: VARYING| LARGE OBJECT)?|VARCHAR_IGNORECASE)(?: \\( num(?: , num)? \\))?(?: (?:WITH|WITHOUT) TIME ZONE)?";
    private static final String COLUMN = "id " + TYPE + "(?: (?:NOT NULL|NULL|VISIBLE|INVISIBLE"
            + "|DEFAULT ON NULL|DEFAULT " + LITERAL
            + "|ON UPDATE " + LITERAL
            + "|GENERATED (?:BY DEFAULT|ALWAYS) AS IDENTITY(?: \\(" + SEQUENCE + " \\))?"
            + "|SEQUENCE " + NAME
            + "|SELECTIVITY num|COMMENT str))*";
    private static final String COLUMN_OF_INDEX = "id(?: (?:ASC|DESC|NULLS FIRST|NULLS LAST))*";

    private static final Pattern FORM = Pattern.compile(String.join(
            "|",
            "CREATE (?:CACHED|MEMORY) TABLE " + NAME + "(?: COMMENT str)? \\( " + list(COLUMN) + " \\)",
            "CREATE (?:PRIMARY KEY|INDEX|UNIQUE INDEX|UNIQUE NULLS DISTINCT INDEX) " + NAME + " ON " + NAME
                    + "(?: COMMENT str)? \\( " + list(COLUMN_OF_INDEX) + " \\)",
            "ALTER TABLE " + NAME + " ADD CONSTRAINT " + NAME
                    + "(?: COMMENT str)? (?:PRIMARY KEY|UNIQUE(?: NULLS DISTINCT)?) \\( " + list("id")
                    + " \\)(?: INDEX "
                    + NAME + ")?",
            "CREATE SEQUENCE (?:IF NOT EXISTS )?" + NAME + "(?: COMMENT str)?" + SEQUENCE,
            "CREATE USER (?:IF NOT EXISTS )?id(?: COMMENT str)? (?:SALT str HASH str|PASSWORD str)(?: ADMIN)?",
            "SET (?:CREATE_BUILD|DB_CLOSE_DELAY|DEFAULT_LOCK_TIMEOUT|DEFAULT_TABLE_TYPE|WRITE_DELAY|CACHE_SIZE|LOCK_MODE|MAX_LOG_SIZE"
                    + "|MAX_MEMORY_ROWS|MAX_MEMORY_UNDO|MAX_LENGTH_INPLACE_LOB|MAX_OPERATION_MEMORY|RETENTION_TIME|TRACE_MAX_FILE_SIZE"
                    + "|COMPRESS_LOB|IGNORECASE) " + NUMBER));

    private PlainDefinition() {}

    private static String list(String element) {
        return element + "(?: , " + element + ")*";
    }

    /** Whether it defines nothing else. */
    static boolean matches(String statement) {
        StringBuilder words = new StringBuilder();
        Matcher token = TOKEN.matcher(statement);
        int end = 0;
        while (end < statement.length()) {
            token.region(end, statement.length());
            if (!token.lookingAt()) {
                return false;
            }
            end = token.end();
            words.append(words.isEmpty() ? "" : " ").append(reduced(token));
        }
        return FORM.matcher(words).matches();
    }

    private static String reduced(Matcher token) {
        if (token.group("name") != null) {
            return "id";
        }
        if (token.group("text") != null) {
            return "str";
        }
        return token.group("number") != null ? "num" : token.group().strip();
    }

    /** The words with which a statement begins, as in {@code CREATE FORCE TRIGGER}. */
    static String kind(String statement) {
        Matcher words = Pattern.compile("[A-Z_]{1,20}(?: [A-Z_]{1,20}){0,3}").matcher(statement);
        return words.lookingAt() ? words.group() : "another statement";
    }
}
