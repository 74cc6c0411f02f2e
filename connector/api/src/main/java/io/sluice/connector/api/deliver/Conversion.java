package io.sluice.connector.api.deliver;

import io.sluice.connector.api.convert.BatchConverter;
import io.sluice.connector.api.convert.OutgoingMessage;
import io.sluice.store.ring.Batch;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;

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

    /** Begins to convert a batch by a converter {@link BatchConverter#forBatch of its own}; {@code then} is done by the worker, too. */
    <T> CompletableFuture<T> begin(Batch batch, BatchConverter own, Function<List<OutgoingMessage>, T> then) {
        return CompletableFuture.supplyAsync(
                () -> {
                    List<OutgoingMessage> messages = own.convert(batch.id(), batch.entries());
                    long unused = batch.rows(); // known without effort now, and asked for when the batch is acked
                    return then.apply(messages);
                },
                workers);
    }
}
