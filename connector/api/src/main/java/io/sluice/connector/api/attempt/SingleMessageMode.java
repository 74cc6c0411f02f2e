package io.sluice.connector.api.attempt;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Whether messages are sent one by one, since one of several was rejected and it is not known which.
 *
 * <p>A broker that rejects what several messages have in common, such as a batch, does not state which of them is at fault. So those that
 * were in flight are sent one by one, until that one is found or all of them have passed. Thread-safe.
 */
public final class SingleMessageMode {
    private final AtomicInteger left = new AtomicInteger();

    /** Begins: one of so many messages was rejected; ends by itself when the broker has taken as many. */
    public void begin(int messages) {
        left.set(messages);
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
