package io.sluice.connector.pulsar;

import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** A message from its hand-over to its one answer. Later answers have no effect. Safe for use by several threads. */
final class PendingMessage {
    private final DeliveryCallback callback;
    private final int permits;
    private final long sinceNanos;
    private final AtomicBoolean answered = new AtomicBoolean();
    private final CountDownLatch called = new CountDownLatch(1);

    /**
     * A message without an answer.
     *
     * @param permits what it holds of the buffer
     */
    PendingMessage(DeliveryCallback callback, int permits, long sinceNanos) {
        this.callback = callback;
        this.permits = permits;
        this.sinceNanos = sinceNanos;
    }

    int permits() {
        return permits;
    }

    long sinceNanos() {
        return sinceNanos;
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
        boolean first = answered.compareAndSet(false, true);
        if (first) {
            callback.delivered();
            called.countDown();
        }
        return first;
    }

    /** Answers that it may not have arrived; returns whether this was the first answer. */
    boolean failed(Exception cause, FailureKind kind) {
        boolean first = answered.compareAndSet(false, true);
        if (first) {
            callback.failed(cause, kind);
            called.countDown();
        }
        return first;
    }
}
