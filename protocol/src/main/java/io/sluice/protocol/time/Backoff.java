package io.sluice.protocol.time;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * An exponential back-off with jitter: each pause is twice the last, up to a cap, less a random part of up to half, so that
 * those that failed together do not retry together. For one thread.
 */
public final class Backoff {
    private final Duration initial;
    private final Duration cap;
    private final RandomGenerator random;

    private Duration ceiling;

    /**
     * Begins with {@code initial}.
     *
     * @param initial the longest first pause, more than 0
     * @param cap the longest pause of all, at least {@code initial}
     */
    public Backoff(Duration initial, Duration cap, RandomGenerator random) {
        if (initial.isZero() || initial.isNegative() || cap.compareTo(initial) < 0) {
            throw new IllegalArgumentException("a back-off from %s to %s".formatted(initial, cap));
        }
        this.initial = initial;
        this.cap = cap;
        this.random = random;
        this.ceiling = initial;
    }

    /** The pause after one more failure. */
    public Duration next() {
        long most = ceiling.toNanos();
        Duration pause = Duration.ofNanos(most - random.nextLong(most / 2 + 1));
        Duration doubled = ceiling.multipliedBy(2);
        ceiling = doubled.compareTo(cap) < 0 ? doubled : cap;
        return pause;
    }

    /** Resets the pause: an attempt succeeded. */
    public void reset() {
        ceiling = initial;
    }
}
