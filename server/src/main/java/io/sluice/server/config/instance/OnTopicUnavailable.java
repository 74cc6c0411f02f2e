package io.sluice.server.config.instance;

/**
 * The reaction to a message whose topic does not exist or may not be written to: {@code canal.mq.onTopicUnavailable}.
 */
public enum OnTopicUnavailable {
    /** The message is retried, with a back-off, until the topic accepts it. */
    RETRY("retry"),
    /** The instance stops. */
    STOP("stop"),
    /** The message is counted and logged, and not delivered. */
    SKIP("skip"),
    /** The message is sent to the dead-letter topic. */
    DEAD_LETTER("deadLetter");

    private final String spelling;

    OnTopicUnavailable(String spelling) {
        this.spelling = spelling;
    }

    /** Returns the value in the configuration. */
    public String spelling() {
        return spelling;
    }
}
