package io.sluice.connector.kafka;

import static io.sluice.testkit.time.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.connector.api.convert.Converters;
import io.sluice.connector.api.deliver.BatchSender;
import io.sluice.connector.api.deliver.SenderConfig;
import io.sluice.connector.api.deliver.failure.MessageRejectedException;
import io.sluice.connector.api.deliver.failure.RejectionPolicy;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.connector.api.producer.ProducerContext;
import io.sluice.connector.api.route.FixedRouter;
import io.sluice.protocol.time.Backoff;
import io.sluice.protocol.time.Time;
import io.sluice.store.cursor.MemoryCursorStore;
import io.sluice.store.cursor.Subscription;
import io.sluice.store.ring.BatchLimit;
import io.sluice.store.ring.EntryRing;
import io.sluice.store.ring.RingConfig;
import io.sluice.testkit.kafka.KafkaOptions;
import io.sluice.testkit.kafka.KafkaReader;
import io.sluice.testkit.kafka.KafkaServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Transactions against a real broker: what a reader of committed records sees, and what a former owner can still do. */
@Timeout(600)
class TransactionalKafkaIT {
    private static final Logger LOG = LoggerFactory.getLogger(TransactionalKafkaIT.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(90);

    /** Limits by which an attempt fails soon. Others fail by them, too, where the machine is slow. */
    private static final Map<String, String> IMPATIENT = Map.of(
            "kafka.request.timeout.ms", "3000",
            "kafka.delivery.timeout.ms", "6000",
            "kafka.max.block.ms", "6000");

    private static KafkaServer kafka;

    private final ExecutorService pool = Executors.newFixedThreadPool(3);
    private final List<MessageProducer> producers = new ArrayList<>();
    private final EntryRing ring = new EntryRing(RingConfig.DEFAULT);
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private BatchSender sender;

    @BeforeAll
    static void startBroker() {
        kafka = KafkaServer.start(
                KafkaOptions.defaults().with("transaction.abort.timed.out.transaction.cleanup.interval.ms", "200"));
    }

    @AfterAll
    static void stopBroker() {
        kafka.close();
    }

    @AfterEach
    void stop() throws InterruptedException {
        if (sender != null) {
            assertThat(sender.stop(TIMEOUT)).isTrue();
        }
        producers.forEach(producer -> producer.close(Duration.ofSeconds(5)));
        pool.shutdownNow();
    }

    /**
     * An attempt fails while the broker is gone; of its records, readers see the last copies only. The broker goes while a
     * transaction takes records: one that only waits for its commit does not fail, but waits until the broker is back.
     */
    @Test
    void readersOfCommittedRecordsSeeEachOnce() throws Exception {
        kafka.createTopic("once", 1);
        GatedOwnership gate = new GatedOwnership();
        start("once", gate, IMPATIENT);
        AtomicBoolean isGone = new AtomicBoolean();
        long begin = System.nanoTime();
        Future<Integer> put = pool.submit(() -> NumberEntry.putUntil(isGone::get, 60_000, ring));
        await().until(() -> ring.stats().acked().entries() > 1000);

        gate.stopAtLookOf("sender-shop");
        gate.awaitStop();
        kafka.kill();
        isGone.set(true);
        gate.wakeUp();
        await().until(() -> sender.status().failures() >= 1);
        kafka.restart();

        int total = put.get();
        await().atMost(TIMEOUT.multipliedBy(4)).until(() -> ring.stats().acked().entries() == total);
        LOG.warn("records={} millis={}", total, (System.nanoTime() - begin) / 1_000_000);
        assertThat(committed("once"))
                .containsExactlyElementsOf(
                        IntStream.range(0, total).mapToObj(Integer::toString).toList());
    }

    /** It was stopped before it handed its record to the broker: the broker takes nothing of it. */
    @Test
    void aFormerOwnerThatWakesUpBeforeItsWriteWritesNothing() throws Exception {
        kafka.createTopic("woken-before", 1);
        GatedOwnership gate = new GatedOwnership();
        MessageProducer former = producer("woken-before", gate, Map.of());
        assertThat(Answer.to(former, "woken-before", 0, "first").kind()).isNull();

        gate.stopAtLook(1);
        Future<Answer> late = pool.submit(() -> Answer.to(former, "woken-before", 0, "late"));
        gate.awaitStop();
        MessageProducer later = producer("woken-before", Ownership.SOLE, Map.of());
        assertThat(Answer.to(later, "woken-before", 0, "second").kind()).isNull();
        gate.wakeUp();

        assertThat(late.get().kind()).isEqualTo(FailureKind.BROKEN);
        assertThat(late.get().cause())
                .hasMessageContaining("another process uses the transactional id test-woken-before");
        assertThat(texts(kafka.reader(), "woken-before")).containsExactly("first", "second");
    }

    /** It was stopped with its record written and not committed: no careful reader ever sees it, and it stays out. */
    @Test
    void aFormerOwnerThatWakesUpBeforeItsCommitCommitsNothing() throws Exception {
        kafka.createTopic("woken-behind", 1);
        GatedOwnership gate = new GatedOwnership();
        MessageProducer former = producer("woken-behind", gate, Map.of());
        assertThat(Answer.to(former, "woken-behind", 0, "first").kind()).isNull();

        gate.stopAtLook(2);
        Answer late = Answer.to(former, "woken-behind", 0, "late");
        gate.awaitStop();
        MessageProducer later = producer("woken-behind", Ownership.SOLE, Map.of());
        assertThat(Answer.to(later, "woken-behind", 0, "second").kind()).isNull();
        gate.wakeUp();

        assertThat(late.kind()).isEqualTo(FailureKind.BROKEN);
        former.restart();
        assertThat(Answer.to(former, "woken-behind", 0, "later still").kind()).isEqualTo(FailureKind.BROKEN);
        assertThat(Answer.to(later, "woken-behind", 0, "third").kind()).isNull();
        assertThat(committed("woken-behind")).containsExactly("first", "second", "third");
    }

    /** A producer that was stopped for longer than the transaction timeout continues if no other producer has begun. */
    @Test
    void aTransactionThatTookTooLongIsDoneAgain() throws Exception {
        kafka.createTopic("slow", 1);
        GatedOwnership gate = new GatedOwnership();
        MessageProducer producer = producer("slow", gate, Map.of("kafka.transaction.timeout.ms", "10000"));
        assertThat(Answer.to(producer, "slow", 0, "first").kind()).isNull();

        gate.stopAtLook(2);
        Answer slow = Answer.to(producer, "slow", 0, "slow");
        gate.awaitStop();
        await().until(() -> stateOf("test-slow") == TransactionState.COMPLETE_ABORT);
        gate.wakeUp();

        assertThat(slow.kind()).isEqualTo(FailureKind.PASSING);
        producer.restart();
        assertThat(Answer.to(producer, "slow", 0, "again").kind()).isNull();
        assertThat(committed("slow")).containsExactly("first", "again");
    }

    /** As when no thread can be started, or no direct memory is left, for a moment. */
    @Test
    void anErrorFailsOneAttemptAndTheNextOneArrives() throws Exception {
        kafka.createTopic("error", 1);
        ShortOfThreads ownership = new ShortOfThreads();
        MessageProducer producer = producer("error", ownership, Map.of());
        assertThat(Answer.to(producer, "error", 0, "first").kind()).isNull();

        ownership.failOnce();
        Answer failed = Answer.to(producer, "error", 0, "failed");

        assertThat(failed.kind()).isEqualTo(FailureKind.PASSING);
        assertThat(failed.cause()).hasMessageContaining("unable to create native thread");
        producer.flush();
        assertThat(Answer.to(producer, "error", 0, "behind").kind()).isEqualTo(FailureKind.PASSING);
        producer.restart();
        assertThat(Answer.to(producer, "error", 0, "again").kind()).isNull();
        assertThat(committed("error")).containsExactly("first", "again");
    }

    /** An ownership that cannot be looked at once, by the thread that ends transactions. */
    private static final class ShortOfThreads implements Ownership {
        private final AtomicBoolean isShort = new AtomicBoolean();

        void failOnce() {
            isShort.set(true);
        }

        @Override
        public boolean isHeld() {
            if (Thread.currentThread().getName().startsWith("transactions-") && isShort.compareAndSet(true, false)) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            return true;
        }

        @Override
        public long epoch() {
            return 0;
        }
    }

    /** The broker says so only when a whole transaction was handed over; those before it in there arrive all the same. */
    @Test
    void aRejectedRecordIsFoundAmongThoseOfItsTransaction() throws Exception {
        kafka.createTopic("small", 1, Map.of("max.message.bytes", "10000"));
        start("small", Ownership.SOLE, Map.of());

        ring.put(NumberEntry.range(0, 500));
        ring.put(List.of(new NumberEntry(500, 20_000)));
        ring.put(NumberEntry.range(501, 2_000));

        await().until(() -> failure.get() != null);
        assertThat(failure.get()).isInstanceOf(MessageRejectedException.class);
        assertThat(failure.get()).hasRootCauseInstanceOf(RecordTooLargeException.class);
        assertThat(committed("small").stream().distinct())
                .containsExactlyElementsOf(
                        IntStream.range(0, 500).mapToObj(Integer::toString).toList());
    }

    @Test
    void whatIsOpenIsCommittedAtTheClose() throws Exception {
        kafka.createTopic("closed", 1);
        MessageProducer producer = producer("closed", Ownership.SOLE, Map.of());
        Answer first = Answer.to(producer, "closed", 0, "first");
        producer.flush();
        assertThat(first.isGiven()).isTrue();

        Answer last = Answer.to(producer, "closed", 0, "last");
        producer.close(TIMEOUT);

        assertThat(last.kind()).isNull();
        assertThat(Answer.to(producer, "closed", 0, "behind").kind()).isEqualTo(FailureKind.BROKEN);
        assertThat(committed("closed")).containsExactly("first", "last");
    }

    private static TransactionState stateOf(String transactionalId) throws Exception {
        try (Admin admin = kafka.admin()) {
            return admin.describeTransactions(List.of(transactionalId))
                    .description(transactionalId)
                    .get()
                    .state();
        }
    }

    /** Its limits are such that no attempt fails by them, however slow the machine is, unless the options have others. */
    private MessageProducer producer(String destination, Ownership ownership, Map<String, String> options) {
        Map<String, String> properties = new HashMap<>(Map.of(
                "kafka.bootstrap.servers",
                kafka.bootstrapServers(),
                "kafka.request.timeout.ms",
                "60000",
                "kafka.delivery.timeout.ms",
                "90000",
                "kafka.max.block.ms",
                "90000",
                "kafka.transactional.id",
                "test"));
        properties.putAll(options);
        MessageProducer producer =
                new KafkaConnector().configure(properties).create(new ProducerContext(destination, ownership));
        producers.add(producer);
        return producer;
    }

    private void start(String topic, Ownership ownership, Map<String, String> options) {
        MemoryCursorStore cursors = new MemoryCursorStore();
        cursors.subscribe(Subscription.QUEUE_CLIENT, "");
        sender = new BatchSender(
                new SenderConfig("shop", BatchLimit.bytes(50 * 1024), Duration.ofMillis(100), 32),
                ring,
                cursors,
                Converters.OF_TEXTS.flat(new FixedRouter(topic, 0), Time.SYSTEM),
                pool,
                producer(topic, ownership, options),
                new Backoff(Duration.ofMillis(100), Duration.ofSeconds(30), new Random(1)),
                Time.SYSTEM,
                RejectionPolicy.STOP,
                failure::set);
        sender.start();
    }

    private static List<String> committed(String topic) {
        return texts(kafka.reader().committed(), topic);
    }

    private static List<String> texts(KafkaReader reader, String topic) {
        return reader.readToEnd(topic, TIMEOUT).stream()
                .map(next -> new String(next.value(), StandardCharsets.UTF_8).trim())
                .toList();
    }
}
