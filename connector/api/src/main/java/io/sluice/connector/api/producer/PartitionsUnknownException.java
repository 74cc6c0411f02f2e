package io.sluice.connector.api.producer;

/**
 * How many partitions a topic has is not known now, and may be known later. Rows that were spread over another number meanwhile would be in
 * other partitions than later changes of the same rows. Immutable.
 */
public final class PartitionsUnknownException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final FailureKind kind;

    /**
     * For one topic, since the broker cannot be asked now.
     *
     * @param topic the topic, as the broker gets it
     * @param reason why that is not known
     */
    public PartitionsUnknownException(String topic, String reason) {
        super(text(topic, reason));
        this.kind = FailureKind.PASSING;
    }

    /**
     * For one topic.
     *
     * @param topic the topic, as the broker gets it
     * @param cause why that is not known, as it is shown to the operator
     * @param kind what a message for the topic would fail with now: {@link FailureKind#PASSING} if the broker cannot be asked,
     *     {@link FailureKind#TOPIC_UNAVAILABLE}, or {@link FailureKind#BROKEN}; then a {@link NotAdmittedException} as the cause counts as a failed
     *     login
     */
    public PartitionsUnknownException(String topic, Exception cause, FailureKind kind) {
        super(text(topic, String.valueOf(cause.getMessage())), cause);
        this.kind = kind;
    }

    private static String text(String topic, String reason) {
        return "the number of partitions of topic %s is not known: %s".formatted(topic, reason);
    }

    /** What a message for the topic would fail with now. */
    public FailureKind kind() {
        return kind;
    }
}
