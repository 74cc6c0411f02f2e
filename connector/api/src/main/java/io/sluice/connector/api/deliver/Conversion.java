package io.sluice.connector.api.deliver;

import io.sluice.connector.api.convert.BatchConverter;
import io.sluice.connector.api.route.PartitionsAwaitedException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Turns batches into messages.
 *
 * @param converter what does it
 * @param first runs a conversion
 * @param workers run what is left of it after a wait for the broker; for several senders perhaps
 */
record Conversion(BatchConverter converter, Executor first, Executor workers) {
    /** One by workers. */
    Conversion(BatchConverter converter, Executor workers) {
        this(converter, workers, workers);
    }

    /** Returns a conversion that the calling thread begins itself, which is quicker than to wake a worker where there is little to do. */
    Conversion here() {
        return new Conversion(converter, Runnable::run, workers);
    }

    /**
     * Has a worker do something. None waits for the broker: if a number of partitions is awaited, it is done again when that is answered.
     *
     * @param job continues where it was
     */
    <T> CompletableFuture<T> begin(Supplier<T> job) {
        return againWhenAnswered(CompletableFuture.supplyAsync(job, first), job);
    }

    private <T> CompletableFuture<T> againWhenAnswered(CompletableFuture<T> attempt, Supplier<T> job) {
        return attempt.exceptionallyCompose(failure -> {
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            if (!(cause instanceof PartitionsAwaitedException awaited)) {
                return CompletableFuture.failedFuture(failure);
            }
            return awaited.answer()
                    .handle((count, unknown) -> job) // it finds out by itself whether there is one
                    .thenCompose(next -> againWhenAnswered(CompletableFuture.supplyAsync(next, workers), next));
        });
    }
}
