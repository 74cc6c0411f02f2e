package io.sluice.testkit.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads all records of a topic from the first on, without a consumer group.
 *
 * <p>Records of one partition come in their order; those of several come interleaved. A topic that is not there yet is
 * waited for.
 */
public final class KafkaReader {
    private static final Duration POLL = Duration.ofMillis(100);
    private static final String ALL = "read_uncommitted";

    private final String bootstrapServers;
    private final String isolation;

    /** A reader of the brokers at the given addresses. */
    public KafkaReader(String bootstrapServers) {
        this(bootstrapServers, ALL);
    }

    private KafkaReader(String bootstrapServers, String isolation) {
        this.bootstrapServers = bootstrapServers;
        this.isolation = isolation;
    }

    /** Returns a reader that skips the records of aborted transactions, and waits for the end of open ones. */
    public KafkaReader committed() {
        return new KafkaReader(bootstrapServers, "read_committed");
    }

    /** All records up to those with which the condition first holds; fails if it does not hold in time. */
    public List<ConsumerRecord<byte[], byte[]>> readUntil(
            String topic, Predicate<List<ConsumerRecord<byte[], byte[]>>> condition, Duration atMost) {
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        read(topic, records::add, () -> condition.test(records), atMost);
        return records;
    }

    /** The first so many records of a topic, and those that came along with them. */
    public List<ConsumerRecord<byte[], byte[]>> readAtLeast(String topic, int count, Duration atMost) {
        return readUntil(topic, records -> records.size() >= count, atMost);
    }

    /**
     * What a topic holds now. A reader of committed records waits for the end of the transactions that are open: that of one
     * whose commit was answered may be a moment away.
     */
    public List<ConsumerRecord<byte[], byte[]>> readToEnd(String topic, Duration atMost) {
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        long deadline = System.nanoTime() + atMost.toNanos();
        try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
            List<TopicPartition> partitions = assign(consumer, topic, deadline);
            Map<TopicPartition, Long> ends = ends(partitions);
            while (partitions.stream().anyMatch(p -> consumer.position(p) < ends.getOrDefault(p, 0L))) {
                poll(consumer, topic, records::add, deadline);
            }
        }
        return records;
    }

    private Map<TopicPartition, Long> ends(List<TopicPartition> partitions) {
        try (KafkaConsumer<byte[], byte[]> consumer = consumer(ALL)) {
            return consumer.endOffsets(partitions);
        }
    }

    /**
     * Hands on record by record, for topics that would not fit into memory, until the condition holds; fails if it does
     * not hold in time. The condition is asked before the first record and after each fetch.
     */
    public void read(
            String topic,
            Consumer<ConsumerRecord<byte[], byte[]>> receiver,
            BooleanSupplier condition,
            Duration atMost) {
        long deadline = System.nanoTime() + atMost.toNanos();
        try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
            assign(consumer, topic, deadline);
            while (!condition.getAsBoolean()) {
                poll(consumer, topic, receiver, deadline);
            }
        }
    }

    private static List<TopicPartition> assign(KafkaConsumer<byte[], byte[]> consumer, String topic, long deadline) {
        List<TopicPartition> partitions = List.of();
        while (partitions.isEmpty()) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("there is no topic " + topic);
            }
            partitions = consumer.partitionsFor(topic).stream()
                    .map(p -> new TopicPartition(topic, p.partition()))
                    .toList();
            if (partitions.isEmpty()) {
                pause();
            }
        }
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
        return partitions;
    }

    private static void poll(
            KafkaConsumer<byte[], byte[]> consumer,
            String topic,
            Consumer<ConsumerRecord<byte[], byte[]>> receiver,
            long deadline) {
        if (System.nanoTime() - deadline > 0) {
            long records =
                    consumer.assignment().stream().mapToLong(consumer::position).sum();
            throw new IllegalStateException(
                    "after %d records of topic %s nothing more came in time".formatted(records, topic));
        }
        consumer.poll(POLL).forEach(receiver);
    }

    private static void pause() {
        LockSupport.parkNanos(POLL.toNanos());
    }

    private KafkaConsumer<byte[], byte[]> consumer() {
        return consumer(isolation);
    }

    private KafkaConsumer<byte[], byte[]> consumer(String isolationLevel) {
        return new KafkaConsumer<>(
                Map.of(
                        ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        bootstrapServers,
                        ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                        false,
                        ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                        "earliest",
                        ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG,
                        false,
                        ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                        5_000,
                        ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                        isolationLevel),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
    }
}
