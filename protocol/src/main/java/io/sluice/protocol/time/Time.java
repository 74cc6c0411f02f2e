package io.sluice.protocol.time;

import java.time.Duration;

/**
 * The clocks of the process, and waiting by them, as a parameter: tests and simulations pass their own.
 *
 * <p>Thread-safe.
 */
public interface Time {
    /** The clocks of this machine. */
    Time SYSTEM = new SystemTime();

    /** A monotonic clock for durations, in nanoseconds since an arbitrary origin; only differences have a meaning. */
    long nanos();

    /** The wall clock, in milliseconds since the epoch; may jump when it is set. */
    long millis();

    /** Lets the thread do nothing for a time. In tests this returns when the test's clock has passed it. */
    void sleep(Duration length) throws InterruptedException;
}
