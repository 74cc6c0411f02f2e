package io.sluice.connector.api.attempt;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Closes clients of brokers that wait for brokers when they are closed, without limits of their own. Thread-safe. */
public final class BoundedClose {
    private static final Logger LOG = LoggerFactory.getLogger(BoundedClose.class);

    private BoundedClose() {}

    /**
     * Closes a client on a daemon thread, and returns when it is closed or the time is over; then that thread continues.
     *
     * @param limit zero or less if it must not wait
     * @param threadName the name of the thread
     * @param close closes the client; its exception is logged
     * @throws InterruptedException if this thread is interrupted while it waits; the other one continues
     */
    public static void run(Duration limit, String threadName, Runnable close) throws InterruptedException {
        Thread closing = new Thread(() -> runLogged(close), threadName);
        closing.setDaemon(true);
        closing.start();
        if (limit.toMillis() > 0) {
            closing.join(limit.toMillis());
        }
    }

    private static void runLogged(Runnable close) {
        try {
            close.run();
        } catch (RuntimeException e) {
            LOG.warn("closing the client failed: cause={}", String.valueOf(e.getMessage()));
        }
    }
}
