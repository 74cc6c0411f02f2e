package io.sluice.testkit.time;

import io.sluice.protocol.time.Time;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Clocks that a test sets. A sleep lets its time pass at once. Thread-safe. */
public final class HandTime implements Time {
    /** Overflows within the test, as the real one may. */
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1_000_000_000L);

    private final AtomicLong wallNanos = new AtomicLong(1_700_000_000_000_000_000L);

    @Override
    public long nanos() {
        return nanos.get();
    }

    @Override
    public long millis() {
        return wallNanos.get() / 1_000_000;
    }

    @Override
    public void sleep(Duration length) {
        pass(length);
    }

    /** Moves both clocks. */
    public void pass(Duration time) {
        passMonotonic(time);
        passWall(time);
    }

    /** Moves both clocks. */
    public void passSeconds(int seconds) {
        pass(Duration.ofSeconds(seconds));
    }

    /** Moves the monotonic clock alone. */
    public void passMonotonic(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    /** Moves the wall clock alone. */
    public void passWall(Duration time) {
        wallNanos.addAndGet(time.toNanos());
    }
}
