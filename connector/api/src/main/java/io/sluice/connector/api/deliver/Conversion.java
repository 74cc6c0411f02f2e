package io.sluice.connector.api.deliver;

import io.sluice.connector.api.convert.BatchConverter;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Turns batches into messages.
 *
 * @param converter what does it
 * @param workers run it, for several senders perhaps
 */
record Conversion(BatchConverter converter, Executor workers) {
    /** The same by the thread that asks for it, which is quicker than to wake a worker where there is little to do. */
    Conversion here() {
        return new Conversion(converter, Runnable::run);
    }

    /** Has a worker do something. */
    <T> CompletableFuture<T> begin(Supplier<T> job) {
        return CompletableFuture.supplyAsync(job, workers);
    }
}
