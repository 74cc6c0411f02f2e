package io.sluice.stream.source;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait before the next attempt: twice as long after every failure, and never the same for two replicas that lost
 * their source at once. For one thread.
 */
final class BackOff {
    private static final long FIRST_MILLIS = 500;
    private static final long MAX_MILLIS = 20_000;

    private final RandomGenerator random;
    private long nextMillis = FIRST_MILLIS;

    BackOff(RandomGenerator random) {
        this.random = random;
    }

    /** The next wait: half of it fixed, half at random. */
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
