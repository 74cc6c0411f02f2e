package io.sluice.connector.pulsar;

import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** A message from its hand-over to its one answer. Later answers have no effect. Thread-safe. */
final class PendingMessage {
    private final String partition;
    private final DeliveryCallback callback;
    private final int permits;
    private final long sinceNanos;
    private final boolean isAlone;
    private final AtomicBoolean answered = new AtomicBoolean();
    private final CountDownLatch called = new CountDownLatch(1);

    /**
     * A message without an answer.
     *
     * @param partition the name of the partition that it is for
     * @param permits what it holds of the buffer
     * @param isAlone whether it is in no batch with others
     */
    PendingMessage(String partition, DeliveryCallback callback, int permits, long sinceNanos, boolean isAlone) {
        this.partition = partition;
        this.callback = callback;
        this.permits = permits;
        this.sinceNanos = sinceNanos;
        this.isAlone = isAlone;
    }

    /** The partition that it is for, by its name. */
    String partition() {
        return partition;
    }

    int permits() {
        return permits;
    }

    long sinceNanos() {
        return sinceNanos;
    }

    /** Whether it is in no batch with others, so that a failure is its own. */
    boolean isAlone() {
        return isAlone;
    }

    boolean isAnswered() {
        return answered.get();
    }

    /** Waits until its callback was called. */
    void awaitAnswer() throws InterruptedException {
        called.await();
    }

    /** Waits at most so long, and returns whether its callback was called. */
    boolean awaitAnswer(long nanos) throws InterruptedException {
        return called.await(nanos, TimeUnit.NANOSECONDS);
    }

    /** Answers that the broker has it; returns whether this was the first answer. */
    boolean delivered() {
        boolean first = claim();
        if (first) {
            callback.delivered();
            called.countDown();
        }
        return first;
    }

    /** Answers that it may not have arrived; returns whether this was the first answer. */
    boolean failed(Exception cause, FailureKind kind) {
        boolean first = claim();
        if (first) {
            callFailed(cause, kind);
        }
        return first;
    }

    /** Keeps the answer until {@link #callFailed} passes it on; returns whether there was none before. */
    boolean claim() {
        return answered.compareAndSet(false, true);
    }

    /** Gives the answer that was claimed. */
    void callFailed(Exception cause, FailureKind kind) {
        callback.failed(cause, kind);
        called.countDown();
    }
}
