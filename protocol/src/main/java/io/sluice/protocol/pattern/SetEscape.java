package io.sluice.protocol.pattern;

import org.jspecify.annotations.Nullable;

/** Escape sequences that denote a set of characters or a boundary, in Java's syntax. */
final class SetEscape {
    /** How many characters {@code \b} looks at, at most. */
    static final int LOOKS_AT_BORDER = 16;

    private static final String WORD = "\\p{javaLetterOrDigit}_";
    private static final String BEFORE_WORD = "(?=[" + WORD + "])";
    private static final String BEHIND_WORD = "(?<=[" + WORD + "])";
    private static final String NOT_BEFORE_WORD = "(?![" + WORD + "])";
    private static final String NOT_BEHIND_WORD = "(?<![" + WORD + "])";

    private SetEscape() {}

    /** What a letter denotes within brackets; null if it is no such letter. */
    static @Nullable String inBrackets(char letter) {
        return switch (letter) {
            case 'w' -> WORD;
            case 'W' -> "[\\P{javaLetterOrDigit}&&[^_]]";
            case 'd' -> "\\p{javaDigit}";
            case 'D' -> "\\P{javaDigit}";
            case 's' -> "\\p{javaWhitespace}";
            case 'S' -> "\\P{javaWhitespace}";
            default -> null;
        };
    }

    /** What a letter denotes elsewhere; null if it is no such letter. */
    static @Nullable String outsideOfBrackets(char letter) {
        String set = inBrackets(letter);
        return switch (letter) {
            case 'b' -> "(?:" + BEHIND_WORD + NOT_BEFORE_WORD + "|" + NOT_BEHIND_WORD + BEFORE_WORD + ")";
            case 'B' -> "(?:" + BEHIND_WORD + BEFORE_WORD + "|" + NOT_BEHIND_WORD + NOT_BEFORE_WORD + ")";
            case 'A' -> "\\A";
            case 'Z' -> "\\Z";
            case 'G' -> "\\G";
            default -> set == null ? null : "[" + set + "]";
        };
    }
}
