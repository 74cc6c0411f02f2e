package io.sluice.connector.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.connector.api.TextEntry;
import io.sluice.connector.api.convert.BatchConverter;
import io.sluice.connector.api.convert.OutgoingMessage;
import io.sluice.connector.api.deliver.BatchSender;
import io.sluice.connector.api.deliver.RejectionPolicy;
import io.sluice.connector.api.deliver.SenderConfig;
import io.sluice.connector.api.deliver.SenderStatus;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.connector.api.producer.ProducerContext;
import io.sluice.protocol.time.Backoff;
import io.sluice.protocol.time.Time;
import io.sluice.store.cursor.CursorStore;
import io.sluice.store.cursor.MemoryCursorStore;
import io.sluice.store.ring.BatchLimit;
import io.sluice.store.ring.EntryRing;
import io.sluice.store.ring.RingConfig;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * Entries with the numbers from 0 on that a sender delivers while they are put, some hundred a second, to some topics in turn. What the broker rejects is skipped, so
 * that a failure that is taken for a rejection is seen.
 */
final class NumberedStream implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final long PAUSE_NANOS = Duration.ofMillis(5).toNanos();
    private static final int AT_A_TIME = 4;

    private final EntryRing ring = new EntryRing(RingConfig.DEFAULT);
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final ExecutorService pool = Executors.newFixedThreadPool(2);
    private final MessageProducer producer;
    private final BatchSender sender;
    private final Thread source = new Thread(this::putUntilEnd, "source");
    private volatile boolean hasEnded;
    private volatile int count;

    private NumberedStream(String destination, Map<String, String> properties, List<String> topics) {
        producer = new RabbitConnector().configure(properties).create(new ProducerContext(destination, Ownership.SOLE));
        MemoryCursorStore cursors = new MemoryCursorStore();
        cursors.subscribe(CursorStore.QUEUE_CLIENT, "");
        sender = new BatchSender(
                new SenderConfig(destination, BatchLimit.entries(20), Duration.ofMillis(100), 32),
                ring,
                cursors,
                toTopics(topics),
                pool,
                producer,
                new Backoff(Duration.ofMillis(50), Duration.ofSeconds(1), new Random(1)),
                Time.SYSTEM,
                RejectionPolicy.SKIP,
                failure::set);
    }

    /** Begins to put entries, and to send them. */
    static NumberedStream start(String destination, Map<String, String> properties, String... topics) {
        NumberedStream stream = new NumberedStream(destination, properties, List.of(topics));
        stream.sender.start();
        stream.source.start();
        return stream;
    }

    private static BatchConverter toTopics(List<String> topics) {
        return (batchId, entries) -> entries.stream()
                .map(TextEntry.class::cast)
                .map(entry -> OutgoingMessage.of(
                        new Message(
                                topics.get(entry.number() % topics.size()),
                                0,
                                entry.text().getBytes(StandardCharsets.UTF_8)),
                        entry))
                .toList();
    }

    private void putUntilEnd() {
        try {
            while (!hasEnded) {
                ring.put(TextEntry.range(count, count + AT_A_TIME));
                count += AT_A_TIME;
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What the sender reports; fails if it has ended. */
    SenderStatus status() {
        assertThat(failure.get()).isNull();
        return sender.status();
    }

    /** What the last failure says; empty if there was none. */
    String lastFailure() {
        return status().lastFailure() == null
                ? ""
                : String.valueOf(status().lastFailure().cause().getMessage());
    }

    /** Returns when so many more entries are acked than now. */
    void awaitMore(int entries) {
        long enough = acked() + entries;
        await().atMost(TIMEOUT).until(() -> status() != null && acked() >= enough);
    }

    private long acked() {
        return ring.stats().acked().entries();
    }

    /** Puts no more, and returns when all are acked: how many they are. None may have been skipped. */
    int end() throws InterruptedException {
        hasEnded = true;
        source.join();
        await().atMost(TIMEOUT).until(() -> status() != null && acked() == count);
        await().atMost(TIMEOUT).until(() -> status().batchesInFlight() == 0);
        assertThat(status().skippedMessages()).isZero();
        return count;
    }

    @Override
    public void close() throws InterruptedException {
        hasEnded = true;
        source.interrupt();
        source.join();
        boolean isStopped = sender.stop(Duration.ofSeconds(1));
        producer.close(Duration.ofSeconds(1));
        pool.shutdownNow();
        assertThat(isStopped).isTrue();
    }
}
