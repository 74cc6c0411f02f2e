package io.sluice.stream.source;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Computes the wait before the next attempt: exponential, with random jitter, so that replicas that lost their source at once do not retry
 * at once. For one thread.
 */
final class BackOff {
    private static final long FIRST_MILLIS = 500;
    private static final long MAX_MILLIS = 20_000;

    private final RandomGenerator random;
    private long nextMillis = FIRST_MILLIS;

    BackOff(RandomGenerator random) {
        this.random = random;
    }

    /** Returns the next wait: half of it fixed, half random. */
    Duration next() {
        long whole = nextMillis;
        nextMillis = Math.min(MAX_MILLIS, 2 * whole);
        return Duration.ofMillis(whole / 2 + random.nextLong(whole / 2 + 1));
    }

    /** Notes that an attempt succeeded. */
    void reset() {
        nextMillis = FIRST_MILLIS;
    }
}
