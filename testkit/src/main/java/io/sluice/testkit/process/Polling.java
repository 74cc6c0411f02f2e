package io.sluice.testkit.process;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what only asking again can tell, such as a server that begins to answer. */
public final class Patience {
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private Patience() {}

    /** Asks until the answer is yes, or the time is over. Says which. */
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
