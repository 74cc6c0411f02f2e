package io.sluice.connector.kafka.transaction;

import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.protocol.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.Callback;
import org.jspecify.annotations.Nullable;

/**
 * The records of one transaction, in the order in which they were handed over, and the first failure among them.
 *
 * <p>Records are added under the producer's lock, and answered by one thread when no more are added. Failures come from any
 * thread.
 */
final class Transaction {
    private final List<DeliveryCallback> records = new ArrayList<>();
    private final AtomicReference<@Nullable RecordFailure> failure = new AtomicReference<>();
    private final CountDownLatch answered = new CountDownLatch(1);
    private final int limit;
    private final Time time;
    private final long beginNanos;
    private final long beginMillis;
    private long lastNanos;

    /** The answer of a broker, or of Kafka's producer, to a record. */
    record RecordFailure(int index, Exception cause) {}

    /**
     * Begins one.
     *
     * @param limit how many records it takes, at least 1
     */
    Transaction(int limit, Time time) {
        this.limit = limit;
        this.time = time;
        this.beginNanos = time.nanos();
        this.beginMillis = time.millis();
        this.lastNanos = beginNanos;
    }

    /** Adds a record; the result gets its answer. */
    Callback add(DeliveryCallback record) {
        int index = records.size();
        records.add(record);
        lastNanos = time.nanos();
        return (metadata, cause) -> {
            if (cause != null) {
                fail(index, cause);
            }
        };
    }

    /** Notes that a record failed; only the first one counts, those after fail because of it. */
    void fail(int index, Exception cause) {
        failure.compareAndSet(null, new RecordFailure(index, cause));
    }

    /** The last record's index; -1 if there is none. */
    int lastIndex() {
        return records.size() - 1;
    }

    @Nullable RecordFailure failure() {
        return failure.get();
    }

    boolean isFull() {
        return records.size() >= limit;
    }

    /** How long nothing was added. */
    long quietNanos() {
        return time.nanos() - lastNanos;
    }

    long ageNanos() {
        return time.nanos() - beginNanos;
    }

    /**
     * Whether a broker may have given it up by itself: it is older than that. By both clocks, since one does not advance while the
     * machine sleeps, and the other may be set.
     */
    boolean isOlderThan(Duration timeout) {
        return ageNanos() >= timeout.toNanos() || time.millis() - beginMillis >= timeout.toMillis();
    }

    /** Answers that all records are at the broker, for every reader to see. */
    void delivered() {
        answer(DeliveryCallback::delivered);
    }

    /** Answers that no record arrived. */
    void failed(Exception cause, FailureKind kind) {
        answer(record -> record.failed(cause, kind));
    }

    /** Answers for every record, also if some answers are not taken; then throws what the first of them has thrown. */
    private void answer(Consumer<DeliveryCallback> answer) {
        RuntimeException defect = null;
        Error error = null;
        for (DeliveryCallback record : records) {
            try {
                answer.accept(record);
            } catch (RuntimeException e) {
                defect = defect == null ? e : defect;
            } catch (Error e) { // such as a shortage of threads, which passes
                error = error == null ? e : error;
            }
        }
        records.clear(); // they may be large
        answered.countDown();
        if (error != null) {
            throw error;
        }
        if (defect != null) {
            throw defect;
        }
    }

    /** Waits until all records are answered for. */
    void awaitAnswers() throws InterruptedException {
        answered.await();
    }

    /** Waits so long at most. */
    boolean awaitAnswers(Duration longest) throws InterruptedException {
        return answered.await(longest.toNanos(), TimeUnit.NANOSECONDS);
    }
}
