package io.sluice.server.ha;

import io.sluice.protocol.time.Time;
import java.time.Duration;

/** Clocks that a test sets. */
final class HandTime implements Time {
    private long nanos = Long.MAX_VALUE - 1_000_000_000L; // it overflows within the test, as the real one may
    private long millis = 1_700_000_000_000L;

    @Override
    public long nanos() {
        return nanos;
    }

    @Override
    public long millis() {
        return millis;
    }

    void pass(Duration time) {
        nanos += time.toNanos();
        millis += time.toMillis();
    }

    void passSeconds(int seconds) {
        pass(Duration.ofSeconds(seconds));
    }

    /** Moves the monotonic clock alone. */
    void passMonotonic(Duration time) {
        nanos += time.toNanos();
    }

    /** Moves the wall clock alone. */
    void passWall(Duration time) {
        millis += time.toMillis();
    }
}
