package io.sluice.server.api;

import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/**
 * Runs calls of one kind, which cost processor time or memory that delivery needs, only some at once; some more wait for their turn, and others
 * are rejected. Thread-safe.
 */
final class CallLimit {
    private final String tooMany;
    private final Semaphore admitted;
    private final Semaphore running;

    /**
     * Makes it.
     *
     * @param atOnce how many run at once
     * @param most how many run or wait
     * @param tooMany the reason why another one is rejected
     */
    CallLimit(int atOnce, int most, String tooMany) {
        this.tooMany = tooMany;
        this.admitted = new Semaphore(most);
        this.running = new Semaphore(atOnce, true);
    }

    /**
     * Runs a call when it is its turn.
     *
     * @throws ApiException if there are too many
     */
    ApiAnswer run(Supplier<ApiAnswer> call) {
        if (!admitted.tryAcquire()) {
            throw new ApiException(429, tooMany + ": try again in a moment");
        }
        try {
            running.acquire();
            try {
                return call.get();
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
