package io.sluice.connector.api.deliver;

import io.sluice.connector.api.convert.BatchConverter;
import io.sluice.connector.api.convert.OutgoingRecord;
import io.sluice.store.entry.Entry;
import io.sluice.store.ring.Batch;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * Turns batches into records.
 *
 * @param converter what does it
 * @param workers run it, for several senders perhaps
 */
record Conversion(BatchConverter converter, Executor workers) {
    /** Begins to convert a batch; {@code then} is done by the worker, too. */
    <T> CompletableFuture<T> begin(Batch batch, Function<List<OutgoingRecord>, T> then) {
        return CompletableFuture.supplyAsync(() -> then.apply(converter.convert(batch.id(), batch.entries())), workers);
    }

    /** What a record of a batch carries, in records of one entry each, in their order; itself if it cannot be cut. */
    List<OutgoingRecord> pieces(Batch batch, OutgoingRecord record) {
        if (record.isOfOneEntry()) {
            return List.of(record);
        }
        Lane lane = Lane.of(record.message());
        List<OutgoingRecord> pieces = new ArrayList<>();
        boolean within = false;
        for (Entry entry : batch.entries()) {
            within |= entry == record.first();
            if (within) {
                converter.convert(batch.id(), List.of(entry)).stream()
                        .filter(piece -> Lane.of(piece.message()).equals(lane))
                        .forEach(pieces::add);
            }
            if (entry == record.last()) {
                break;
            }
        }
        return pieces;
    }
}
