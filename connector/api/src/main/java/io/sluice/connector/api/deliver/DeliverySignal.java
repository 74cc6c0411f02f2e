package io.sluice.connector.api.deliver;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Wakes the sender's thread when something it waits for has changed. The thread that changes it raises the signal afterwards,
 * so no change is missed.
 */
class DeliverySignal {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition raised = lock.newCondition();

    private volatile boolean failure;

    /** Set before the condition is checked: a later change sees it, and an earlier one is seen by the check. */
    private volatile boolean awaited;

    /** Costs next to nothing while no thread waits. */
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

    /** Raises the signal for a message that failed. */
    void raiseFailure() {
        failure = true;
        raise();
    }

    /** Whether a message has failed since {@link #clearFailure}. */
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
     * @param longestNanos how long to wait at most
     */
    void await(BooleanSupplier condition, long longestNanos) throws InterruptedException {
        long left = longestNanos;
        lock.lockInterruptibly();
        try {
            awaited = true;
            while (!condition.getAsBoolean() && left > 0) {
                left = raised.awaitNanos(left);
            }
        } finally {
            awaited = false;
            lock.unlock();
        }
    }
}
