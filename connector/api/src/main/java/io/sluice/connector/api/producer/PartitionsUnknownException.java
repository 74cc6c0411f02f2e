package io.sluice.connector.api.producer;

/**
 * How many partitions a topic has is not known now, and may be known later, since the broker cannot be asked. Rows that were spread over another
 * number meanwhile would be in other partitions than later changes of the same rows.
 */
public final class PartitionsUnknownException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * For one topic.
     *
     * @param topic the topic, as the broker gets it
     * @param reason why that is not known
     */
    public PartitionsUnknownException(String topic, String reason) {
        super("the number of partitions of topic %s is not known: %s".formatted(topic, reason));
    }
}
