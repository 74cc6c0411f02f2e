package io.sluice.schema.sql;

import java.util.regex.Pattern;

/**
 * A word, name, literal or sign of an SQL text.
 *
 * @param text for names and strings the value, without quotes and escapes; else as written
 * @param start where it begins in the text
 * @param end where it ends, exclusive
 */
public record Token(Kind kind, String text, int start, int end) {
    /** In place of what is masked. */
    static final String MASK = "***";

    private static final Pattern BYTES = Pattern.compile("0[xX][0-9a-fA-F]+|0b[01]+");

    /** The kinds of tokens. */
    public enum Kind {
        /** A keyword or an unquoted name. */
        WORD,
        /** A name in backticks. */
        NAME,
        /** Text in single quotes. */
        STRING,
        /** Text in double quotes: a string, or a name in the ANSI mode. */
        DOUBLE_QUOTED,
        /** An unquoted number without a sign. */
        NUMBER,
        /** A single character that belongs to no other kind. */
        SIGN,
        /** The end of the text; stays when read. */
        END
    }

    /** What may be shown of it in logs: a string is masked, also one of bytes without quotes. */
    public String shown() {
        return isString() || isBytes() ? MASK : text;
    }

    /** Whether it is a string of bytes that has no quotes. */
    boolean isBytes() {
        return kind == Kind.WORD && BYTES.matcher(text).matches();
    }

    /** Whether it is this keyword, in any case and without quotes. */
    public boolean isWord(String word) {
        return kind == Kind.WORD && text.equalsIgnoreCase(word);
    }

    /** Whether it is this sign. */
    public boolean isSign(char sign) {
        return kind == Kind.SIGN && text.charAt(0) == sign;
    }

    /** Whether it may be a string: text in single or double quotes. */
    public boolean isString() {
        return kind == Kind.STRING || kind == Kind.DOUBLE_QUOTED;
    }
}
