package io.sluice.connector.api.deliver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.connector.api.TextEntry;
import io.sluice.connector.api.convert.BatchConverter;
import io.sluice.connector.api.convert.OutgoingMessage;
import io.sluice.connector.api.deliver.failure.DeliveryFailure;
import io.sluice.connector.api.deliver.failure.RejectionPolicy;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.protocol.time.Backoff;
import io.sluice.protocol.time.Time;
import io.sluice.store.cursor.MemoryCursorStore;
import io.sluice.store.cursor.Subscription;
import io.sluice.store.ring.EntryRing;
import io.sluice.store.ring.RingConfig;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;

/**
 * Entries with the numbers from 0 on that a sender delivers while they are put, some hundred a second: so slowly that brokers which are disturbed have time for
 * something else. The text of a message is its number.
 */
public final class NumberedStream implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofMinutes(3);
    private static final int AT_ONCE = 4;
    private static final long PAUSE_NANOS = Duration.ofMillis(5).toNanos();

    private final EntryRing ring = new EntryRing(RingConfig.DEFAULT);
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final MessageProducer producer;
    private final BatchSender sender;
    private final Thread source;
    private volatile boolean isEnding;
    private volatile int put;

    private NumberedStream(
            SenderConfig config, BatchConverter converter, RejectionPolicy policy, MessageProducer producer) {
        this.producer = producer;
        MemoryCursorStore cursors = new MemoryCursorStore();
        cursors.subscribe(Subscription.QUEUE_CLIENT, "");
        sender = new BatchSender(
                config,
                ring,
                cursors,
                converter,
                Runnable::run,
                producer,
                new Backoff(Duration.ofMillis(50), Duration.ofSeconds(1), new Random(1)),
                Time.SYSTEM,
                policy,
                failure::set);
        source = new Thread(this::putUntilEnd, "numbers-" + config.instance());
        source.setDaemon(true);
    }

    /** Each number where it is last: a broker that stored a batch twice may have more. */
    public static List<Integer> lastCopies(List<Integer> numbers) {
        Set<Integer> last = new LinkedHashSet<>();
        for (Integer number : numbers) {
            last.remove(number);
            last.add(number);
        }
        return List.copyOf(last);
    }

    /**
     * Begins to put entries, and to send them.
     *
     * @param topicOf the topic of a number
     * @param partitionOf its partition
     * @param producer closed with the stream
     */
    public static NumberedStream start(
            SenderConfig config,
            IntFunction<String> topicOf,
            IntUnaryOperator partitionOf,
            RejectionPolicy policy,
            MessageProducer producer) {
        return start(
                config,
                number -> new Message(
                        topicOf.apply(number),
                        partitionOf.applyAsInt(number),
                        Integer.toString(number).getBytes(StandardCharsets.UTF_8)),
                policy,
                producer);
    }

    /**
     * Begins to put entries, and to send them.
     *
     * @param messageOf the message of a number
     * @param producer closed with the stream
     */
    public static NumberedStream start(
            SenderConfig config, IntFunction<Message> messageOf, RejectionPolicy policy, MessageProducer producer) {
        NumberedStream stream = new NumberedStream(config, toMessages(messageOf), policy, producer);
        stream.sender.start();
        stream.source.start();
        return stream;
    }

    private static BatchConverter toMessages(IntFunction<Message> messageOf) {
        return (batchId, entries) -> entries.stream()
                .map(TextEntry.class::cast)
                .map(entry -> OutgoingMessage.of(messageOf.apply(entry.number()), entry))
                .toList();
    }

    private void putUntilEnd() {
        try {
            for (int next = AT_ONCE; !isEnding; next += AT_ONCE) {
                ring.put(TextEntry.range(next - AT_ONCE, next));
                put = next;
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What the sender reports; fails if it has ended. */
    public SenderStatus status() {
        assertThat(failure.get()).isNull();
        return sender.status();
    }

    /** What the last failure says; empty if there was none. */
    public String lastFailure() {
        DeliveryFailure last = status().lastFailure();
        return last == null ? "" : String.valueOf(last.cause().getMessage());
    }

    /** Returns when the broker has confirmed so many of those that come from now on. */
    public void awaitMore(int entries) {
        awaitAcked(put + entries);
    }

    private void awaitAcked(long entries) {
        await().atMost(TIMEOUT)
                .until(() -> status() != null && ring.stats().acked().entries() >= entries);
    }

    /** Puts no more, and returns when the broker has confirmed all: how many they are. None may have been skipped. */
    public int end() throws InterruptedException {
        isEnding = true;
        source.join();
        awaitAcked(put);
        await().atMost(TIMEOUT).until(() -> status().batchesInFlight() == 0);
        assertThat(status().skippedMessages()).isZero();
        return put;
    }

    /** Ends it, whatever is not confirmed. */
    @Override
    public void close() throws InterruptedException {
        isEnding = true;
        source.interrupt();
        source.join();
        boolean isStopped = sender.stop(Duration.ofSeconds(30));
        producer.close(Duration.ofSeconds(1));
        assertThat(isStopped).isTrue();
    }
}
