package io.sluice.bench.e2e;

import io.sluice.bench.workload.Tables;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * A topic with one partition, seen from its end: asking how long it is costs next to nothing, so it does not disturb what is
 * measured. Records are read only after that. For one thread.
 */
final class TopicEnd implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final int TAIL_RECORDS = 16;
    private static final byte[] MARKER = Tables.MARKER_WORD.getBytes(StandardCharsets.UTF_8);

    private final TopicPartition partition;
    private final KafkaConsumer<byte[], byte[]> consumer;

    TopicEnd(String bootstrapServers, String topic) {
        this.partition = new TopicPartition(topic, 0);
        this.consumer = new KafkaConsumer<>(
                Map.of(
                        ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        bootstrapServers,
                        ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                        false,
                        ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                        "none",
                        ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                        5_000,
                        ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG,
                        16 << 20),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        consumer.assign(List.of(partition));
    }

    /** How many records were appended. */
    long offset() {
        Long end = consumer.endOffsets(List.of(partition)).get(partition);
        return end == null ? 0 : end;
    }

    /** When the first record was appended, in milliseconds since the epoch. */
    long firstAppendMillis(long end) {
        long[] millis = {-1};
        read(0, end, record -> millis[0] = millis[0] < 0 ? record.timestamp() : millis[0], true);
        return millis[0];
    }

    /** When the marker was appended that ends every workload; null if it is not among the last records. */
    @Nullable Long markerAppendMillis(long end) {
        @Nullable Long[] millis = {null};
        read(
                Math.max(0, end - TAIL_RECORDS),
                end,
                record -> {
                    if (holds(record.value(), MARKER)) {
                        millis[0] = record.timestamp();
                    }
                },
                false);
        return millis[0];
    }

    /** Hands on all records up to {@code end}. */
    void readAll(long end, Consumer<ConsumerRecord<byte[], byte[]>> receiver) {
        read(0, end, receiver, false);
    }

    private void read(long from, long end, Consumer<ConsumerRecord<byte[], byte[]>> receiver, boolean onlyFirstFetch) {
        consumer.seek(partition, from);
        boolean got = false;
        // The position, not a count: transactions leave offsets without records.
        while (consumer.position(partition) < end && !(got && onlyFirstFetch)) {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                if (record.offset() < end) {
                    receiver.accept(record);
                    got = true;
                }
            }
        }
    }

    private static boolean holds(byte[] value, byte[] part) {
        for (int at = 0; at <= value.length - part.length; at++) {
            int same = 0;
            while (same < part.length && value[at + same] == part[same]) {
                same++;
            }
            if (same == part.length) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void close() {
        consumer.close();
    }
}
