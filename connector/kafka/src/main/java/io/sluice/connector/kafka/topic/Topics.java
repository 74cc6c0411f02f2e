package io.sluice.connector.kafka.topic;

import io.sluice.connector.api.attempt.SendFailure;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.PartitionsUnknownException;
import io.sluice.connector.kafka.failure.KafkaErrors;
import io.sluice.connector.kafka.failure.NoSuchPartitionException;
import io.sluice.connector.kafka.failure.NoSuchTopicException;
import io.sluice.protocol.time.Time;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidMetadataException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Caches how many partitions the topics have, so that a message for one that does not exist is rejected at once: Kafka's
 * producer would wait for it, and retry for ever. Thread-safe.
 */
public final class Topics {
    private static final int NO_PARTITION = -1;
    private static final Pattern NAME = Pattern.compile("(?!\\.{1,2}$)[a-zA-Z0-9._-]{1,249}");

    /** How long the brokers are not asked again about a topic after they have not told; a batch and then its messages would wait for the same. */
    private static final Duration REST = Duration.ofMillis(100);

    /** How long they are not asked again about a topic that does not exist: there may be many messages for it. */
    private static final Duration REST_IF_MISSING = Duration.ofSeconds(30);

    private final Map<String, Integer> counts = new ConcurrentHashMap<>();
    private final Map<String, Refusal> refusals = new ConcurrentHashMap<>();
    private final MissingTopics missing;
    private final Time time;

    /** Why the partitions of a topic are not known, and until when that is not to be asked again; by {@link Time#nanos}. */
    private record Refusal(KafkaException cause, long endNanos) {}

    /** Knows of no topic. */
    public Topics(Time time) {
        this.missing = new MissingTopics(time);
        this.time = time;
    }

    /** Whether a topic is known to have a partition. */
    public boolean isKnown(String topic, int partition) {
        Integer known = counts.get(topic);
        return known != null && partition >= 0 && partition < known;
    }

    /**
     * Asks the brokers about a topic's partitions when it is new, or has too few of them; waits for an answer no longer than
     * {@code max.block.ms}.
     *
     * @throws InvalidTopicException if no topic can have that name
     * @throws NoSuchPartitionException if the topic does not have the partition
     * @throws NoSuchTopicException if the topic has not existed for some time
     * @throws KafkaException if the brokers do not answer, or know no such topic now
     */
    public void requirePartition(TopicMetadata metadata, String topic, int partition) {
        if (isKnown(topic, partition)) {
            return;
        }
        requireName(topic);
        int count = ask(metadata, topic, partition);
        counts.put(topic, count);
        if (partition < 0 || partition >= count) {
            throw new NoSuchPartitionException(topic, partition, count);
        }
    }

    private int ask(TopicMetadata metadata, String topic, int partition) {
        long now = time.nanos();
        Refusal before = refusals.get(topic);
        if (before != null && before.endNanos() - now > 0) {
            throw before.cause();
        }
        boolean isOverdue = missing.isOverdue(topic);
        try {
            int count = isOverdue ? metadata.partitionsOfMissing(topic) : metadata.partitionsOf(topic);
            if (partition >= count && !isOverdue) {
                count = metadata.newestPartitionsOf(topic);
            }
            missing.found(topic);
            refusals.remove(topic);
            return count;
        } catch (TimeoutException e) {
            boolean isUnknown = e.getCause() instanceof UnknownTopicOrPartitionException;
            if (isUnknown) {
                missing.notFound(topic, now);
            } else {
                missing.found(topic); // brokers that start may not know it, and say so only for that reason
            }
            boolean isMissing = isUnknown && isOverdue;
            KafkaException cause = isMissing ? new NoSuchTopicException(topic, MissingTopics.GRACE, e) : e;
            Duration rest = isMissing ? REST_IF_MISSING : REST;
            refusals.put(topic, new Refusal(cause, time.nanos() + rest.toNanos()));
            throw cause;
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
    public void noteFailure(String topic, Exception failure) {
        if (failure instanceof TimeoutException
                || failure instanceof InvalidMetadataException
                || failure instanceof NoSuchPartitionException) {
            counts.remove(topic);
        }
    }

    /**
     * How many partitions a topic has.
     *
     * @throws PartitionsUnknownException if the brokers do not answer, or know no such topic, or its messages cannot be sent either
     */
    public int partitionsOf(TopicMetadata metadata, String topic) {
        try {
            requireName(topic);
            return ask(metadata, topic, NO_PARTITION);
        } catch (KafkaException e) {
            SendFailure failure = KafkaErrors.classify(e);
            throw new PartitionsUnknownException(topic, failure.cause(), failure.kind());
        } catch (IllegalStateException e) { // the producer was closed, and the next one may be asked
            throw new PartitionsUnknownException(topic, e, FailureKind.PASSING);
        }
    }
}
