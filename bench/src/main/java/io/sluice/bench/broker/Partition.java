package io.sluice.bench.broker;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.record.internal.DefaultRecordBatch;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.jspecify.annotations.Nullable;

/** Counts what was sent to a partition, and requires of each producer, like a broker, that no batch is missing. */
public final class Partition {
    private final Map<Long, Sequence> nextByProducer = new HashMap<>();
    private long records;
    private long bytes;

    private record Sequence(short epoch, int number) {}

    /** Counts a batch, by its header alone, and returns the offset of its first record. */
    synchronized long append(RecordBatch batch) {
        if (batch.hasProducerId()) {
            Sequence begin = new Sequence(batch.producerEpoch(), batch.baseSequence());
            @Nullable Sequence next = nextByProducer.get(batch.producerId());
            // A new epoch begins with sequence number 0.
            Sequence expected = next == null || next.epoch() < begin.epoch() ? new Sequence(begin.epoch(), 0) : next;
            if (!begin.equals(expected)) {
                throw new OutOfOrderSequenceException(
                        "producer %d sent %s instead of %s".formatted(batch.producerId(), begin, expected));
            }
            int following = DefaultRecordBatch.incrementSequence(batch.lastSequence(), 1);
            nextByProducer.put(batch.producerId(), new Sequence(begin.epoch(), following));
        }
        long first = records;
        records += Objects.requireNonNull(batch.countOrNull(), "batches have a count since Kafka 0.11");
        bytes += batch.sizeInBytes();
        return first;
    }

    /** The number of records, which is also the next offset. */
    public synchronized long records() {
        return records;
    }

    /** The size of all batches. */
    public synchronized long bytes() {
        return bytes;
    }
}
