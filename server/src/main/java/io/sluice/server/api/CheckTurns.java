package io.sluice.server.api;

import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/**
 * Runs checks of texts, which cost processor time that delivery needs, only some at once; some more wait for their turn, and others are
 * rejected. Thread-safe.
 */
final class CheckTurns {
    private final Semaphore admitted;
    private final Semaphore running;

    /**
     * Makes it.
     *
     * @param atOnce how many run at once
     * @param most how many run or wait
     */
    CheckTurns(int atOnce, int most) {
        this.admitted = new Semaphore(most);
        this.running = new Semaphore(atOnce, true);
    }

    /**
     * Runs a check when it is its turn.
     *
     * @throws ApiException if there are too many
     */
    ApiAnswer run(Supplier<ApiAnswer> check) {
        if (!admitted.tryAcquire()) {
            throw new ApiException(429, "too many configurations are being checked: try again in a moment");
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
            throw new ApiException(503, "the server is stopping");
        } finally {
            admitted.release();
        }
    }
}
