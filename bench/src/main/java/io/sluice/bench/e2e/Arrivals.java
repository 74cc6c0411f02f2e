package io.sluice.bench.e2e;

import io.sluice.bench.record.ArrivedRows;
import io.sluice.bench.record.RecordReader;
import io.sluice.bench.workload.Totals;
import java.io.IOException;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * The records that a bridge sent to Kafka.
 *
 * @param records their number
 * @param bytes their keys and values
 * @param times when the rows arrived
 * @param fingerprint a hash over all rows; empty if they were not read
 * @param problem what is wrong with the rows; null if nothing is
 */
record Arrivals(
        long records,
        long bytes,
        AppendTimes times,
        String fingerprint,
        @Nullable String problem) {
    /** Reads all records up to {@code ends}. */
    static Arrivals read(KafkaTopics from, Map<TopicPartition, Long> ends, RecordReader reader, Totals expected) {
        ArrivedRows rows = new ArrivedRows();
        AppendTimes times = new AppendTimes();
        long[] counts = new long[2];
        from.readAll(ends, record -> {
            counts[0]++;
            counts[1] += record.value().length + (record.key() == null ? 0 : record.key().length);
            long before = rows.changes();
            read(reader, record, rows);
            times.add(record.timestamp(), rows.changes() - before);
        });
        return new Arrivals(counts[0], counts[1], times, rows.fingerprint(), rows.problem(expected));
    }

    private static void read(RecordReader reader, ConsumerRecord<byte[], byte[]> record, ArrivedRows rows) {
        try {
            reader.read(record.value(), rows);
        } catch (IOException | RuntimeException e) {
            throw new IllegalStateException(
                    "the record at %s-%d:%d cannot be read as %s: %s"
                            .formatted(
                                    record.topic(),
                                    record.partition(),
                                    record.offset(),
                                    reader.getClass().getSimpleName(),
                                    e),
                    e);
        }
    }
}
