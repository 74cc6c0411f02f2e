package io.sluice.store.cursor;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes a store's clients every period, and logs when that begins to fail and when it succeeds again. */
final class FlushTimer {
    private static final Logger LOG = LoggerFactory.getLogger(FlushTimer.class);

    private final Runnable flush;
    private final String place;
    private final Future<?> flushes;

    @GuardedBy("this") private boolean failing;

    @GuardedBy("this") private boolean closed;

    /**
     * Begins.
     *
     * @param flush writes what has changed
     * @param place where it writes to, for log lines
     * @param scheduler runs it; not shut down here
     */
    FlushTimer(Runnable flush, String place, ScheduledExecutorService scheduler, Duration period) {
        this.flush = flush;
        this.place = place;
        long nanos = period.toNanos();
        this.flushes = scheduler.scheduleWithFixedDelay(this::flushOrLog, nanos, nanos, TimeUnit.NANOSECONDS);
    }

    private synchronized void flushOrLog() {
        if (closed) {
            return;
        }
        try {
            flush.run();
            if (failing) {
                LOG.info("the cursor is written again: place={}", place);
                failing = false;
            }
        } catch (RuntimeException e) { // one that got out would end the flushes in silence
            if (!failing) {
                LOG.error(
                        "the cursor is not written, entries will be delivered again after a restart: place={} cause={}",
                        place,
                        String.valueOf(e.getMessage()),
                        e);
                failing = true;
            }
        }
    }

    /** Ends the writing, waiting for one that is under way; true at the first call. */
    synchronized boolean close() {
        if (closed) {
            return false;
        }
        closed = true;
        flushes.cancel(false);
        return true;
    }
}
