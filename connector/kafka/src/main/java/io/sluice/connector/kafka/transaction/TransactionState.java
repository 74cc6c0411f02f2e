package io.sluice.connector.kafka.transaction;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.connector.api.attempt.SendFailure;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.kafka.clients.producer.Producer;
import org.jspecify.annotations.Nullable;

/**
 * The state that sending threads and the thread that ends transactions share: Kafka's producer, the state of its transactions, and
 * why no record is taken, if none is.
 *
 * <pre>
 *   CONNECTING ──▶ READY ──send──▶ OPEN ──quiet, old, full, failed──▶ ENDING ──▶ READY
 *       ▲ │                                                             │
 *       │ └──────failed──▶ LOST ◀──────aborting failed, too─────────────┘
 *       └────restart────────┘
 * </pre>
 *
 * <p>All but the volatile fields is guarded by the lock. It is not held while the brokers begin or end transactions.
 */
final class TransactionState {
    final ReentrantLock lock = new ReentrantLock();

    /** Signalled when the phase changes, or the producer is closed. */
    final Condition changed = lock.newCondition();

    @GuardedBy("lock") Phase phase;

    /** The answer to the next record; null while records are taken. */
    @GuardedBy("lock") @Nullable SendFailure failure;

    /** The open one, or the one that is ended. */
    @GuardedBy("lock") @Nullable Transaction transaction;

    /** The last one that was ended; its records are answered, or are being answered. */
    @GuardedBy("lock") @Nullable Transaction ended;

    /** A later producer has this transactional id. */
    @GuardedBy("lock") boolean fenced;

    /** Null before the first one. */
    private volatile @Nullable Producer<byte[], byte[]> kafka;

    /** The producer was closed since the brokers do not answer, and is lost as soon as its transaction has ended. */
    volatile boolean abandoned;

    /** Nothing is taken any more. */
    volatile boolean closing;

    /** Nothing is committed any more, either. */
    volatile boolean closed;

    enum Phase {
        CONNECTING,
        READY,
        OPEN,
        ENDING,
        LOST
    }

    /** Begins with a producer. */
    TransactionState(Producer<byte[], byte[]> kafka) {
        this.kafka = kafka;
        this.phase = Phase.CONNECTING;
    }

    /**
     * Begins without one.
     *
     * @param failure why there is none yet
     */
    TransactionState(SendFailure failure) {
        this.failure = failure;
        this.phase = Phase.LOST;
    }

    /** The newest one, which may be closed. */
    Producer<byte[], byte[]> kafka() {
        return Objects.requireNonNull(kafka, "no producer could be made yet");
    }

    boolean hasProducer() {
        return kafka != null;
    }

    void replace(Producer<byte[], byte[]> next) {
        kafka = next;
    }

    /** Closes the producer, if there is one. */
    void closeProducer(Duration limit) {
        Producer<byte[], byte[]> last = kafka;
        if (last != null) {
            last.close(limit);
        }
    }

    @GuardedBy("lock")
    void moveTo(Phase next) {
        phase = next;
        changed.signalAll();
    }

    /** Lets the open transaction be ended now. */
    @GuardedBy("lock")
    void endOpen() {
        if (phase == Phase.OPEN) {
            moveTo(Phase.ENDING);
        }
    }

    /** Lets the next transaction begin, unless the producer was abandoned meanwhile. */
    @GuardedBy("lock")
    void becomeReady() {
        if (abandoned) {
            lose();
        } else {
            moveTo(Phase.READY);
        }
    }

    /** Closes the producer; what it still has on its way is rejected, once the next one has begun. */
    @GuardedBy("lock")
    void lose() {
        try {
            closeProducer(Duration.ZERO);
        } finally {
            moveTo(Phase.LOST);
        }
    }
}
