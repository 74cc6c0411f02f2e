package io.sluice.connector.kafka.produce;

import org.jspecify.annotations.Nullable;

/**
 * By which brokers know an idempotent producer.
 *
 * <p>After a failure, requests may still be on their way: in a socket, or in a broker that is slow. The connection that follows
 * continues the id with the next epoch, so a broker rejects such a request as soon as it has a record of the new epoch in that
 * partition (KIP-360).
 */
public record ProducerIdAndEpoch(long id, short epoch) {
    /** With the next epoch; null if all epochs of the id are used up, and another id is needed. */
    @Nullable ProducerIdAndEpoch next() {
        return epoch == Short.MAX_VALUE ? null : new ProducerIdAndEpoch(id, (short) (epoch + 1));
    }
}
