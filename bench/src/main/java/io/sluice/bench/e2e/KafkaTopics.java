package io.sluice.bench.e2e;

import io.sluice.bench.bridge.Bridge;
import io.sluice.bench.record.RecordReader;
import io.sluice.bench.workload.Tables;
import io.sluice.bench.workload.Totals;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Topics of Kafka, whose records are read after a measurement. */
final class KafkaTopics implements Topics {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final int FETCHED_BYTES = 64 << 20;
    private static final int TAIL_RECORDS = 16;
    private static final byte[] MARKER = Tables.MARKER_WORD.getBytes(StandardCharsets.UTF_8);

    private final List<String> topics;
    private final List<TopicPartition> partitions = new ArrayList<>();
    private final Admin admin;
    private final KafkaConsumer<byte[], byte[]> consumer;

    /**
     * Creates the topics.
     *
     * @param partitionsEach the number of partitions of each topic
     */
    KafkaTopics(String bootstrapServers, List<String> topics, int partitionsEach) {
        this.topics = List.copyOf(topics);
        admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers));
        await(admin.createTopics(topics.stream()
                        .map(name -> new NewTopic(name, Optional.of(partitionsEach), Optional.empty())
                                .configs(Map.of("message.timestamp.type", "LogAppendTime")))
                        .toList())
                .all());
        for (String topic : topics) {
            for (int i = 0; i < partitionsEach; i++) {
                partitions.add(new TopicPartition(topic, i));
            }
        }
        consumer = new KafkaConsumer<>(
                Map.of(
                        ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        bootstrapServers,
                        ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                        false,
                        ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                        "none",
                        // A consumer may hold this much of every partition at once.
                        ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG,
                        FETCHED_BYTES / partitions.size()),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        consumer.assign(partitions);
    }

    @Override
    public Map<TopicPartition, Long> ends() {
        return consumer.endOffsets(partitions);
    }

    private static <T> T await(KafkaFuture<T> answer) {
        return answer.toCompletionStage().toCompletableFuture().join();
    }

    /** Looks for the marker that ends every workload among the last records of each partition. */
    @Override
    public boolean isComplete(Bridge bridge, Totals expected) {
        Map<TopicPartition, Long> ends = ends();
        Map<TopicPartition, Long> tails = new HashMap<>();
        ends.forEach((partition, end) -> tails.put(partition, Math.max(0, end - TAIL_RECORDS)));
        boolean[] found = {false};
        read(tails, ends, record -> found[0] |= record.value() != null && holds(record.value(), MARKER));
        return found[0];
    }

    @Override
    public Arrivals arrivals(Watch.Arrival seen, RecordReader reader, Totals expected) {
        return Arrivals.read(this, seen.ends(), reader, expected);
    }

    /** Passes all records up to {@code ends} to the receiver, those of a partition in their order. */
    void readAll(Map<TopicPartition, Long> ends, Consumer<ConsumerRecord<byte[], byte[]>> receiver) {
        Map<TopicPartition, Long> beginnings = new HashMap<>();
        partitions.forEach(partition -> beginnings.put(partition, 0L));
        read(beginnings, ends, receiver);
    }

    private void read(
            Map<TopicPartition, Long> from,
            Map<TopicPartition, Long> ends,
            Consumer<ConsumerRecord<byte[], byte[]>> receiver) {
        from.forEach(consumer::seek);
        // Not a count of records: transactions leave offsets without records.
        while (partitions.stream().anyMatch(partition -> consumer.position(partition) < end(ends, partition))) {
            ConsumerRecords<byte[], byte[]> fetched = consumer.poll(POLL);
            for (TopicPartition partition : fetched.partitions()) {
                for (ConsumerRecord<byte[], byte[]> record : fetched.records(partition)) {
                    if (record.offset() < end(ends, partition)) {
                        receiver.accept(record);
                    }
                }
            }
        }
    }

    private static long end(Map<TopicPartition, Long> ends, TopicPartition partition) {
        return ends.getOrDefault(partition, 0L);
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
        await(admin.deleteTopics(topics).all());
        admin.close();
    }
}
