package io.sluice.connector.kafka;

import io.sluice.connector.api.attempt.Attempt;
import io.sluice.connector.api.attempt.BrokerConnection;
import io.sluice.connector.api.attempt.NotSentException;
import io.sluice.connector.api.attempt.SendFailure;
import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.Ownership;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/**
 * Sends records to the given partitions by a {@link org.apache.kafka.clients.producer.KafkaProducer}.
 *
 * <p>Kafka's producer continues after a record that failed: those that it buffers are sent as soon as the broker takes them.
 * So the first failure ends the attempt on the thread that sends, before anything more leaves, and the producer is closed with all
 * that it buffers. The same happens with the first answer of the broker after the ownership is lost. What is on its way to the
 * broker by then is taken only in an unbroken sequence, if the producer is idempotent, and the broker knows where it begins: so the
 * first record for each partition travels alone.
 *
 * <p>A record that is rejected when it is handed over only halts the attempt.
 */
final class KafkaConnection implements BrokerConnection {
    private final Attempt attempt;
    private final Producer<byte[], byte[]> kafka;
    private final @Nullable ProducerIdentity former;
    private final KafkaBroker broker;
    private final Ownership ownership;
    private final RecordMaker records;
    private final Topics topics;
    private final Set<TopicPartition> begun = ConcurrentHashMap.newKeySet();

    private volatile boolean isPrepared;

    /**
     * Takes a producer that was given nothing.
     *
     * @param former the identity to continue; null if there is none
     */
    KafkaConnection(
            Attempt attempt, Producer<byte[], byte[]> kafka, @Nullable ProducerIdentity former, KafkaBroker broker) {
        this.attempt = attempt;
        this.kafka = kafka;
        this.former = former;
        this.isPrepared = former == null;
        this.broker = broker;
        this.ownership = broker.ownership();
        this.records = broker.records();
        this.topics = broker.topics();
    }

    Producer<byte[], byte[]> kafka() {
        return kafka;
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the callback is told the same
    public void send(Message message, DeliveryCallback callback) {
        if (!topics.isKnown(message.topic(), message.partition())) {
            topics.requirePartition(kafka, message.topic(), message.partition());
            if (!ownership.isHeld()) { // to ask may have taken long
                throw NotSentException.notOwned();
            }
        }
        if (!isPrepared) {
            continueIdentity();
        }
        Thread caller = Thread.currentThread();
        kafka.send(records.recordOf(message), (metadata, failure) -> {
            if (failure == null) {
                if (!ownership.isHeld()) {
                    attempt.end(NotSentException.notOwned());
                }
                callback.delivered();
                return;
            }
            SendFailure told = KafkaErrors.classify(failure);
            if (Thread.currentThread() == caller) {
                attempt.halt(failure);
            } else {
                attempt.end(failure);
            }
            callback.failed(told.cause(), told.kind());
        });
        awaitFirst(new TopicPartition(message.topic(), message.partition()));
    }

    private synchronized void continueIdentity() {
        if (!isPrepared && former != null) {
            former.passTo(kafka, broker.maxBlock(), broker.time());
            isPrepared = true;
        }
    }

    /**
     * Waits for the answer to the first record for a partition. A broker that has taken nothing of a producer yet takes
     * whatever comes first, be it what was sent after a record that it has rejected.
     */
    private void awaitFirst(TopicPartition partition) {
        if (attempt.failure() != null || begun.contains(partition)) {
            return;
        }
        try {
            kafka.flush();
            if (attempt.failure() == null) {
                begun.add(partition);
            }
        } catch (InterruptException e) { // sets the thread's flag; the record has been taken
            attempt.halt(e);
        }
    }

    @Override
    public void flush() throws InterruptedException {
        try {
            kafka.flush();
        } catch (InterruptException e) {
            throw asInterrupted(e);
        }
    }

    /** Kafka's producer has no flush with a limit, but its close has one. */
    @Override
    public void settle(Duration limit) throws InterruptedException {
        try {
            kafka.close(limit);
        } catch (InterruptException e) {
            throw asInterrupted(e);
        }
    }

    /** Kafka sets the thread's flag besides its exception; ours stands for both. */
    private static InterruptedException asInterrupted(InterruptException e) {
        boolean unused = Thread.interrupted();
        InterruptedException interrupted = new InterruptedException(e.getMessage());
        interrupted.initCause(e);
        return interrupted;
    }

    /** On the producer's own thread: it sends nothing more then, and fails what is left. */
    @Override
    public void cut(Exception cause) {
        kafka.close(Duration.ZERO);
    }

    /** Waits until the producer's thread has ended, after {@link #cut}. */
    void awaitEnd() {
        kafka.close(Duration.ZERO);
    }

    /** What the next connection continues. The producer's thread has ended, so it does not change any more. */
    @Nullable ProducerIdentity identity() {
        ProducerIdentity own = isPrepared ? ProducerIdentity.of(kafka) : null;
        return own == null ? former : own;
    }
}
