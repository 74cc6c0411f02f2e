package io.sluice.server.config;

/**
 * What becomes of a record whose topic does not exist or may not be written to: {@code canal.mq.onTopicUnavailable}.
 */
public enum OnTopicUnavailable {
    /** The message is sent again, with a back-off, until the topic takes it. */
    RETRY("retry"),
    /** The instance stops. */
    STOP("stop"),
    /** The message is counted, logged and skipped. */
    SKIP("skip"),
    /** The message goes to another topic. */
    DEAD_LETTER("deadLetter");

    private final String spelling;

    OnTopicUnavailable(String spelling) {
        this.spelling = spelling;
    }

    public String spelling() {
        return spelling;
    }
}
