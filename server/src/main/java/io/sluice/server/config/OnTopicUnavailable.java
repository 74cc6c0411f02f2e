package io.sluice.server.config;

/**
 * What becomes of a record whose topic does not exist or may not be written to: {@code canal.mq.onTopicUnavailable}.
 */
public enum OnTopicUnavailable {
    /** It is sent again, with pauses, until the topic takes it. */
    RETRY("retry"),
    /** The instance stops. */
    STOP("stop"),
    /** It is counted, logged and passed over. */
    SKIP("skip"),
    /** It goes to another topic. */
    DEAD_LETTER("deadLetter");

    private final String spelling;

    OnTopicUnavailable(String spelling) {
        this.spelling = spelling;
    }

    public String spelling() {
        return spelling;
    }
}
