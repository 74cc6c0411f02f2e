package io.sluice.server.port;

/** What a client sent, made fit for a log line or an answer: short, and on one line. */
public final class Shown {
    private static final int LONGEST = 200;

    private Shown() {}

    /** A text of at most 200 characters and an ellipsis, without control characters. */
    public static String text(String text) {
        String start = text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text;
        return start.replaceAll("\\p{Cntrl}", " ");
    }
}
