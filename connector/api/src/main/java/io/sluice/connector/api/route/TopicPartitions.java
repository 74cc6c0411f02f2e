package io.sluice.connector.api.route;

import java.util.OptionalInt;

/** Determines how many partitions a topic has. */
@FunctionalInterface
public interface TopicPartitions {
    /** Has no numbers. */
    TopicPartitions UNKNOWN = topic -> OptionalInt.empty();

    /**
     * How many a topic has; may wait for the broker's answer.
     *
     * @return empty if the topic has no number of its own
     * @throws io.sluice.connector.api.producer.PartitionsUnknownException if it has one that cannot be asked for now
     */
    OptionalInt of(String topic);

    /** Receives the number of partitions that the rules give a topic, if they do, when a table is first routed to it. */
    default void announce(String topic, int partitions) {}
}
