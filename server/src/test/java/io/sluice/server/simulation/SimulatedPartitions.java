package io.sluice.server.simulation;

import io.sluice.connector.api.producer.PartitionsUnknownException;
import io.sluice.connector.api.route.TopicPartitions;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;

/** How many partitions the topic has at the broker: the number grows now and then, and cannot be asked for at times. */
final class SimulatedPartitions implements TopicPartitions {
    private static final String SCHEMA = "shop";

    private final Set<Integer> counts = new TreeSet<>();
    private int count;
    private boolean isUnknown;

    SimulatedPartitions(int first) {
        grow(first);
    }

    void grow(int more) {
        count += more;
        counts.add(count);
    }

    int count() {
        return count;
    }

    void setUnknown(boolean unknown) {
        isUnknown = unknown;
    }

    @Override
    public OptionalInt of(String topic) {
        if (isUnknown) {
            throw new PartitionsUnknownException(topic, "the broker does not answer");
        }
        return OptionalInt.of(count);
    }

    /** Requires that a row with this key may be in a partition: with a number of partitions that the topic has, or has had. */
    void require(int key, int partition) {
        int hash = SCHEMA.hashCode() ^ String.valueOf(key).hashCode();
        if (counts.stream().noneMatch(of -> Math.abs(hash % of) == partition)) {
            throw new Violation(
                    "image %d is in partition %d, with numbers of partitions %s".formatted(key, partition, counts));
        }
    }
}
