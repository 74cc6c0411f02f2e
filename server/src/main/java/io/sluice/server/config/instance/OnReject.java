package io.sluice.server.config.instance;

/** The reaction to a message that the broker rejects for its size or content: {@code canal.mq.onReject}. */
public enum OnReject {
    /** The instance stops. */
    STOP("stop"),
    /** The message is counted and logged, and not delivered. */
    SKIP("skip"),
    /** The message is sent to the dead-letter topic. */
    DEAD_LETTER("deadLetter");

    private final String spelling;

    OnReject(String spelling) {
        this.spelling = spelling;
    }

    /** Returns the value in the configuration. */
    public String spelling() {
        return spelling;
    }
}
