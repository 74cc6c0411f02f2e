package io.sluice.store.cursor;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.protocol.time.Time;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a store's clients every period, and logs when that begins to fail, now and then while it fails, and when it succeeds again. It knows for how
 * long that has not succeeded, also while a flush hangs or is not run.
 */
public final class FlushTimer {
    private static final Logger LOG = LoggerFactory.getLogger(FlushTimer.class);

    /** After how much time without a success the failure is logged again. */
    private static final Duration REPEAT = Duration.ofMinutes(10);

    private final Runnable flush;
    private final String location;
    private final Duration period;
    private final Time time;
    private final Future<?> flushes;

    @GuardedBy("this") private boolean failing;

    @GuardedBy("this") private boolean closed;

    /** When what was there was last written. */
    private volatile long writtenNanos;

    /** Why the newest flush failed. */
    @GuardedBy("this") private String cause = "";

    /** How long the writing must have failed for the next line of the log. */
    @GuardedBy("this") private Duration nextLine = REPEAT;

    /**
     * Begins.
     *
     * @param flush writes what has changed
     * @param location where it writes to, for log lines
     * @param scheduler runs it; not shut down here
     */
    public FlushTimer(Runnable flush, String location, ScheduledExecutorService scheduler, Duration period, Time time) {
        this.flush = flush;
        this.location = location;
        this.period = period;
        this.time = time;
        this.writtenNanos = time.nanos();
        long nanos = period.toNanos();
        this.flushes = scheduler.scheduleWithFixedDelay(this::flushOrLog, nanos, nanos, TimeUnit.NANOSECONDS);
    }

    private synchronized void flushOrLog() {
        if (closed) {
            return;
        }
        try {
            write();
            if (failing) {
                LOG.info("the cursor is written again: location={}", location);
                failing = false;
            }
        } catch (Throwable e) { // the top of the task: one that got out would end the flushes in silence
            if (!failing) {
                LOG.error(
                        "the cursor is not written, entries will be delivered again after a restart: location={} cause={}",
                        location,
                        String.valueOf(e.getMessage()),
                        e);
                failing = true;
            }
        }
        logAgain();
    }

    @GuardedBy("this") private void write() {
        try {
            flush.run();
            writtenNanos = time.nanos();
        } catch (RuntimeException | Error e) {
            cause = String.valueOf(e.getMessage());
            throw e;
        }
    }

    @GuardedBy("this") private void logAgain() {
        Duration overdue = overdue();
        if (!failing) {
            nextLine = REPEAT;
        } else if (overdue.compareTo(nextLine) >= 0) {
            LOG.error(
                    "the cursor is still not written: location={} minutes={} cause={}",
                    location,
                    overdue.toMinutes(),
                    cause);
            nextLine = overdue.plus(REPEAT);
        }
    }

    /**
     * For how long a flush has been due that has not succeeded; zero if none is late by more than a period. Does not wait for one that is under
     * way.
     */
    public Duration overdue() {
        Duration late = Duration.ofNanos(time.nanos() - writtenNanos).minus(period);
        return late.compareTo(period) > 0 ? late : Duration.ZERO;
    }

    /** Ends the writing, waiting for one that is under way; true at the first call. */
    public synchronized boolean close() {
        if (closed) {
            return false;
        }
        closed = true;
        flushes.cancel(false);
        return true;
    }
}
