package io.sluice.connector.api.route;

import io.sluice.connector.api.producer.PartitionsUnknownException;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;

/** Determines how many partitions a topic has. Thread-safe. */
@FunctionalInterface
public interface TopicPartitions {
    /** Has no numbers. */
    TopicPartitions UNKNOWN = topic -> OptionalInt.empty();

    /**
     * How many a topic has; may wait for the broker's answer.
     *
     * @return empty if the topic has no number of its own
     * @throws PartitionsUnknownException if it has one that is not known now
     */
    OptionalInt of(String topic);

    /**
     * How many partitions a topic has, without waiting for the broker: the answer completes the future.
     *
     * @return fails with a {@link PartitionsUnknownException} if the number is not known now
     */
    default CompletableFuture<OptionalInt> ask(String topic) {
        try {
            return CompletableFuture.completedFuture(of(topic));
        } catch (PartitionsUnknownException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Receives the number of partitions that the rules give a topic, if they do, when a table is first routed to it. */
    default void announce(String topic, int partitions) {}
}
