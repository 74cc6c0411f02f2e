package io.sluice.connector.api.attempt;

import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.PreparedBatch;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;

/**
 * A broker, as an {@link AttemptProducer} uses it: connects, and classifies failures. Implemented by a broker's module. Safe for
 * use by several threads, except {@link #connect}.
 */
public interface Broker {
    /**
     * Makes the connection of the next attempt. Called by one thread at a time: first when the producer is made, then after
     * {@link BrokerConnection#prepareRestart} of the one before, which has been {@link BrokerConnection#cut cut}.
     *
     * @param attempt the connection halts or ends it when something fails, which may be before this method has returned
     * @throws io.sluice.connector.api.producer.NotAdmittedException if a login cannot be prepared, such as while what gives out tokens is down; also that of
     *     the first attempt is tried again, as one that the broker rejects
     * @throws RuntimeException if there is none now; it is tried again at the next restart
     */
    BrokerConnection connect(Attempt attempt);

    /**
     * Classifies an exception of the broker's client that {@link BrokerConnection#send} has thrown; not called for a
     * {@link SendException} or {@link NotSentException}. Failures that are not known are passing.
     */
    default SendFailure classify(Exception failure) {
        return SendFailure.passing(failure);
    }

    /** See {@link MessageProducer#maxValueBytes}. */
    int maxValueBytes();

    /** See {@link MessageProducer#partitionsOf}. */
    default OptionalInt partitionsOf(String topic) {
        return OptionalInt.empty();
    }

    /** See {@link MessageProducer#announce}. */
    default void announce(String topic, int partitions) {}

    /** See {@link MessageProducer#preparedBytes}. */
    default int preparedBytes() {
        return 0;
    }

    /** See {@link MessageProducer#prepare}. */
    default PreparedBatch prepare(List<Message> messages) {
        return () -> messages;
    }

    /**
     * Frees what all connections share; the last one is cut. Called once.
     *
     * @param limit how long that may take; zero or less if it must not wait
     * @throws InterruptedException if the thread was interrupted; what it holds is freed all the same, perhaps later
     */
    default void close(Duration limit) throws InterruptedException {}
}
