package io.sluice.connector.rabbitmq.send;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;

/** Bounds the messages that the broker has not answered: senders wait while there are too many. Thread-safe. */
final class Window {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final IntSupplier limit;

    @GuardedBy("lock") private int inFlight;

    @GuardedBy("lock") private boolean blocked;

    @GuardedBy("lock") private boolean closed;

    /** @param limit how many there may be, asked each time */
    Window(IntSupplier limit) {
        this.limit = limit;
    }

    /** Counts one more message, as soon as it may be sent. Returns whether it may; if not, it is not counted. */
    boolean enter(Duration atMost) throws InterruptedException {
        long left = atMost.toNanos();
        lock.lockInterruptibly();
        try {
            while (!closed && (blocked || inFlight >= limit.getAsInt())) {
                if (left <= 0) {
                    return false;
                }
                left = changed.awaitNanos(left);
            }
            if (!closed) {
                inFlight++;
            }
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    /** Counts one message less, since it was answered. */
    void leave() {
        lock.lock();
        try {
            inFlight--;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** While it is blocked no message enters. */
    void block(boolean isBlocked) {
        lock.lock();
        try {
            blocked = isBlocked;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Admits no message any more. */
    void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** How many messages are not answered yet. */
    int inFlight() {
        lock.lock();
        try {
            return inFlight;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until all messages are answered; returns whether they are. */
    boolean awaitEmpty(Duration atMost) throws InterruptedException {
        long left = TimeUnit.MILLISECONDS.toNanos(atMost.toMillis());
        lock.lockInterruptibly();
        try {
            while (inFlight > 0 && left > 0) {
                left = changed.awaitNanos(left);
            }
            return inFlight == 0;
        } finally {
            lock.unlock();
        }
    }
}
