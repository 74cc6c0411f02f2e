package io.sluice.connector.kafka;

import io.sluice.connector.api.deliver.NumberedStream;
import io.sluice.connector.api.deliver.SenderConfig;
import io.sluice.connector.api.deliver.SenderStatus;
import io.sluice.connector.api.deliver.failure.RejectionPolicy;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.connector.api.producer.ProducerContext;
import io.sluice.store.ring.BatchLimit;
import io.sluice.testkit.kafka.KafkaReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** A {@link NumberedStream} to the partitions of a topic, one after the other. */
final class TopicNumbers {
    private static final Duration TIMEOUT = Duration.ofMinutes(3);
    private static final int MORE = 40;

    /** Batches on their way to a broker that does not answer do not keep others from being sent. */
    private static final int MAX_IN_FLIGHT = 10_000;

    private final String topic;
    private final NumberedStream numbers;
    private volatile int partitions;

    /** Begins to send. */
    TopicNumbers(Sending sending, String topic, int partitions, Map<String, String> options) {
        this.topic = topic;
        this.partitions = partitions;
        Map<String, String> properties = new HashMap<>(options);
        properties.putAll(sending.options());
        this.numbers = NumberedStream.start(
                new SenderConfig(topic, BatchLimit.bytes(50 * 1024), Duration.ofMillis(100), MAX_IN_FLIGHT),
                number -> topic,
                number -> number % this.partitions,
                RejectionPolicy.STOP,
                new KafkaConnector().configure(properties).create(new ProducerContext(topic, Ownership.SOLE)));
    }

    String topic() {
        return topic;
    }

    /** What the sender counts, for messages. */
    SenderStatus status() {
        return numbers.status();
    }

    /** Also sends to the partitions that the topic has got since. */
    void usePartitions(int count) {
        partitions = count;
    }

    /** Waits until the brokers have confirmed what comes from now on. */
    void awaitProgress() {
        numbers.awaitMore(MORE);
    }

    /** Ends the numbers, and waits until all are confirmed; returns how many they are. */
    int end() throws InterruptedException {
        return numbers.end();
    }

    /** The numbers that the topic has, by partition. */
    Map<Integer, List<Integer>> stored(KafkaReader reader) {
        Map<Integer, List<Integer>> stored = new HashMap<>();
        for (ConsumerRecord<byte[], byte[]> next : reader.committed().readToEnd(topic, TIMEOUT)) {
            stored.computeIfAbsent(next.partition(), partition -> new ArrayList<>())
                    .add(Integer.valueOf(new String(next.value(), StandardCharsets.UTF_8)));
        }
        return stored;
    }

    /** Ends it, whatever is not confirmed. */
    void close() throws InterruptedException {
        numbers.close();
    }
}
