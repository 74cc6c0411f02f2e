package io.sluice.connector.kafka.produce;

import org.apache.kafka.common.errors.TimeoutException;

/** A batch was not acknowledged within {@code delivery.timeout.ms}. */
public final class DeliveryTimeoutException extends TimeoutException {
    private static final long serialVersionUID = 1L;

    private final String topic;

    DeliveryTimeoutException(String topic, int partition, long timeoutMillis) {
        super("not acknowledged within %d ms: topic %s, partition %d".formatted(timeoutMillis, topic, partition));
        this.topic = topic;
    }

    public String topic() {
        return topic;
    }
}
