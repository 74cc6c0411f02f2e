package io.sluice.connector.pulsar;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.connector.api.deliver.NumberedStream;
import io.sluice.connector.api.deliver.SenderConfig;
import io.sluice.connector.api.deliver.SenderStatus;
import io.sluice.connector.api.deliver.failure.RejectionPolicy;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.connector.api.producer.ProducerContext;
import io.sluice.store.ring.BatchLimit;
import io.sluice.testkit.pulsar.PulsarReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * A {@link NumberedStream} to the partitions of a topic, one after the other. What the broker rejects is skipped, so that a failure that is taken for a
 * rejection is seen.
 */
final class TopicNumbers implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofMinutes(3);
    private static final int MORE = 100;

    /** One of so many messages is large, if any is. */
    private static final int LARGE_EACH = 40;

    private final String topic;
    private final NumberedStream numbers;
    private volatile int partitions;

    private TopicNumbers(
            String topic, int partitions, int largeBytes, RejectionPolicy policy, Map<String, String> properties) {
        this.topic = topic;
        this.partitions = partitions;
        this.numbers = NumberedStream.start(
                new SenderConfig(topic, BatchLimit.entries(20), Duration.ofMillis(100), 32),
                number -> messageOf(number, largeBytes),
                policy,
                new PulsarConnector().configure(properties).create(new ProducerContext(topic, Ownership.SOLE)));
    }

    /** Begins to send. */
    static TopicNumbers start(String topic, int partitions, Map<String, String> properties) {
        return start(topic, partitions, 0, properties);
    }

    /** Begins to send; some messages are so large, if that is not 0. */
    static TopicNumbers start(String topic, int partitions, int largeBytes, Map<String, String> properties) {
        return new TopicNumbers(topic, partitions, largeBytes, RejectionPolicy.SKIP, properties);
    }

    /** Begins to send; what the broker rejects is retried. */
    static TopicNumbers startRetrying(String topic, int partitions, Map<String, String> properties) {
        return new TopicNumbers(topic, partitions, 0, RejectionPolicy.RETRY, properties);
    }

    private Message messageOf(int number, int largeBytes) {
        byte[] value = Integer.toString(number).getBytes(StandardCharsets.US_ASCII);
        boolean isLarge = largeBytes > 0 && number % LARGE_EACH == 0;
        return new Message(topic, number % partitions, isLarge ? padded(value, largeBytes) : value);
    }

    private static byte[] padded(byte[] value, int length) {
        byte[] padded = new byte[length];
        Arrays.fill(padded, (byte) ' ');
        System.arraycopy(value, 0, padded, 0, value.length);
        return padded;
    }

    String topic() {
        return topic;
    }

    /** What the sender counts. */
    SenderStatus status() {
        return numbers.status();
    }

    /** What the last failure says; empty if there was none. */
    String lastFailure() {
        return numbers.lastFailure();
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
    Map<Integer, List<Integer>> stored(PulsarReader reader) {
        Map<Integer, List<Integer>> stored = new TreeMap<>();
        reader.readToEnd(topic, TIMEOUT)
                .forEach(message -> stored.computeIfAbsent(message.partition(), partition -> new ArrayList<>())
                        .add(Integer.valueOf(new String(message.value(), StandardCharsets.US_ASCII).strip())));
        return stored;
    }

    /**
     * Ends the numbers, and checks that none is missing, and that in each partition their last copies are in order.
     *
     * @return what the topic has, by partition
     */
    Map<Integer, List<Integer>> requireAllInOrder(PulsarReader reader) throws InterruptedException {
        int total = end();
        Map<Integer, List<Integer>> stored = stored(reader);
        for (int partition = 0; partition < partitions; partition++) {
            int wanted = partition;
            assertThat(NumberedStream.lastCopies(stored.getOrDefault(partition, List.of())))
                    .as("partition %d of %s, last failure: %s", partition, topic, lastFailure())
                    .isEqualTo(IntStream.range(0, total)
                            .filter(number -> number % partitions == wanted)
                            .boxed()
                            .toList());
        }
        return stored;
    }

    /** Ends it, whatever is not confirmed. */
    @Override
    public void close() throws InterruptedException {
        numbers.close();
    }
}
