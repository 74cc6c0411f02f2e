package io.sluice.server.config.text;

import io.sluice.server.config.text.PasswordSpans.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Takes what is secret out of values and sentences that are shown. These may come from anywhere, so each method takes time in proportion to the
 * length of what it is given.
 */
public final class Masking {
    /** The characters of a sentence that are shown. */
    static final int MAX_SENTENCE = 16 * 1024;

    private Masking() {}

    /** What to show of a value that is under a name, be it a key or not. */
    public static String shown(String name, String value) {
        return Key.masked(name, value(value));
    }

    /** What to show of a setting: never what was filled in, if that is secret. */
    public static String shown(String name, Setting setting) {
        return shown(name, setting.content() == Setting.Content.WRITTEN ? setting.text() : setting.raw());
    }

    /** A value without the passwords in URLs and the like, at its whole length. */
    public static String value(String text) {
        String masked = masked(text, PasswordSpans.inUrls(text));
        masked = masked(masked, PasswordSpans.inLogins(masked));
        return masked(masked, PasswordSpans.inParameters(masked));
    }

    /** A sentence without the passwords in URLs and the like. Of a long one the beginning is shown, and an ellipsis. */
    public static String sentence(String text) {
        return shortened(value(text)); // shortened last: a password that is cut would not be found
    }

    /** A sentence about a secret; another one in its place if it has a part of the secret in it. */
    public static String about(String secret, String sentence) {
        String masked = sentence(sentence);
        boolean isTold = new SecretPieces(shortened(sentence)).haveOneOf(secret)
                || sentence.length() > MAX_SENTENCE && new SecretPieces(masked).haveOneOf(secret);
        return isTold ? withheld() : masked;
    }

    /** A sentence about a value that is not secret itself, but may have a password in it, as URLs do. */
    public static String aboutWritten(String value, String sentence) {
        String masked = sentence(sentence);
        SecretPieces pieces = new SecretPieces(masked);
        boolean isTold = Stream.of(
                        PasswordSpans.inUrls(value), PasswordSpans.inLogins(value), PasswordSpans.inParameters(value))
                .flatMap(List::stream)
                .anyMatch(span -> pieces.haveOneOf(value.substring(span.start(), span.end())));
        return isTold ? withheld() : masked;
    }

    private static String withheld() {
        return "cannot be used; why is not shown, since that quotes the value, which is secret: see docs/configuration.md";
    }

    /** A sentence without this secret as a whole. */
    public static String without(String secret, String sentence) {
        return secret.isEmpty() ? sentence : masked(sentence, occurrences(secret, sentence));
    }

    /** Finds a text in another one, whatever the case of letters; a short one only as a word. Algorithm of Knuth, Morris and Pratt. */
    private static List<Span> occurrences(String sought, String text) {
        int[] borders = borders(sought);
        List<Span> found = new ArrayList<>();
        int length = 0;
        for (int i = 0; i < text.length(); i++) {
            while (length > 0 && lower(sought.charAt(length)) != lower(text.charAt(i))) {
                length = borders[length];
            }
            if (lower(sought.charAt(length)) == lower(text.charAt(i))) {
                length++;
            }
            if (length == sought.length()) {
                int start = i + 1 - length;
                if (length >= SecretPieces.TELLING || SecretPieces.isWhole(text, start, i + 1)) {
                    found.add(new Span(start, i + 1));
                    length = 0;
                } else {
                    length = borders[length];
                }
            }
        }
        return found;
    }

    /** Returns for each beginning of a text, by its length, how long the longest part is that it both begins and ends with. */
    private static int[] borders(String text) {
        int[] borders = new int[text.length() + 1];
        int length = 0;
        for (int i = 1; i < text.length(); i++) {
            while (length > 0 && lower(text.charAt(length)) != lower(text.charAt(i))) {
                length = borders[length];
            }
            if (lower(text.charAt(length)) == lower(text.charAt(i))) {
                length++;
            }
            borders[i + 1] = length;
        }
        return borders;
    }

    private static char lower(char c) {
        return c >= 'A' && c <= 'Z' ? (char) (c + 'a' - 'A') : c;
    }

    private static String masked(String text, List<Span> secrets) {
        if (secrets.isEmpty()) {
            return text;
        }
        StringBuilder masked = new StringBuilder();
        int shown = 0;
        for (Span secret : secrets) {
            masked.append(text, shown, secret.start()).append(Secret.MASK);
            shown = secret.end();
        }
        return masked.append(text, shown, text.length()).toString();
    }

    private static String shortened(String text) {
        if (text.length() <= MAX_SENTENCE) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(MAX_SENTENCE - 1)) ? MAX_SENTENCE - 1 : MAX_SENTENCE;
        return text.substring(0, end) + "…";
    }
}
