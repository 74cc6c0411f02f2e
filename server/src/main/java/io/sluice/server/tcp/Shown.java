package io.sluice.server.tcp;

/** What a client sent, made fit for a log line or an answer: short, and on one line. */
final class Shown {
    private static final int LONGEST = 200;

    private Shown() {}

    static String text(String text) {
        String start = text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text;
        return start.replaceAll("\\p{Cntrl}", " ");
    }
}
