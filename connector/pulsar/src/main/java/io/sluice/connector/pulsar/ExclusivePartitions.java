package io.sluice.connector.pulsar;

import io.sluice.protocol.time.Time;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.pulsar.client.api.PulsarClientException;

/**
 * The partitions of an instance whose producers are of mode {@code Exclusive}, and which of them another producer has.
 *
 * <p>That may be an earlier producer of this destination whose connection the broker takes for open, as after a loss of power: it passes. A producer that stays is another client's, and
 * the one of both that the broker knew first would change whenever it loses its connection. So the instance gives up after a limit: that of
 * {@link ProducerNames}, which is longer where this process had the partition. Only time counts in which the partition is seen to be taken. Thread-safe.
 */
final class ExclusivePartitions {
    private final TakenPartitions taken;
    private final Set<String> held = ConcurrentHashMap.newKeySet();

    /** No partition has a producer yet. */
    ExclusivePartitions(Time time) {
        this.taken = new TakenPartitions(time);
    }

    /** Notes that the broker has made a partition's producer. */
    void made(String partition) {
        taken.free(partition);
        held.add(partition);
    }

    /**
     * Notes that another producer has a partition.
     *
     * @param cause the answer of the broker
     * @return the same while that may pass; {@link PartitionHeldException} if it does not
     */
    PulsarClientException refused(String partition, PulsarClientException.ProducerFencedException cause) {
        Duration seen = taken.seen(partition);
        Duration limit = held.contains(partition) ? ProducerNames.LIMIT_OF_OURS : ProducerNames.LIMIT;
        return seen.compareTo(limit) < 0 ? cause : new PartitionHeldException(partition, seen, cause);
    }
}
