package io.sluice.bench.e2e;

import io.sluice.bench.workload.Totals;
import java.io.IOException;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * All that a bridge brought to Kafka.
 *
 * @param records how many
 * @param bytes their keys and values
 * @param times when the rows came
 * @param totals the rows
 */
record Arrivals(long records, long bytes, AppendTimes times, Totals totals) {
    /** Reads all records up to {@code ends}. */
    static Arrivals read(TopicEnds topics, Map<TopicPartition, Long> ends, Form form) {
        RecordReader reader = RecordReader.of(form);
        ArrivedRows rows = new ArrivedRows();
        AppendTimes times = new AppendTimes();
        long[] counts = new long[2];
        topics.readAll(ends, record -> {
            counts[0]++;
            counts[1] += record.value().length + (record.key() == null ? 0 : record.key().length);
            long before = rows.changes();
            read(reader, record, rows);
            times.add(record.timestamp(), rows.changes() - before);
        });
        return new Arrivals(counts[0], counts[1], times, rows.totals());
    }

    private static void read(RecordReader reader, ConsumerRecord<byte[], byte[]> record, ArrivedRows rows) {
        try {
            reader.read(record.value(), rows);
        } catch (IOException | RuntimeException e) {
            throw new IllegalStateException(
                    "the record at %s-%d:%d is not what was asked for: %s"
                            .formatted(record.topic(), record.partition(), record.offset(), e),
                    e);
        }
    }

    /** How it differs from what was to come; null if it does not. */
    @Nullable String problem(Totals expected) {
        return totals.equals(expected) ? null : "expected %s, but %s came".formatted(expected, totals);
    }
}
