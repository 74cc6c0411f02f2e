package io.sluice.connector.kafka.topic;

import io.sluice.connector.api.attempt.SendFailure;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.NotAdmittedException;
import io.sluice.connector.api.producer.PartitionsUnknownException;
import io.sluice.connector.kafka.failure.KafkaErrors;
import io.sluice.connector.kafka.failure.NoSuchPartitionException;
import io.sluice.connector.kafka.failure.NoSuchTopicException;
import io.sluice.protocol.time.Time;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;
import java.util.regex.Pattern;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidMetadataException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Caches how many partitions the topics have, so that a message for one that does not exist is rejected at once: Kafka's
 * producer would wait for it, and retry for ever. Thread-safe.
 */
public final class Topics {
    private static final int NO_PARTITION = -1;
    private static final int ALL_PARTITIONS = Integer.MIN_VALUE;
    private static final Pattern NAME = Pattern.compile("(?!\\.{1,2}$)[a-zA-Z0-9._-]{1,249}");

    /** How long the brokers are not asked again about a topic after they have not answered; a batch and then its messages would wait for the same. */
    private static final Duration BACK_OFF = Duration.ofMillis(100);

    /** How long they are not asked again about a topic that is unavailable: there may be many messages for it. */
    private static final Duration BACK_OFF_IF_UNAVAILABLE = Duration.ofSeconds(30);

    /**
     * How long nothing is sent to a topic, nor are they asked about it, if the right to it was revoked: each batch that a broker rejects costs a
     * connection. Shorter than the longest back-off of retries, so that these find a right that is granted again as soon as without it.
     */
    private static final Duration BACK_OFF_IF_REVOKED = Duration.ofSeconds(5);

    private final Map<String, Integer> counts = new ConcurrentHashMap<>();

    /** The largest numbers that were stated. */
    private final Map<String, Integer> largest = new ConcurrentHashMap<>();

    private final Map<String, Unavailability> unavailable = new ConcurrentHashMap<>();
    private final MissingTopics missing;

    /** Topics that have had more partitions than the brokers state now. */
    private final MissingTopics fewer;

    private final Time time;

    /**
     * Why messages for a topic cannot be sent, and until when that is not to be asked again.
     *
     * @param cause by the partition of a message
     * @param firstPartition that one and all after it are concerned
     * @param endNanos by {@link Time#nanos}
     */
    private record Unavailability(IntFunction<KafkaException> cause, int firstPartition, long endNanos) {
        boolean holds(int partition, long now) {
            return partition >= firstPartition && endNanos - now > 0;
        }
    }

    /** Knows of no topic. */
    public Topics(Time time) {
        this.missing = new MissingTopics(time);
        this.fewer = new MissingTopics(time);
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
     * @throws NoSuchPartitionException if the topic does not have the partition, and has not had it for some time
     * @throws NoSuchTopicException if the topic has not existed for some time
     * @throws KafkaException if the brokers do not answer, or know no such topic or partition now, or do not answer this user
     */
    public void requirePartition(TopicMetadata metadata, String topic, int partition) {
        if (isKnown(topic, partition)) {
            return;
        }
        requireName(topic);
        int count = ask(metadata, topic, partition);
        counts.put(topic, count);
        if (partition < 0) {
            throw new NoSuchPartitionException(topic, partition, count);
        }
        if (partition >= count) {
            throw refuseFrom(topic, partition, count);
        }
    }

    /**
     * A broker that lags behind the controller states a former number, and a topic that is deleted and created may have fewer: that there are fewer
     * than before counts only when it has lasted.
     */
    private KafkaException refuseFrom(String topic, int partition, int count) {
        if (fewer.isOverdue(topic)) {
            largest.put(topic, count);
            fewer.found(topic);
        }
        int before = largest.getOrDefault(topic, count);
        IntFunction<KafkaException> cause = asked -> missingPartition(topic, asked, count, before);
        if (partition < before) {
            fewer.notFound(topic, time.nanos());
            noteUnavailable(topic, count, cause, BACK_OFF);
        } else {
            noteUnavailable(topic, before, cause, BACK_OFF_IF_UNAVAILABLE);
        }
        return cause.apply(partition);
    }

    private static KafkaException missingPartition(String topic, int partition, int count, int before) {
        return partition < before
                ? new TimeoutException(
                        "topic %s has no partition %d now: the brokers have stated %d partitions, and state %d"
                                .formatted(topic, partition, before, count))
                : new NoSuchPartitionException(topic, partition, count);
    }

    private KafkaException noteAllUnavailable(String topic, KafkaException cause, Duration backOff) {
        noteUnavailable(topic, ALL_PARTITIONS, partition -> cause, backOff);
        return cause;
    }

    /** Has the brokers not asked for a time about some partitions of a topic. */
    private void noteUnavailable(
            String topic, int firstPartition, IntFunction<KafkaException> cause, Duration backOff) {
        unavailable.put(topic, new Unavailability(cause, firstPartition, time.nanos() + backOff.toNanos()));
    }

    private int ask(TopicMetadata metadata, String topic, int partition) {
        long now = time.nanos();
        Unavailability before = unavailable.get(topic);
        if (before != null && before.holds(partition, now)) {
            throw before.cause().apply(partition);
        }
        boolean isOverdue = missing.isOverdue(topic);
        try {
            int count = isOverdue ? metadata.partitionsOfMissing(topic) : metadata.partitionsOf(topic);
            if (partition >= count && !isOverdue) {
                count = metadata.newestPartitionsOf(topic);
            }
            missing.found(topic);
            largest.merge(topic, count, Math::max);
            if (count >= largest.getOrDefault(topic, count)) {
                fewer.found(topic);
            }
            unavailable.remove(topic);
            return count;
        } catch (TimeoutException e) {
            boolean isUnknown = e.getCause() instanceof UnknownTopicOrPartitionException;
            if (isUnknown) {
                missing.notFound(topic, now);
            } else {
                missing.found(
                        topic); // brokers that start may not know it, and report it as missing only for that reason
            }
            boolean isMissing = isUnknown && isOverdue;
            KafkaException cause = isMissing ? new NoSuchTopicException(topic, MissingTopics.GRACE, e) : e;
            throw noteAllUnavailable(topic, cause, isUnavailable(cause) ? BACK_OFF_IF_UNAVAILABLE : BACK_OFF);
        } catch (KafkaException e) {
            if (!isUnavailable(e)) {
                throw e;
            }
            boolean isRevoked = e instanceof TopicAuthorizationException && largest.containsKey(topic);
            throw noteAllUnavailable(topic, e, isRevoked ? BACK_OFF_IF_REVOKED : BACK_OFF_IF_UNAVAILABLE);
        }
    }

    private static boolean isUnavailable(KafkaException failure) {
        return KafkaErrors.kindOf(failure) == FailureKind.TOPIC_UNAVAILABLE;
    }

    /** Whether a topic can have that name. */
    public static boolean isName(String topic) {
        return NAME.matcher(topic).matches();
    }

    private static void requireName(String topic) {
        if (!isName(topic)) {
            throw new InvalidTopicException(
                    "'%s' cannot be the name of a topic: 1 to 249 ASCII letters, digits, '.', '_' and '-' are allowed"
                            .formatted(topic));
        }
    }

    /**
     * Has the brokers asked again about a topic to which a record could not be sent, for a reason that a partition that does not exist any more
     * may have, as the topic was deleted and created with fewer, or since the user may not write to it, and perhaps not see it either.
     */
    public void noteFailure(String topic, Exception failure) {
        if (failure instanceof TimeoutException
                || failure instanceof InvalidMetadataException
                || failure instanceof NoSuchPartitionException
                || failure instanceof TopicAuthorizationException) {
            counts.remove(topic);
        }
    }

    /** Has nothing sent for a time to a topic of which a broker has rejected a batch, whatever partitions the topic has. */
    public void noteRejection(String topic, TopicAuthorizationException failure) {
        KafkaException unused = noteAllUnavailable(topic, failure, BACK_OFF_IF_REVOKED);
        counts.remove(topic);
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
        } catch (KafkaException | NotAdmittedException e) {
            SendFailure failure = KafkaErrors.classify(e);
            throw new PartitionsUnknownException(topic, failure.cause(), failure.kind());
        } catch (IllegalStateException e) { // the producer was closed, and the next one may be asked
            throw new PartitionsUnknownException(topic, e, FailureKind.PASSING);
        }
    }
}
