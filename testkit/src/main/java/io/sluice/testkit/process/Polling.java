package io.sluice.testkit.process;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for a condition by polling, such as a server that begins to answer. */
public final class Polling {
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private Polling() {}

    /** Polls until the condition holds or the time is over; returns whether it holds. */
    public static boolean await(Duration atMost, BooleanSupplier condition) {
        long end = System.nanoTime() + atMost.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end >= 0 || Thread.currentThread().isInterrupted()) {
                return false;
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
        return true;
    }
}
