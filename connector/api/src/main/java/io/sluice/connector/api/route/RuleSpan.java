package io.sluice.connector.api.route;

import io.sluice.protocol.pattern.MarkedSyntaxException;

/**
 * A rule, or a part of one, and where it is.
 *
 * @param list the whole text of the key
 * @param from where it begins in it
 * @param to where it ends, exclusive
 */
record RuleSpan(String list, int from, int to) {
    String text() {
        return list.substring(from, to);
    }

    int length() {
        return to - from;
    }

    boolean isEmpty() {
        return from == to;
    }

    /** Its column in the text, from 1. */
    int column() {
        return from + 1;
    }

    RuleSpan sub(int start, int end) {
        return new RuleSpan(list, start, end);
    }

    /** Without blanks on either side. */
    RuleSpan strip() {
        int start = from;
        int end = to;
        while (start < end && Character.isWhitespace(list.charAt(start))) {
            start++;
        }
        while (end > start && Character.isWhitespace(list.charAt(end - 1))) {
            end--;
        }
        return new RuleSpan(list, start, end);
    }

    /** Creates an error at its beginning. */
    MarkedSyntaxException wrong(String what) {
        return new MarkedSyntaxException(list, from, what);
    }
}
