package io.sluice.connector.kafka.produce;

import io.sluice.connector.kafka.failure.DeliveryTimeoutException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** Ends a loop when a partition has had batches for {@code delivery.timeout.ms}, of which none was acknowledged. For the loop's thread alone. */
final class ProgressTimeout {
    private static final long MILLI = 1_000_000;

    private final Cluster cluster;
    private final PartitionQueues queues;
    private final AnswerTimes answerTimes;
    private final MessageAnswers answers;
    private final long limitNanos;

    private long nextCheckNanos;

    /**
     * Checks nothing yet.
     *
     * @param now when to check first
     */
    ProgressTimeout(
            Cluster cluster,
            ProduceOptions options,
            PartitionQueues queues,
            AnswerTimes answerTimes,
            MessageAnswers answers,
            long now) {
        this.cluster = cluster;
        this.queues = queues;
        this.answerTimes = answerTimes;
        this.answers = answers;
        this.limitNanos = options.deliveryTimeout().toNanos();
        this.nextCheckNanos = now;
    }

    /** Ends the loop if a partition makes no progress in time; returns after how many milliseconds to check again. */
    long check(long now) {
        if (nextCheckNanos - now > 0) {
            return (nextCheckNanos - now) / MILLI + 1;
        }
        long next = now + limitNanos;
        for (PartitionQueue queue : queues.all()) {
            Long since = progressOf(queue, now - limitNanos);
            if (since != null && now - since >= limitNanos) {
                answers.fail(queue, failureOf(queue));
                return 0;
            }
            next = since == null || since + limitNanos - next > 0 ? next : since + limitNanos;
        }
        nextCheckNanos = next;
        return (next - now) / MILLI + 1;
    }

    /**
     * Since when a partition has made no progress, later than now during a pause by which its broker keeps a quota. What was never sent waits its
     * turn while the broker answers others.
     */
    private @Nullable Long progressOf(PartitionQueue queue, long oldestAllowed) {
        Long since = queue.progressNanos();
        if (since == null || since - oldestAllowed > 0) {
            return since;
        }
        Node leader = cluster.knownLeaderOf(new TopicPartition(queue.topic(), queue.partition()));
        if (leader == null) {
            return since;
        }
        Long answered = queue.isNothingSent() ? answerTimes.lastOf(leader.idString()) : null;
        return AnswerTimes.later(AnswerTimes.later(since, answered), answerTimes.throttleEndOf(leader.idString()));
    }

    /** The failure of batches that are not acknowledged in time, with what has kept them from it. */
    DeliveryTimeoutException failureOf(PartitionQueue queue) {
        KafkaException obstacle = cluster.obstacleTo(new TopicPartition(queue.topic(), queue.partition()));
        return new DeliveryTimeoutException(
                queue.topic(),
                queue.partition(),
                TimeUnit.NANOSECONDS.toMillis(limitNanos),
                obstacle == null ? queue.newestFailure() : obstacle);
    }
}
