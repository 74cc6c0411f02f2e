package io.sluice.connector.kafka.produce;

import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.kafka.batch.BatchLimits;
import io.sluice.connector.kafka.batch.PreparedRecords;
import io.sluice.connector.kafka.batch.RecordBatch;
import io.sluice.connector.kafka.batch.RecordBatchWriter;
import java.util.ArrayList;
import java.util.List;

/** Writes the messages of a batch again, into batches as small as is necessary. Thread-safe. */
public final class BatchSplitter {
    private final RecordBatchWriter writer;
    private final BatchLimits limits;

    public BatchSplitter(RecordBatchWriter writer, BatchLimits limits) {
        this.writer = writer;
        this.limits = limits;
    }

    /** Makes batches within the limit of the topic; the same one if it is within, and was not sent. */
    List<OutgoingBatch> split(OutgoingBatch batch) {
        int limit = limits.limitOf(batch.records().topic());
        boolean fits = batch.records().count() == 1 || batch.records().sizeBytes() <= limit;
        return fits && !batch.hasSequence() ? List.of(batch) : rewrite(batch, limit);
    }

    /** Makes batches of one record. */
    List<OutgoingBatch> splitAll(OutgoingBatch batch) {
        return rewrite(batch, 0);
    }

    /** Lowers the limit of the topic of a batch that was too large. */
    void lowerLimit(OutgoingBatch batch) {
        limits.lower(batch.records().topic(), batch.records().sizeBytes());
    }

    private List<OutgoingBatch> rewrite(OutgoingBatch batch, int limit) {
        RecordBatch records = batch.records();
        List<Message> messages = new ArrayList<>(records.count());
        List<DeliveryCallback> callbacks = new ArrayList<>(records.count());
        for (int record = 0; record < records.count(); record++) {
            messages.add(records.message(record));
            callbacks.add(batch.callback(record));
        }
        PreparedRecords rewritten = writer.write(messages, topic -> limit);
        records.release();
        return rewritten.batches().stream()
                .map(next -> new OutgoingBatch(next, callbacks, batch.submittedNanos()))
                .toList();
    }
}
