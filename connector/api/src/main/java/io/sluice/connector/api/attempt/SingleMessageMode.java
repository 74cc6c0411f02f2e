package io.sluice.connector.api.attempt;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Whether messages are sent one by one: each only when the broker has taken the one before.
 *
 * <p>A broker that rejects what several messages have in common, such as a batch, does not state which of them is at fault. So those that
 * were in flight are sent one by one, until that one is found or all of them have passed. Thread-safe.
 */
public final class SingleMessageMode {
    private final AtomicInteger left = new AtomicInteger();

    /**
     * Begins, or continues if it is on: ends by itself when the broker has taken as many messages.
     *
     * @param messages how many, at least; more if as many are left
     */
    public void begin(int messages) {
        left.accumulateAndGet(messages, Math::max);
    }

    /** The broker has taken one message. */
    public void passed() {
        if (isOn()) {
            left.updateAndGet(n -> Math.max(0, n - 1));
        }
    }

    /** Whether messages are sent one by one. */
    public boolean isOn() {
        return left.get() > 0;
    }
}
