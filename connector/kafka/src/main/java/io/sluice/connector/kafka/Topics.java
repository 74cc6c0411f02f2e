package io.sluice.connector.kafka;

import io.sluice.connector.kafka.produce.NoSuchPartitionException;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidMetadataException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Caches how many partitions the topics have, so that a message for one that does not exist is rejected at once: Kafka's
 * producer would wait for it, and retry for ever. Thread-safe.
 */
final class Topics {
    private static final Logger LOG = LoggerFactory.getLogger(Topics.class);
    private static final Pattern NAME = Pattern.compile("(?!\\.{1,2}$)[a-zA-Z0-9._-]{1,249}");

    private final Map<String, Integer> counts = new ConcurrentHashMap<>();

    /** Whether a topic is known to have a partition. */
    boolean isKnown(String topic, int partition) {
        Integer known = counts.get(topic);
        return known != null && partition >= 0 && partition < known;
    }

    /**
     * Asks the brokers about a topic's partitions when it is new, or has too few of them; waits for an answer no longer than
     * {@code max.block.ms}.
     *
     * @throws InvalidTopicException if no topic can have that name
     * @throws NoSuchPartitionException if the topic does not have the partition
     * @throws KafkaException if the brokers do not answer, or know no such topic
     */
    void requirePartition(TopicMetadata metadata, String topic, int partition) {
        if (isKnown(topic, partition)) {
            return;
        }
        requireName(topic);
        int count = metadata.partitionsOf(topic);
        if (partition >= count) {
            count = metadata.newestPartitionsOf(topic);
        }
        counts.put(topic, count);
        if (partition < 0 || partition >= count) {
            throw new NoSuchPartitionException(topic, partition, count);
        }
    }

    private static void requireName(String topic) {
        if (!NAME.matcher(topic).matches()) {
            throw new InvalidTopicException(
                    "'%s' cannot be the name of a topic: 1 to 249 ASCII letters, digits, '.', '_' and '-' are allowed"
                            .formatted(topic));
        }
    }

    /**
     * Has the brokers asked again about a topic to which a record could not be sent, for a reason that a partition that does not exist any more
     * may have: the topic was deleted and created with fewer.
     */
    void noteFailure(String topic, Exception failure) {
        if (failure instanceof TimeoutException
                || failure instanceof InvalidMetadataException
                || failure instanceof NoSuchPartitionException) {
            counts.remove(topic);
        }
    }

    /** How many partitions a topic has; empty if the brokers do not answer, or know no such topic. */
    OptionalInt partitionsOf(TopicMetadata metadata, String topic) {
        try {
            requireName(topic);
            return OptionalInt.of(metadata.partitionsOf(topic));
        } catch (KafkaException | IllegalStateException e) { // the latter of a producer that was closed
            LOG.warn("the partitions of a topic are not known: topic={} cause={}", topic, e.getMessage());
            return OptionalInt.empty();
        }
    }
}
