package io.sluice.connector.kafka;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.protocol.time.Time;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends records to the given partitions by a {@link org.apache.kafka.clients.producer.KafkaProducer}.
 *
 * <p>When ownership is lost nothing more is taken, and the first answer of the broker after that closes the producer with all
 * that it buffers.
 *
 * <p>Kafka's producer continues after a record that failed: those that it buffers are sent as soon as the broker takes them.
 * So it is closed by the first failure, on the thread that sends, before anything more leaves; what it buffers fails. What
 * is on its way to the broker by then is taken only in an unbroken sequence, if the producer is idempotent, and the broker knows
 * where it begins: so the first record for each partition travels alone. {@link #restart} makes a new producer, which continues
 * the {@link ProducerIdentity} of the one before, so that nothing is stored after its repetition.
 */
final class KafkaMessageProducer implements MessageProducer {
    private static final Logger LOG = LoggerFactory.getLogger(KafkaMessageProducer.class);

    private final Supplier<Producer<byte[], byte[]>> connect;
    private final int maxValueBytes;
    private final Duration maxBlock;
    private final Ownership ownership;
    private final Time time;
    private final RecordMaker records;
    private final Topics topics;
    private final Object restarting = new Object();

    @GuardedBy("restarting") private boolean closed;

    private volatile Attempt attempt;

    /**
     * A producer, from its start to its first failure.
     *
     * <p>A record that is refused when it is handed over leaves it as it is: what was taken before continues, and nothing after
     * it is taken.
     */
    private static final class Attempt {
        private final Producer<byte[], byte[]> kafka;
        private final Set<TopicPartition> begun = ConcurrentHashMap.newKeySet();
        private final @Nullable ProducerIdentity former;
        private volatile boolean isPrepared;
        private volatile @Nullable Exception failure;
        private volatile boolean abandoned;

        /**
         * Takes a producer that was given nothing.
         *
         * @param former that of the attempt before; null if there is none
         */
        Attempt(Producer<byte[], byte[]> kafka, @Nullable ProducerIdentity former) {
            this.kafka = kafka;
            this.former = former;
            this.isPrepared = former == null;
        }

        /** Continues the identity of the attempt before; to be called before each record is handed over. */
        void prepare(Duration limit, Time time) {
            if (!isPrepared) {
                passFormer(limit, time);
            }
        }

        private synchronized void passFormer(Duration limit, Time time) {
            if (!isPrepared && former != null) {
                former.passTo(kafka, limit, time);
                isPrepared = true;
            }
        }

        /** What the next attempt continues. The producer is closed, so its thread changes nothing any more. */
        @Nullable ProducerIdentity identity() {
            ProducerIdentity own = isPrepared ? ProducerIdentity.of(kafka) : null;
            return own == null ? former : own;
        }

        /**
         * Waits for the answer to the first record for a partition. A broker that has taken nothing of a producer yet takes
         * whatever comes first, be it what was sent after a record that it has refused.
         */
        void awaitFirst(TopicPartition partition) {
            if (failure != null || begun.contains(partition)) {
                return;
            }
            try {
                kafka.flush();
                if (failure == null) {
                    begun.add(partition);
                }
            } catch (InterruptException e) {
                failure = failure == null ? e : failure;
                Thread.currentThread().interrupt();
            }
        }

        /** To be called by the producer's own thread, which sends nothing more then, and fails what is left. */
        void abandon() {
            if (!abandoned) {
                abandoned = true;
                kafka.close(Duration.ZERO);
            }
        }
    }

    /**
     * Makes the first producer.
     *
     * @param connect makes one; it is closed here
     * @param ownership nothing is sent once it is not held
     */
    KafkaMessageProducer(
            Supplier<Producer<byte[], byte[]>> connect, KafkaSettings settings, Ownership ownership, Time time) {
        this.connect = connect;
        this.maxValueBytes = settings.maxValueBytes();
        this.maxBlock = settings.maxBlock();
        this.ownership = ownership;
        this.time = time;
        this.records = new RecordMaker(ownership);
        this.topics = new Topics(connect);
        this.attempt = new Attempt(connect.get(), null);
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the callback is told the same
    public void send(Message message, DeliveryCallback callback) {
        Attempt current = attempt;
        Exception before = current.failure;
        if (before != null) {
            callback.failed(RecordMaker.behind(before), FailureKind.PASSING);
            return;
        }
        Thread caller = Thread.currentThread();
        try {
            topics.requirePartition(current.kafka, message.topic(), message.partition());
            if (!ownership.isHeld()) {
                throw RecordMaker.notOurs();
            }
            current.prepare(maxBlock, time);
            current.kafka.send(records.recordOf(message), (metadata, failure) -> {
                if (failure == null) {
                    if (!ownership.isHeld()) {
                        current.failure = RecordMaker.notOurs();
                        current.abandon();
                    }
                    callback.delivered();
                    return;
                }
                current.failure = failure;
                if (Thread.currentThread() != caller) {
                    current.abandon();
                }
                callback.failed(KafkaErrors.explained(failure), KafkaErrors.kindOf(failure));
            });
        } catch (RuntimeException e) { // thrown instead of the callback, never besides it
            FailureKind kind =
                    current.failure != null ? FailureKind.PASSING : KafkaErrors.kindOf(e); // closed meanwhile?
            current.failure = e;
            callback.failed(KafkaErrors.explained(e), kind);
        }
        current.awaitFirst(new TopicPartition(message.topic(), message.partition()));
    }

    @Override
    public OptionalInt partitionsOf(String topic) {
        return topics.partitionsOf(attempt.kafka, topic);
    }

    @Override
    public int maxValueBytes() {
        return maxValueBytes;
    }

    @Override
    public void flush() throws InterruptedException {
        try {
            attempt.kafka.flush();
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

    @Override
    public void restart() {
        synchronized (restarting) {
            Attempt old = attempt;
            if (closed || old.failure == null) {
                return;
            }
            if (!old.abandoned) {
                old.failure = null;
                return;
            }
            try {
                old.kafka.close(Duration.ZERO); // waits until its thread has ended
                attempt = new Attempt(connect.get(), old.identity());
            } catch (RuntimeException e) { // such as a name that cannot be resolved now: the next record fails, too
                LOG.warn("no new producer can be made: cause={}", String.valueOf(e.getMessage()));
                old.failure = e;
            }
        }
    }

    @Override
    public void abandon() {
        Attempt current = attempt;
        if (current.failure == null) {
            current.failure = new KafkaException("given up, since the brokers do not answer");
        }
        current.abandon();
    }

    @Override
    public void close(Duration longest) {
        synchronized (restarting) {
            closed = true;
        }
        attempt.kafka.close(longest);
    }
}
