package io.sluice.connector.kafka.client;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.connector.api.attempt.Attempt;
import io.sluice.connector.api.attempt.BrokerConnection;
import io.sluice.connector.api.attempt.NotSentException;
import io.sluice.connector.api.attempt.SendFailure;
import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.NotAdmittedException;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.connector.kafka.failure.KafkaErrors;
import io.sluice.connector.kafka.settings.BatchSizing;
import io.sluice.connector.kafka.topic.Topics;
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
 * that it buffers. The same happens with the first answer of the broker after the ownership is lost, or when the sender checks it. What is on its way to the
 * broker by then is taken only in an unbroken sequence, if the producer is idempotent, and the broker knows where it begins: so the
 * first record for each partition travels alone in that partition.
 *
 * <p>When messages go to more partitions than the producer's batches are sized for ({@link BatchSizing}), it is replaced by one with
 * smaller batches, which continues its identity, after all it was given is answered.
 *
 * <p>A record that is rejected when it is handed over only halts the attempt, unless the brokers do not admit the producer.
 */
final class KafkaConnection implements BrokerConnection {
    private final Attempt attempt;
    private final KafkaBroker broker;
    private final Ownership ownership;
    private final RecordMaker records;
    private final Topics topics;
    private final BatchSizing sizing;

    /** Partitions whose first record was handed over, and is not answered yet. */
    private final Set<TopicPartition> first = ConcurrentHashMap.newKeySet();

    /** Partitions of which the broker has taken a record. */
    private final Set<TopicPartition> begun = ConcurrentHashMap.newKeySet();

    private final Object changing = new Object();

    private volatile Producer<byte[], byte[]> kafka;

    private volatile @Nullable KeptProducerId former;
    private volatile boolean isPrepared;

    @GuardedBy("changing") private boolean isCut;

    /**
     * Takes a producer that was given nothing.
     *
     * @param former the identity to continue; null if there is none
     */
    KafkaConnection(
            Attempt attempt, Producer<byte[], byte[]> kafka, @Nullable KeptProducerId former, KafkaBroker broker) {
        this.attempt = attempt;
        this.kafka = kafka;
        this.former = former;
        this.isPrepared = former == null;
        this.broker = broker;
        this.ownership = broker.ownership();
        this.records = broker.records();
        this.topics = broker.topics();
        this.sizing = broker.sizing();
    }

    Producer<byte[], byte[]> kafka() {
        return kafka;
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the callback gets the same
    public void send(Message message, DeliveryCallback callback) throws InterruptedException {
        if (!topics.isKnown(message.topic(), message.partition())) {
            topics.requirePartition(broker.metadataOf(kafka), message.topic(), message.partition());
            if (!ownership.isHeld()) { // to ask may have taken long
                throw NotSentException.notOwned();
            }
        }
        TopicPartition target = new TopicPartition(message.topic(), message.partition());
        boolean isFirst = !begun.contains(target) && begin(target);
        if (!isPrepared) {
            continueIdentity();
        }
        Thread caller = Thread.currentThread();
        try {
            kafka.send(records.recordOf(message), (metadata, failure) -> {
                if (isFirst) {
                    answerFirst(target, failure == null);
                }
                if (failure == null) {
                    if (!ownership.isHeld()) {
                        attempt.end(NotSentException.notOwned());
                    }
                    callback.delivered();
                    return;
                }
                topics.noteFailure(message.topic(), failure);
                SendFailure told = KafkaErrors.classify(failure);
                if (Thread.currentThread() == caller && !(told.cause() instanceof NotAdmittedException)) {
                    attempt.halt(failure);
                } else {
                    attempt.end(failure);
                }
                callback.failed(told.cause(), told.kind());
            });
        } catch (RuntimeException e) { // thrown instead of the callback
            first.remove(target);
            throw e;
        }
    }

    /**
     * Returns whether the next record is the first one for a partition; waits for the answer to an earlier one. A broker that has
     * taken nothing of a producer yet takes whatever comes first, be it what was sent after a record that it has rejected. The
     * first records of several partitions are on their way together.
     */
    private boolean begin(TopicPartition target) throws InterruptedException {
        sizing.use(target);
        if (sizing.isOutgrown()) {
            replaceProducer();
        }
        if (!first.add(target)) {
            flush();
            requireOpen();
            return !begun.contains(target) && first.add(target);
        }
        return true;
    }

    private void answerFirst(TopicPartition target, boolean isTaken) {
        if (isTaken) {
            begun.add(target);
        }
        first.remove(target);
    }

    private void requireOpen() {
        Exception failure = attempt.failure();
        if (failure != null) {
            throw NotSentException.after(failure);
        }
    }

    /** What fails here ends the attempt: the producer is closed. */
    private synchronized void replaceProducer() throws InterruptedException {
        flush();
        requireOpen();
        kafka.close(Duration.ZERO); // waits until its thread has ended
        KeptProducerId continued = identity();
        Producer<byte[], byte[]> next;
        try {
            next = broker.newProducer();
        } catch (RuntimeException e) { // such as a name that cannot be resolved now
            attempt.end(e);
            throw e;
        }
        synchronized (changing) {
            begun.clear();
            former = continued;
            isPrepared = continued == null;
            kafka = next;
            if (isCut) {
                next.close(Duration.ZERO);
            }
        }
        requireOpen();
    }

    private synchronized void continueIdentity() {
        KeptProducerId continued = former;
        if (!isPrepared && continued != null) {
            continued.passTo(kafka, broker.maxBlock(), broker.time());
            isPrepared = true;
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

    /** Kafka sets the thread's flag besides its exception; the thrown one replaces both. */
    private static InterruptedException asInterrupted(InterruptException e) {
        boolean unused = Thread.interrupted();
        InterruptedException interrupted = new InterruptedException(e.getMessage());
        interrupted.initCause(e);
        return interrupted;
    }

    /** On the producer's own thread: it sends nothing more then, and fails what is left. */
    @Override
    public void cut(Exception cause) {
        Producer<byte[], byte[]> last;
        synchronized (changing) {
            isCut = true;
            last = kafka;
        }
        last.close(Duration.ZERO);
    }

    /** Waits until the producer's thread has ended, after {@link #cut}. */
    void awaitEnd() {
        kafka.close(Duration.ZERO);
    }

    /**
     * What the next connection continues. It does not change any more once the producer is closed, even if its thread hangs: a new epoch is only
     * taken between two requests, of which there is no further one.
     */
    @Nullable KeptProducerId identity() {
        KeptProducerId own = isPrepared ? KeptProducerId.of(kafka) : null;
        return own == null ? former : own;
    }
}
