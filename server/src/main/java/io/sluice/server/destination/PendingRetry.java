package io.sluice.server.destination;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.protocol.time.Backoff;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** How long a destination rests after a failure: longer after each one in a row. Thread-safe. */
final class FailureRests {
    private static final Duration FIRST_REST = Duration.ofSeconds(10);
    private static final Duration LONGEST_REST = Duration.ofSeconds(320);

    /** Failures with more time between them are not in a row: more than the longest rest, and some time of good work. */
    private static final Duration IN_A_ROW = Duration.ofMinutes(15);

    @GuardedBy("this") private final Backoff rests;

    @GuardedBy("this") private long lastFailureMillis;

    /** @param random varies the rests */
    FailureRests(RandomGenerator random) {
        this.rests = new Backoff(FIRST_REST, LONGEST_REST, random);
    }

    /** Notes a failure, and returns how long to rest after it. */
    synchronized Duration after(long failureMillis) {
        if (failureMillis - lastFailureMillis > IN_A_ROW.toMillis()) {
            rests.reset();
        }
        lastFailureMillis = failureMillis;
        return rests.next();
    }
}
