package io.sluice.connector.api.deliver;

import io.sluice.connector.api.convert.BatchConverter;
import io.sluice.connector.api.convert.OutgoingRecord;
import io.sluice.store.entry.ChangeId;
import io.sluice.store.entry.Entry;
import io.sluice.store.ring.Batch;
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
    /** The same by the thread that asks for it, which is quicker than to wake a worker where there is little to do. */
    Conversion here() {
        return new Conversion(converter, Runnable::run);
    }

    /** Begins to convert a batch; {@code then} is done by the worker, too. */
    <T> CompletableFuture<T> begin(Batch batch, Function<List<OutgoingRecord>, T> then) {
        return CompletableFuture.supplyAsync(
                () -> {
                    List<OutgoingRecord> records = converter.convert(batch.id(), batch.entries());
                    long unused = batch.rows(); // known without effort now, and asked for when the batch is acked
                    return then.apply(records);
                },
                workers);
    }

    /**
     * What a record of a batch carries, in records as small as can be, in their order; itself if it cannot be cut.
     *
     * <p>They are found among those of its lane by the changes that they begin with, since the order is the same.
     */
    List<OutgoingRecord> pieces(Batch batch, OutgoingRecord record) {
        Lane lane = Lane.of(record.message());
        List<OutgoingRecord> singles = converter.singly().convert(batch.id(), batch.entries()).stream()
                .filter(single -> Lane.of(single.message()).equals(lane))
                .toList();
        int begin = indexOf(record.first(), singles, 0);
        int last = begin < 0 ? -1 : indexOf(record.last(), singles, begin);
        if (last < 0) {
            return List.of(record);
        }
        int rows = record.last().rowCount();
        boolean isCut = rows > 1 && singles.get(last).first().rowCount() < rows;
        return singles.subList(begin, Math.min(singles.size(), isCut ? last + rows : last + 1));
    }

    /** The first record, from one on, that begins where an entry begins; negative if there is none. */
    private static int indexOf(Entry entry, List<OutgoingRecord> records, int from) {
        ChangeId sought = entry.changeId();
        for (int i = from; i < records.size(); i++) {
            ChangeId found = records.get(i).first().changeId();
            if (found.offset() == sought.offset()
                    && found.row() == sought.row()
                    && found.part() == sought.part()
                    && found.sequence() == sought.sequence()
                    && found.file().equals(sought.file())
                    && found.serverId() == sought.serverId()) {
                return i;
            }
        }
        return -1;
    }
}
