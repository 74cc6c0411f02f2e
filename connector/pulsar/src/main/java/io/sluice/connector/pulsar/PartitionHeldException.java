package io.sluice.connector.pulsar;

import java.time.Duration;
import org.apache.pulsar.client.api.PulsarClientException;

/** Another client has a partition for itself, and keeps it. */
final class PartitionHeldException extends PulsarClientException {
    private static final long serialVersionUID = 1L;

    /** @param seen for how long it has been seen to have it */
    PartitionHeldException(String partition, Duration seen, PulsarClientException cause) {
        super(
                ("another producer has had %s for %d s, longer than the broker keeps a lost connection of this instance: stop that producer, or do"
                                + " without pulsarmq.accessMode=Exclusive: %s")
                        .formatted(partition, seen.toSeconds(), cause.getMessage()));
        initCause(cause);
    }
}
