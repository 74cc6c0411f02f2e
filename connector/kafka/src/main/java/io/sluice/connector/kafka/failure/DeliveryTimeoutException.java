package io.sluice.connector.kafka.failure;

import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A batch was not acknowledged within {@code delivery.timeout.ms}. */
public final class DeliveryTimeoutException extends TimeoutException {
    private static final long serialVersionUID = 1L;

    /**
     * Names the partition and the cause.
     *
     * @param cause what has kept the batch from being acknowledged; null if it is not known
     */
    public DeliveryTimeoutException(String topic, int partition, long timeoutMillis, @Nullable KafkaException cause) {
        super(
                "not acknowledged within %d ms: topic %s, partition %d%s"
                        .formatted(timeoutMillis, topic, partition, cause == null ? "" : ": " + cause.getMessage()),
                cause);
    }
}
