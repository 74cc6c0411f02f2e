package io.sluice.connector.kafka;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.MessageProducer;
import java.time.Duration;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends records, without key and headers and to the given partition, by a {@link org.apache.kafka.clients.producer.KafkaProducer}.
 *
 * <p>Kafka's producer goes on behind a record that failed: those that it buffers are sent as soon as the broker takes them.
 * So it is closed by the first failure, on the thread that sends, before anything more leaves; what it buffers fails. What
 * is on its way to the broker by then is taken only in an unbroken sequence, if the producer is idempotent. {@link #restart}
 * makes a new one.
 */
final class KafkaMessageProducer implements MessageProducer {
    private static final Logger LOG = LoggerFactory.getLogger(KafkaMessageProducer.class);

    private final Supplier<Producer<byte[], byte[]>> connect;
    private final int maxValueBytes;
    private final Object restarting = new Object();

    @GuardedBy("restarting") private boolean closed;

    private volatile Attempt attempt;

    /**
     * A producer, from its start to its first failure.
     *
     * <p>A record that is refused when it is handed over leaves it as it is: what was taken before goes on, and nothing behind
     * it is taken.
     */
    private static final class Attempt {
        private final Producer<byte[], byte[]> kafka;
        private volatile @Nullable Exception failure;
        private volatile boolean abandoned;

        Attempt(Producer<byte[], byte[]> kafka) {
            this.kafka = kafka;
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
     */
    KafkaMessageProducer(Supplier<Producer<byte[], byte[]>> connect, int maxValueBytes) {
        this.connect = connect;
        this.maxValueBytes = maxValueBytes;
        this.attempt = new Attempt(connect.get());
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the callback is told the same
    public void send(String topic, int partition, byte[] value, DeliveryCallback callback) {
        Attempt current = attempt;
        Exception before = current.failure;
        if (before != null) {
            callback.failed(new KafkaException("not sent, since a record before it failed: " + before, before), true);
            return;
        }
        ProducerRecord<byte[], byte[]> message = new ProducerRecord<>(topic, partition, null, value);
        Thread caller = Thread.currentThread();
        try {
            current.kafka.send(message, (metadata, failure) -> {
                if (failure == null) {
                    callback.delivered();
                    return;
                }
                current.failure = failure;
                if (Thread.currentThread() != caller) {
                    current.abandon();
                }
                callback.failed(failure, KafkaErrors.isRetriable(failure));
            });
        } catch (RuntimeException e) { // thrown instead of the callback, never besides it
            boolean retriable = current.failure != null || KafkaErrors.isRetriable(e); // closed meanwhile?
            current.failure = e;
            callback.failed(e, retriable);
        }
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
                attempt = new Attempt(connect.get());
            } catch (RuntimeException e) { // such as a name that cannot be resolved now: the next record fails, too
                LOG.warn("no new producer can be made: cause={}", String.valueOf(e.getMessage()));
                old.failure = e;
            }
        }
    }

    @Override
    public void close(Duration longest) {
        synchronized (restarting) {
            closed = true;
        }
        attempt.kafka.close(longest);
    }
}
