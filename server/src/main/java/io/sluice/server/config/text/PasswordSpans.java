package io.sluice.server.config.text;

import java.util.ArrayList;
import java.util.List;

/**
 * Finds where a text has passwords. Texts come from users and from other servers, at any length, so it takes time in proportion to the
 * length and no stack: regular expressions for the same take the square of the length, and overflow the stack.
 */
final class PasswordSpans {
    private static final String QUOTES = "'\"";

    /** What the name of a parameter with a password has in it. */
    private static final List<String> SECRET_WORDS =
            List.of("passw", "passphrase", "secret", "token", "accesskey", "pwd");

    private static final String FIRST_LETTERS = "psatPSAT";

    private PasswordSpans() {}

    /**
     * The characters of one password.
     *
     * @param start of the first character
     * @param end after the last one; {@code start} for an empty password
     */
    record Span(int start, int end) {}

    /**
     * Finds those of {@code //user:password@host}; the last {@code @} ends the password. The user may be empty.
     *
     * @return in the order of the text
     */
    static List<Span> inUrls(String text) {
        List<Span> found = new ArrayList<>();
        int start = 0;
        while (start < text.length()) {
            int end = endOfPart(text, start, QUOTES);
            int password = passwordOfUrl(text, start, lastAt(text, start, end));
            if (password > 0) {
                found.add(new Span(password, lastAt(text, start, end)));
            }
            start = end + 1;
        }
        return found;
    }

    /** Returns where the password of a URL in a part of a text begins that ends with an {@code @}; 0 if there is none. */
    private static int passwordOfUrl(String text, int start, int at) {
        int next = start;
        while (next + 2 < at) {
            if (text.charAt(next) != '/' || text.charAt(next + 1) != '/') {
                next++;
                continue;
            }
            int colon = next + 2;
            while (colon < at && ":/@".indexOf(text.charAt(colon)) < 0) {
                colon++;
            }
            if (colon < at && text.charAt(colon) == ':') {
                return colon + 1;
            }
            next = colon == next + 2 ? next + 1 : colon;
        }
        return 0;
    }

    /**
     * Finds those of {@code user:password@host} at the beginning of a text, or after a space, quote, comma, semicolon, equals sign or opening
     * parenthesis; but not of a URL.
     *
     * @return in the order of the text
     */
    static List<Span> inLogins(String text) {
        List<Span> found = new ArrayList<>();
        int start = 0;
        while (start < text.length()) {
            int end = endOfPart(text, start, QUOTES + ",;");
            int password = passwordOfLogin(text, start, lastAt(text, start, end));
            if (password > 0) {
                found.add(new Span(password, lastAt(text, start, end)));
            }
            start = end + 1;
        }
        return found;
    }

    /** Returns where the password of a login in a part of a text begins that ends with an {@code @}; 0 if there is none. */
    private static int passwordOfLogin(String text, int start, int at) {
        int user = start;
        while (user < at) {
            int colon = user;
            while (colon < at && ":/@(=".indexOf(text.charAt(colon)) < 0) {
                colon++;
            }
            if (colon > user && colon < at && text.charAt(colon) == ':' && !isBeforeUrl(text, colon + 1)) {
                return colon + 1;
            }
            while (user < at && "(=".indexOf(text.charAt(user)) < 0) {
                user++;
            }
            user++;
        }
        return 0;
    }

    /** Whether {@code //} follows, with or without schemes before it, as in {@code jdbc:mysql://}. */
    private static boolean isBeforeUrl(String text, int start) {
        int scheme = start;
        int next = start;
        while (next < text.length() && (isOfName(text.charAt(next)) || text.charAt(next) == '+')) {
            next++;
            if (next < text.length() && text.charAt(next) == ':') {
                next++;
                scheme = next;
            }
        }
        return text.startsWith("//", scheme);
    }

    /**
     * Finds the values of parameters of a URL, of a connection string or of a login module whose names tell that they are secret. A value in
     * double quotes is found with these.
     *
     * @return in the order of the text; none is empty
     */
    static List<Span> inParameters(String text) {
        List<Span> found = new ArrayList<>();
        int next = 0;
        while (next < text.length()) {
            int name = next;
            while (next < text.length() && isOfName(text.charAt(next))) {
                next++;
            }
            if (next == name) {
                next++;
            } else if (hasSecretWord(text, name, next)) {
                int equals = afterSpace(text, next);
                if (equals < text.length() && text.charAt(equals) == '=') {
                    int value = afterSpace(text, equals + 1);
                    int end = endOfValue(text, value);
                    if (end > value) {
                        found.add(new Span(value, end));
                        next = end;
                    }
                }
            }
        }
        return found;
    }

    private static boolean hasSecretWord(String text, int start, int end) {
        for (int i = start; i < end; i++) {
            if (FIRST_LETTERS.indexOf(text.charAt(i)) < 0) {
                continue;
            }
            for (String word : SECRET_WORDS) {
                if (i + word.length() <= end && text.regionMatches(true, i, word, 0, word.length())) {
                    return true;
                }
            }
        }
        return false;
    }

    private static int endOfValue(String text, int start) {
        if (text.startsWith("\"", start)) {
            int quote = text.indexOf('"', start + 1);
            if (quote > 0) {
                return quote + 1;
            }
        }
        return endOfPart(text, start, "&;,");
    }

    /** Returns the end of the part of a text that has no white space and none of some characters. */
    private static int endOfPart(String text, int start, String ends) {
        int end = start;
        while (end < text.length() && !isSpace(text.charAt(end)) && ends.indexOf(text.charAt(end)) < 0) {
            end++;
        }
        return end;
    }

    /** Returns where the last {@code @} of a part of a text is; -1 if there is none. */
    private static int lastAt(String text, int start, int end) {
        for (int i = end - 1; i >= start; i--) {
            if (text.charAt(i) == '@') {
                return i;
            }
        }
        return -1;
    }

    private static int afterSpace(String text, int start) {
        int end = start;
        while (end < text.length() && isSpace(text.charAt(end))) {
            end++;
        }
        return end;
    }

    private static boolean isSpace(char c) {
        return c == ' ' || c >= '\t' && c <= '\r';
    }

    private static boolean isOfName(char c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '.' || c == '-';
    }
}
