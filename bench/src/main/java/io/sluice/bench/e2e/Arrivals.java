package io.sluice.bench.e2e;

import io.sluice.bench.workload.Totals;
import java.io.IOException;
import java.util.Map;
import java.util.NavigableMap;
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
    static Arrivals read(TopicEnds from, Map<TopicPartition, Long> ends, RecordReader reader, Totals expected) {
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

    /**
     * Computes when rows arrived that are not kept, as if each record had the same number of rows.
     *
     * @param recordsByMillis the number of records over time, which never falls
     * @param rows the number of rows in all of them
     */
    static Arrivals unread(NavigableMap<Long, Long> recordsByMillis, long bytes, long rows, @Nullable String problem) {
        AppendTimes times = new AppendTimes();
        long records = recordsByMillis.lastEntry().getValue();
        long arrived = 0;
        for (Map.Entry<Long, Long> one : recordsByMillis.entrySet()) {
            long now = Math.round((double) rows * one.getValue() / records);
            if (now > arrived) {
                times.add(one.getKey(), now - arrived);
                arrived = now;
            }
        }
        return new Arrivals(records, bytes, times, "", problem);
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
