package io.sluice.client;

import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The search for a server by one call: the time that is left, the pause before the next attempt, and the last failure. For one thread. */
final class Search {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration MAX_PAUSE = Duration.ofSeconds(3);

    private Duration left;
    private Duration pause = Duration.ZERO;
    private @Nullable IOException last;

    Search(Duration patience) {
        this.left = patience;
    }

    /** How much time it still has, pulling not counted; may be negative. */
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

    /** How long to wait before the next attempt: not at all before the second, then ever longer. */
    Duration nextPause() {
        Duration current = pause;
        pause = pause.isZero() ? FIRST_PAUSE : shorter(pause.multipliedBy(2), MAX_PAUSE);
        return shorter(current, left);
    }

    /** Resets the back-off, since something has changed. */
    void hope() {
        pause = FIRST_PAUSE;
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
