package io.sluice.connector.api.deliver;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Time, and how to let it pass; a parameter, so that tests need not wait. */
@FunctionalInterface
public interface Sleeper {
    /** Sleeps by the system's clock. */
    Sleeper SYSTEM = Sleeper::awaitOrTimeOut;

    /**
     * Returns when the time is over, or {@code ended} is counted down.
     *
     * @throws InterruptedException if the thread was interrupted meanwhile
     */
    void sleep(Duration time, CountDownLatch ended) throws InterruptedException;

    /** A clock for spans of time, in nanoseconds since whenever. */
    default long nanos() {
        return System.nanoTime();
    }

    private static void awaitOrTimeOut(Duration time, CountDownLatch ended) throws InterruptedException {
        boolean unused = ended.await(time.toNanos(), TimeUnit.NANOSECONDS);
    }
}
