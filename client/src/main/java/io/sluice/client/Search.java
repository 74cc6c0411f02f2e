package io.sluice.client;

import io.sluice.protocol.time.Backoff;
import java.io.IOException;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The search for a server by one call: the time that is left, the pause before the next attempt, and the last failure. For one thread. */
final class Search {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration MAX_PAUSE = Duration.ofSeconds(3);

    private final Backoff pauses;

    private Duration left;
    private boolean isFirst = true;
    private @Nullable IOException last;

    /**
     * Begins with the whole time left.
     *
     * @param timeout how long the search may last
     * @param random varies the back-off, so that clients that lost a server together do not look for another together
     */
    Search(Duration timeout, RandomGenerator random) {
        this.left = timeout;
        this.pauses = new Backoff(FIRST_PAUSE, MAX_PAUSE, random);
    }

    /** How much time it still has; may be negative. */
    Duration left() {
        return left;
    }

    boolean isOver() {
        return left.isZero() || left.isNegative();
    }

    void spend(Duration time) {
        left = left.minus(time);
    }

    void failed(IOException cause) {
        last = cause;
    }

    @Nullable IOException lastFailure() {
        return last;
    }

    /** How long to wait before the next attempt: not at all at first, then ever longer. */
    Duration nextPause() {
        if (isFirst) {
            isFirst = false;
            return Duration.ZERO;
        }
        Duration pause = pauses.next();
        return pause.compareTo(left) < 0 ? pause : left;
    }

    /** Resets the back-off, since something has changed. */
    void resetPauses() {
        pauses.reset();
    }
}
