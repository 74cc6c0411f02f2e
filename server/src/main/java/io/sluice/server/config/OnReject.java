package io.sluice.server.config;

/** What becomes of a record that the broker refuses for its size or content: {@code canal.mq.onReject}. */
public enum OnReject {
    /** The instance stops. */
    STOP("stop"),
    /** It is counted, logged and passed over. */
    SKIP("skip"),
    /** It goes to another topic. */
    DEAD_LETTER("deadLetter");

    private final String spelling;

    OnReject(String spelling) {
        this.spelling = spelling;
    }

    public String spelling() {
        return spelling;
    }
}
