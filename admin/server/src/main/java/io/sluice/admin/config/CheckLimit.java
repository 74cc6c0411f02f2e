package io.sluice.admin.config;

import io.sluice.admin.problem.ProblemException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.springframework.http.HttpStatus;

/**
 * Runs checks of texts, which cost processor time and memory that other requests need, only some at once; some more wait for their turn, and others
 * are rejected. Thread-safe.
 */
final class CheckLimit {
    private static final Duration RETRY_AFTER = Duration.ofSeconds(2);

    private final Semaphore admitted;
    private final Semaphore running;

    /**
     * Makes it.
     *
     * @param atOnce how many run at once
     * @param most how many run or wait
     */
    CheckLimit(int atOnce, int most) {
        this.admitted = new Semaphore(most);
        this.running = new Semaphore(atOnce, true);
    }

    /**
     * Runs a check when it is its turn.
     *
     * @throws ProblemException 429 if there are too many
     */
    <T> T run(Supplier<T> check) {
        if (!admitted.tryAcquire()) {
            throw ProblemException.tooManyRequests(
                    "Too many configurations are being checked. Try again in a moment.", RETRY_AFTER);
        }
        try {
            running.acquire();
            try {
                return check.get();
            } finally {
                running.release();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ProblemException.of(HttpStatus.SERVICE_UNAVAILABLE, "The admin server is stopping.");
        } finally {
            admitted.release();
        }
    }
}
