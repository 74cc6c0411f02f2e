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

    void raise() {
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
     * Waits until {@code condition} holds; it is asked again each time the signal is raised.
     *
     * @param longest how long to wait at most
     * @return whether it holds
     */
    boolean await(BooleanSupplier condition, Duration longest) throws InterruptedException {
        long left = longest.toNanos();
        lock.lockInterruptibly();
        try {
            while (!condition.getAsBoolean()) {
                if (left <= 0) {
                    return false;
                }
                left = raised.awaitNanos(left);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }
}
