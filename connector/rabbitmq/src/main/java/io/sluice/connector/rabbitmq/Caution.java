package io.sluice.connector.rabbitmq;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Remembers that one of some messages was refused, but not which.
 *
 * <p>The broker closes the channel over a message that it refuses, and does not say which of those in flight it was. They
 * are sent one at a time then, until the one is found. Thread-safe.
 */
final class Caution {
    private final AtomicInteger left = new AtomicInteger();

    /** One of so many messages was refused. */
    void begin(int messages) {
        left.set(messages);
    }

    /** The broker has taken one message. */
    void passed() {
        left.updateAndGet(n -> Math.max(0, n - 1));
    }

    /** Whether messages are to be sent one at a time. */
    boolean isOn() {
        return left.get() > 0;
    }
}
