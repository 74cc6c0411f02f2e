package io.sluice.bench.latency;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/** A consumer that records when rows arrive, on a thread of its own: at the return of the {@code poll} that has the row. */
final class Arrivals implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(500);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final Future<?> reading;
    private volatile @Nullable Moments moments;

    /** Starts to read a topic with one partition from its beginning. */
    Arrivals(String bootstrapServers, String topic) {
        consumer = new KafkaConsumer<>(
                Map.of(
                        ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        bootstrapServers,
                        ConsumerConfig.FETCH_MIN_BYTES_CONFIG,
                        1,
                        ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                        10_000),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        TopicPartition partition = new TopicPartition(topic, 0);
        consumer.assign(List.of(partition));
        consumer.seekToBeginning(List.of(partition));
        reading = thread.submit(this::read);
    }

    /** Records the rows that arrive from now on in {@code newest}. */
    void noteIn(Moments newest) {
        moments = newest;
    }

    /** Throws the consumer's failure if it has failed. */
    void requireReading() throws InterruptedException {
        if (reading.isDone()) {
            try {
                reading.get();
            } catch (ExecutionException e) {
                throw new IllegalStateException("the consumer has failed", e.getCause());
            }
        }
    }

    private void read() {
        try (consumer) {
            while (true) {
                ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
                long now = System.nanoTime();
                Moments current = moments;
                if (current != null) {
                    for (ConsumerRecord<byte[], byte[]> next : records) {
                        Stamp.findAll(next.value(), number -> current.arrived(number, now));
                    }
                }
            }
        } catch (WakeupException e) {
            // closed
        }
    }

    @Override
    public void close() {
        consumer.wakeup();
        thread.shutdown();
    }
}
