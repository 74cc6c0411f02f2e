package io.sluice.connector.rabbitmq;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Whether messages are sent one at a time, since one of some was rejected and it is not known which.
 *
 * <p>The broker closes the channel when it rejects a message, and does not state which of those in flight it was. So they
 * are sent one at a time until it is found. Safe for use by several threads.
 */
final class SingleMessageMode {
    private final AtomicInteger left = new AtomicInteger();

    /** Begins: one of so many messages was rejected. */
    void begin(int messages) {
        left.set(messages);
    }

    /** The broker has taken one message. */
    void passed() {
        left.updateAndGet(n -> Math.max(0, n - 1));
    }

    /** Whether messages are sent one at a time. */
    boolean isOn() {
        return left.get() > 0;
    }
}
