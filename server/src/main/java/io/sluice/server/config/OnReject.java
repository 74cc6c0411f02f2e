package io.sluice.server.config;

/** The reaction to a message that the broker rejects for its size or content: {@code canal.mq.onReject}. */
public enum OnReject {
    /** The instance stops. */
    STOP("stop"),
    /** The message is counted, logged and skipped. */
    SKIP("skip"),
    /** The message goes to another topic. */
    DEAD_LETTER("deadLetter");

    private final String spelling;

    OnReject(String spelling) {
        this.spelling = spelling;
    }

    public String spelling() {
        return spelling;
    }
}
