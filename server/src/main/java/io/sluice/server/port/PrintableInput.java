package io.sluice.server.port;

import io.sluice.protocol.text.PrintableText;

/** Makes what a client sent fit for a log line or an answer: short, and on one line. */
public final class PrintableInput {
    private static final int MAX_CHARACTERS = 200;

    private PrintableInput() {}

    /** A text of at most 200 characters and an ellipsis, without control characters. */
    public static String text(String text) {
        String start = text.length() > MAX_CHARACTERS ? text.substring(0, MAX_CHARACTERS) + "…" : text;
        return PrintableText.line(start).replace('\t', ' ');
    }
}
