package io.sluice.connector.api.deliver;

import io.sluice.store.ring.BatchLimit;
import java.time.Duration;
import java.util.OptionalInt;

/**
 * How a sender takes batches from its store.
 *
 * @param instance the instance's name, for logs
 * @param batchLimit {@code canal.mq.canalBatchSize}, by the store's batch mode: how large a batch is at most
 * @param getTimeout {@code canal.mq.canalGetTimeout}: how long one get of an idle store lasts, and so how late the acks of
 *     an idle stream are at most; more than 0, and 200 ms if it is more. Entries that are there never wait, while canal waits
 *     that long for a full batch
 * @param maxInFlight {@code canal.mq.inflight.batches}: how many batches may be taken from the store and not yet acked;
 *     empty: as many as the time of the broker's answers asks for
 * @param answerLimit {@code canal.mq.answer.timeout}: after how long without any answer of the broker the attempt is
 *     abandoned, and its messages are sent again; zero for no limit
 */
public record SenderConfig(
        String instance, BatchLimit batchLimit, Duration getTimeout, OptionalInt maxInFlight, Duration answerLimit) {
    public static final Duration DEFAULT_ANSWER_LIMIT = Duration.ofMinutes(5);

    /** With a fixed number of batches, and the default answer limit. */
    public SenderConfig(String instance, BatchLimit batchLimit, Duration getTimeout, int maxInFlight) {
        this(instance, batchLimit, getTimeout, OptionalInt.of(maxInFlight), DEFAULT_ANSWER_LIMIT);
    }

    public SenderConfig {
        if (getTimeout.isZero() || getTimeout.isNegative()) {
            throw new IllegalArgumentException("the get timeout of a sender is not more than 0: " + getTimeout);
        }
        if (answerLimit.isNegative()) {
            throw new IllegalArgumentException("canal.mq.answer.timeout is less than 0: " + answerLimit);
        }
        if (maxInFlight.orElse(1) < 1) {
            throw new IllegalArgumentException("canal.mq.inflight.batches is less than 1: " + maxInFlight.getAsInt());
        }
    }
}
