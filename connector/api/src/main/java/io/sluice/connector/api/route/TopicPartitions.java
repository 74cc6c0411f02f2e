package io.sluice.connector.api.route;

import java.util.OptionalInt;

/** Says how many partitions a topic has. */
@FunctionalInterface
public interface TopicPartitions {
    /** Knows nothing. */
    TopicPartitions UNKNOWN = topic -> OptionalInt.empty();

    /**
     * How many a topic has; may wait for the broker's answer.
     *
     * @return empty if that is not known
     */
    OptionalInt of(String topic);

    /** Is told how many partitions the rules give a topic, when a table is first routed to it; not if they do not say. */
    default void announce(String topic, int partitions) {}
}
