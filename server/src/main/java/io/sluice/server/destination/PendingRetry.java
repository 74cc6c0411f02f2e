package io.sluice.server.destination;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.protocol.time.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * When a destination is started again after a failure, if it is to be: after a rest, which is longer after each failure in a row. Thread-safe.
 */
final class PendingRetry {
    private static final Duration FIRST_REST = Duration.ofSeconds(10);
    private static final Duration LONGEST_REST = Duration.ofSeconds(320);

    /** Failures with more time between them are not in a row: more than the longest rest, and some time of good work. */
    private static final Duration IN_A_ROW = Duration.ofMinutes(15);

    @GuardedBy("this") private final Backoff rests;

    @GuardedBy("this") private long lastFailureMillis;

    private volatile @Nullable Instant due;

    /** @param random varies the rests */
    PendingRetry(RandomGenerator random) {
        this.rests = new Backoff(FIRST_REST, LONGEST_REST, random);
    }

    /** When the destination is started again; null if no retry is pending. */
    @Nullable Instant due() {
        return due;
    }

    /**
     * Notes a failure.
     *
     * @return when to retry; null if a retry is pending, which a client that asks for a lazy instance does not postpone
     */
    synchronized @Nullable Instant after(long failureMillis) {
        Instant known = due;
        if (known != null && known.toEpochMilli() > failureMillis) {
            return null;
        }
        if (failureMillis - lastFailureMillis > IN_A_ROW.toMillis()) {
            rests.reset();
        }
        lastFailureMillis = failureMillis;
        Instant next = Instant.ofEpochMilli(failureMillis).plus(rests.next());
        due = next;
        return next;
    }

    /** Begins the retry of a time, if that is the one that is pending. */
    synchronized boolean begin(Instant time) {
        boolean isPending = time.equals(due);
        if (isPending) {
            due = null;
        }
        return isPending;
    }

    /** Cancels what is pending: something else starts the destination, or stops it. */
    void cancel() {
        due = null;
    }
}
