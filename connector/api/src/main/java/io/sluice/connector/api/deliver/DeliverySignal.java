package io.sluice.connector.api.deliver;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Wakes the sender's thread when something that it waits for has changed. Whoever changes it raises the signal afterwards,
 * so no change is missed.
 */
final class DeliverySignal {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition raised = lock.newCondition();

    private volatile boolean failure;

    /** Set before the condition is asked: who changes something afterwards sees it, and who did so before is seen. */
    private volatile boolean awaited;

    /** Costs next to nothing while nobody waits. */
    void raise() {
        if (!awaited) {
            return;
        }
        lock.lock();
        try {
            raised.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Raises the signal for a record that failed. */
    void raiseFailure() {
        failure = true;
        raise();
    }

    /** Whether a record has failed since {@link #clearFailure}. */
    boolean hasFailure() {
        return failure;
    }

    void clearFailure() {
        failure = false;
    }

    /**
     * Waits until {@code condition} holds; it is asked again each time the signal is raised. For one thread at a time.
     *
     * @param condition what it asks must be written before the signal is raised, and volatile; it must not take a lock under
     *     which the signal is raised
     * @param longest how long to wait at most
     * @return whether it holds
     */
    boolean await(BooleanSupplier condition, Duration longest) throws InterruptedException {
        long left = longest.toNanos();
        lock.lockInterruptibly();
        try {
            awaited = true;
            while (!condition.getAsBoolean()) {
                if (left <= 0) {
                    return false;
                }
                left = raised.awaitNanos(left);
            }
            return true;
        } finally {
            awaited = false;
            lock.unlock();
        }
    }
}
