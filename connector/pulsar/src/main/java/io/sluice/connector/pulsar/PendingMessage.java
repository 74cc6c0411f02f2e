package io.sluice.connector.pulsar;

import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** A message from its hand-over to its one answer. Later answers count for nothing. Safe for use by several threads. */
final class PendingMessage {
    private final DeliveryCallback callback;
    private final int permits;
    private final long sinceNanos;
    private final AtomicBoolean answered = new AtomicBoolean();
    private final CountDownLatch told = new CountDownLatch(1);

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

    /** Waits until the sender was told what became of it. */
    void awaitAnswer() throws InterruptedException {
        told.await();
    }

    /** Waits so long at most, and returns whether the sender was told in that time. */
    boolean awaitAnswer(long nanos) throws InterruptedException {
        return told.await(nanos, TimeUnit.NANOSECONDS);
    }

    /** Says that the broker has it; returns whether this was the answer. */
    boolean delivered() {
        boolean first = answered.compareAndSet(false, true);
        if (first) {
            callback.delivered();
            told.countDown();
        }
        return first;
    }

    /** Says that it may not have arrived; returns whether this was the answer. */
    boolean failed(Exception cause, FailureKind kind) {
        boolean first = answered.compareAndSet(false, true);
        if (first) {
            callback.failed(cause, kind);
            told.countDown();
        }
        return first;
    }
}
