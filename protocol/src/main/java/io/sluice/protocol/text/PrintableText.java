package io.sluice.protocol.text;

import java.util.function.IntPredicate;

/**
 * Makes text from outside, such as the messages of a MySQL server and what clients send, fit for logs and terminals: control characters
 * become spaces, so that it cannot look like lines of its own or control a terminal. Those are the ones of ASCII, the ones from U+0080 to
 * U+009F, and the separators of lines and paragraphs.
 */
public final class PrintableText {
    private PrintableText() {}

    /** Returns a text on one line; tabulators remain. */
    public static String line(String text) {
        return without(text, PrintableText::isControlOfLine);
    }

    /** Returns a text whose tabulators and line feeds remain. */
    public static String lines(String text) {
        return without(text, one -> one != '\n' && isControlOfLine(one));
    }

    private static boolean isControlOfLine(int one) {
        return one != '\t' && (Character.isISOControl(one) || one == '\u2028' || one == '\u2029');
    }

    private static String without(String text, IntPredicate isReplaced) {
        if (text.chars().noneMatch(isReplaced)) {
            return text;
        }
        StringBuilder printable = new StringBuilder(text);
        for (int i = 0; i < printable.length(); i++) {
            if (isReplaced.test(printable.charAt(i))) {
                printable.setCharAt(i, ' ');
            }
        }
        return printable.toString();
    }
}
