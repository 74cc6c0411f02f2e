package io.sluice.connector.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.connector.api.convert.Converters;
import io.sluice.connector.api.deliver.BatchSender;
import io.sluice.connector.api.deliver.RejectionPolicy;
import io.sluice.connector.api.deliver.SenderConfig;
import io.sluice.connector.api.deliver.SenderStatus;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.connector.api.producer.ProducerContext;
import io.sluice.connector.api.route.Partitioning;
import io.sluice.connector.api.route.Route;
import io.sluice.connector.api.route.Router;
import io.sluice.format.entry.Entry;
import io.sluice.protocol.time.Backoff;
import io.sluice.protocol.time.Time;
import io.sluice.store.cursor.CursorStore;
import io.sluice.store.cursor.MemoryCursorStore;
import io.sluice.store.ring.BatchLimit;
import io.sluice.store.ring.EntryRing;
import io.sluice.store.ring.RingConfig;
import io.sluice.testkit.kafka.KafkaReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Sends the numbers from 0 on to the partitions of a topic, one after the other, until it is ended: a sender, its ring and its producer.
 * Numbers come so slowly that brokers which are disturbed have time for something else.
 */
final class NumberStream {
    private static final Duration TIMEOUT = Duration.ofSeconds(180);
    private static final int AT_ONCE = 20;
    private static final long PAUSE_NANOS = 10_000_000;

    /** Batches on their way to a broker that does not answer do not keep others from being sent. */
    private static final int MAX_IN_FLIGHT = 10_000;

    private final String topic;
    private final EntryRing ring = new EntryRing(RingConfig.growing(false));
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final MessageProducer producer;
    private final BatchSender sender;
    private final Thread feeder;

    private volatile int partitions;
    private volatile int put;
    private volatile boolean isEnding;

    /** Begins to send. */
    NumberStream(Sending sending, String topic, int partitions, Map<String, String> options) {
        this.topic = topic;
        this.partitions = partitions;
        Map<String, String> properties = new HashMap<>(options);
        properties.putAll(sending.options());
        MemoryCursorStore cursors = new MemoryCursorStore();
        cursors.subscribe(CursorStore.QUEUE_CLIENT, "");
        producer = new KafkaConnector().configure(properties).create(new ProducerContext(topic, Ownership.SOLE));
        sender = new BatchSender(
                new SenderConfig(topic, BatchLimit.bytes(50 * 1024), Duration.ofMillis(100), MAX_IN_FLIGHT),
                ring,
                cursors,
                Converters.OF_TEXTS.flat(new ByTable(topic), Time.SYSTEM),
                Runnable::run,
                producer,
                new Backoff(Duration.ofMillis(100), Duration.ofSeconds(1), new Random(1)),
                Time.SYSTEM,
                RejectionPolicy.STOP,
                failure::set);
        sender.start();
        feeder = new Thread(this::feed, "numbers-" + topic);
        feeder.setDaemon(true);
        feeder.start();
    }

    /** The name of a table is its partition. */
    private record ByTable(String topic) implements Router {
        @Override
        public Route route(String schema, String table) {
            return new Route(topic, new Partitioning.One(Integer.parseInt(table)));
        }

        @Override
        public boolean isFixed() {
            return false;
        }
    }

    private void feed() {
        try {
            while (!isEnding) {
                int first = put;
                int count = partitions;
                List<Entry> entries = IntStream.range(first, first + AT_ONCE)
                        .<Entry>mapToObj(number -> new NumberEntry(number, 100, Integer.toString(number % count)))
                        .toList();
                ring.put(entries);
                put = first + AT_ONCE;
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    String topic() {
        return topic;
    }

    /** What the sender counts, for messages. */
    SenderStatus status() {
        return sender.status();
    }

    /** Also sends to the partitions that the topic has got since. */
    void usePartitions(int count) {
        partitions = count;
    }

    /** Waits until the brokers have confirmed what comes from now on. */
    void awaitProgress() {
        int target = put + 2 * AT_ONCE;
        await("progress of " + topic)
                .atMost(TIMEOUT)
                .until(() -> ring.stats().acked().entries() >= target || failure.get() != null);
        assertThat(failure.get()).isNull();
    }

    /** Ends the numbers, and waits until all are confirmed; returns how many they are. */
    int end() throws InterruptedException {
        isEnding = true;
        feeder.join();
        int total = put;
        await("all of " + topic)
                .atMost(TIMEOUT)
                .until(() -> ring.stats().acked().entries() == total || failure.get() != null);
        assertThat(failure.get()).isNull();
        return total;
    }

    /** The numbers that the topic has, by partition. */
    Map<Integer, List<Integer>> stored(KafkaReader reader) {
        Map<Integer, List<Integer>> stored = new HashMap<>();
        for (ConsumerRecord<byte[], byte[]> next : reader.committed().readToEnd(topic, TIMEOUT)) {
            int number = Integer.parseInt(new String(next.value(), StandardCharsets.UTF_8).trim());
            stored.computeIfAbsent(next.partition(), partition -> new ArrayList<>())
                    .add(number);
        }
        return stored;
    }

    /** Ends it, whatever is not confirmed. */
    void close() throws InterruptedException {
        isEnding = true;
        feeder.interrupt();
        boolean unused = sender.stop(TIMEOUT);
        producer.close(Duration.ZERO);
    }
}
