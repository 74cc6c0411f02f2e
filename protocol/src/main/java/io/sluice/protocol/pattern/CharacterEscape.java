package io.sluice.protocol.pattern;

/**
 * An escape sequence that denotes one character.
 *
 * @param value the character
 * @param end where the rest of the text starts
 */
record CharacterEscape(int value, int end) {
    private static final int ESCAPE = 0x1b;
    private static final int BELL = 0x07;

    /** Reads one; there is at least one character between the backslash, which is at {@code from}, and {@code to}. */
    static CharacterEscape read(String text, int from, int to) {
        char c = text.charAt(from + 1);
        int next = from + 2;
        return switch (c) {
            case 'n' -> new CharacterEscape('\n', next);
            case 'r' -> new CharacterEscape('\r', next);
            case 't' -> new CharacterEscape('\t', next);
            case 'f' -> new CharacterEscape('\f', next);
            case 'e' -> new CharacterEscape(ESCAPE, next);
            case 'a' -> new CharacterEscape(BELL, next);
            case 'x' -> number(text, next, Math.min(to, next + 2), 16);
            case 'c' ->
                next < to
                        ? new CharacterEscape(Character.toUpperCase(text.charAt(next)) ^ 0x40, next + 1)
                        : new CharacterEscape('c', next);
            case '0', '1', '2', '3', '4', '5', '6', '7' -> number(text, from + 1, Math.min(to, from + 4), 8);
            default -> new CharacterEscape(c, next);
        };
    }

    private static CharacterEscape number(String text, int from, int to, int base) {
        int value = 0;
        int at = from;
        while (at < to && Character.digit(text.charAt(at), base) >= 0 && text.charAt(at) < 0x80) {
            value = value * base + Character.digit(text.charAt(at), base);
            at++;
        }
        return new CharacterEscape(value, at);
    }

    /** A character as itself, in lower case. */
    static String literal(int c) {
        int folded = Character.toLowerCase(c);
        boolean plain = folded > 0x7f ? !Character.isWhitespace(folded) : Character.isLetterOrDigit(folded);
        return plain ? Character.toString(folded) : "\\x{%x}".formatted(folded);
    }
}
