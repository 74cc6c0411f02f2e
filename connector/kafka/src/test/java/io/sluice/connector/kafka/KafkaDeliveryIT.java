package io.sluice.connector.kafka;

import static io.sluice.testkit.time.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.connector.api.convert.Converters;
import io.sluice.connector.api.deliver.BatchSender;
import io.sluice.connector.api.deliver.SenderConfig;
import io.sluice.connector.api.deliver.SenderState;
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
import io.sluice.testkit.kafka.KafkaServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
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
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The sender, the ring and the producer together, against a real broker. */
@Timeout(600) // a delivery that waits for ever must fail the build, not stop it
class KafkaDeliveryIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(90);

    /** Limits by which an attempt fails soon. Others fail by them, too, where the machine is slow, and records arrive twice. */
    private static final Map<String, String> IMPATIENT = Map.of(
            "kafka.request.timeout.ms", "3000",
            "kafka.delivery.timeout.ms", "6000",
            "kafka.max.block.ms", "6000");

    /** Limits by which no attempt fails, however slow the machine is. */
    private static final Map<String, String> PATIENT = Map.of(
            "kafka.request.timeout.ms", "60000",
            "kafka.delivery.timeout.ms", "90000",
            "kafka.max.block.ms", "90000");

    private static KafkaServer kafka;

    private final EntryRing ring = new EntryRing(RingConfig.DEFAULT);
    private final MemoryCursorStore cursors = new MemoryCursorStore();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final ExecutorService pool = Executors.newFixedThreadPool(3);
    private Ownership ownership = Ownership.SOLE;
    private MessageProducer producer;
    private BatchSender sender;

    @BeforeEach
    void subscribe() {
        cursors.subscribe(Subscription.QUEUE_CLIENT, "");
    }

    @BeforeAll
    static void startBroker() {
        kafka = KafkaServer.start();
    }

    @AfterAll
    static void stopBroker() {
        kafka.close();
    }

    @AfterEach
    void stop() throws InterruptedException {
        assertThat(sender.stop(TIMEOUT)).isTrue();
        producer.close(Duration.ofSeconds(5));
        pool.shutdownNow();
    }

    @ParameterizedTest
    @EnumSource(names = {"BATCHES", "CLIENT"})
    void recordsArriveOnceAndInOrder(Sending sending) throws InterruptedException {
        kafka.createTopic("in-order-" + sending.suffix(), 3);
        start(sending, new FixedRouter("in-order-" + sending.suffix(), 2), Map.of("kafka.retries", "0"));

        ring.put(NumberEntry.range(0, 20_000));

        await().until(() -> cursors.load(Subscription.QUEUE_CLIENT) != null
                && cursors.load(Subscription.QUEUE_CLIENT).position().offset() == 19_999);
        List<ConsumerRecord<byte[], byte[]>> records =
                kafka.reader().readToEnd("in-order-" + sending.suffix(), TIMEOUT);
        assertThat(numbers(records))
                .containsExactlyElementsOf(IntStream.range(0, 20_000).boxed().toList());
        assertThat(records).allSatisfy(next -> {
            assertThat(next.key()).isNull();
            assertThat(next.headers()).isEmpty();
            assertThat(next.partition()).isEqualTo(2);
        });
    }

    /** With an epoch, each record carries it; without ownership, none leaves. */
    @ParameterizedTest
    @EnumSource(names = {"BATCHES", "CLIENT"})
    void onlyAnOwnerSends(Sending sending) throws InterruptedException {
        kafka.createTopic("owned-" + sending.suffix(), 1);
        AtomicBoolean held = new AtomicBoolean(true);
        ownership = new Ownership() {
            @Override
            public boolean isHeld() {
                return held.get();
            }

            @Override
            public long epoch() {
                return 7;
            }
        };
        start(sending, new FixedRouter("owned-" + sending.suffix(), 0), Map.of());
        ring.put(NumberEntry.range(0, 100));
        await().until(() -> cursors.load(Subscription.QUEUE_CLIENT) != null
                && cursors.load(Subscription.QUEUE_CLIENT).position().offset() == 99);

        held.set(false);
        ring.put(NumberEntry.range(100, 200));
        await().until(() -> sender.status().failures() > 0);

        List<ConsumerRecord<byte[], byte[]>> records = kafka.reader().readToEnd("owned-" + sending.suffix(), TIMEOUT);
        assertThat(numbers(records)).hasSize(100);
        assertThat(records)
                .allSatisfy(next -> assertThat(
                                next.headers().lastHeader("sluice-epoch").value())
                        .asString(StandardCharsets.US_ASCII)
                        .isEqualTo("7"));
    }

    @Test
    void aBrokerThatIsGoneForAWhileCostsNothingButTime() throws Exception {
        loseTheBroker(Sending.BATCHES);
    }

    /** The client forgets the cluster that it knew: while no broker answers, or as the one that does is of another. */
    @ParameterizedTest
    @EnumSource(names = {"BATCHES", "CLIENT"})
    void aBrokerThatIsReplacedByOneOfAnotherClusterIsUsed(Sending sending) throws InterruptedException {
        String topic = "replaced-" + sending.suffix();
        kafka.createTopic(topic, 1);
        start(sending, new FixedRouter(topic, 0), Map.of());
        ring.put(NumberEntry.range(0, 100));
        await().until(() -> ring.stats().acked().entries() == 100);

        kafka.replaceByAnotherCluster();
        kafka.createTopic(topic, 1);
        ring.put(NumberEntry.range(100, 200));

        await().atMost(TIMEOUT).until(() -> ring.stats().acked().entries() == 200);
        assertThat(numbers(kafka.reader().readToEnd(topic, TIMEOUT)))
                .containsExactlyElementsOf(IntStream.range(100, 200).boxed().toList());
    }

    @Tag("thorough")
    @Test
    void aBrokerThatIsGoneForAWhileCostsKafkasProducerNothingButTime() throws Exception {
        loseTheBroker(Sending.CLIENT);
    }

    private void loseTheBroker(Sending sending) throws Exception {
        kafka.createTopic("restarted-" + sending.suffix(), 1);
        start(sending, new FixedRouter("restarted-" + sending.suffix(), 0), IMPATIENT);
        AtomicBoolean isGone = new AtomicBoolean();
        Future<Integer> put = pool.submit(() -> NumberEntry.putUntil(isGone::get, 20_000, ring));
        await().until(() -> ring.stats().acked().entries() > 1000);

        kafka.kill();
        isGone.set(true);
        await().until(() -> sender.status().failures() >= 2
                && sender.status().state() == SenderState.BACKING_OFF
                && sender.status().backOff().compareTo(Duration.ofMillis(100)) > 0);
        assertThat(sender.status().lastFailure().kind()).isEqualTo(FailureKind.PASSING);
        kafka.restart();

        int total = put.get();
        await().atMost(TIMEOUT.multipliedBy(4)).until(() -> ring.stats().acked().entries() == total);
        List<Integer> arrived = numbers(kafka.reader().readToEnd("restarted-" + sending.suffix(), TIMEOUT));
        assertThat(arrived.stream().distinct()).isSorted();
        Map<Integer, Integer> lastCopies = new HashMap<>();
        for (int i = 0; i < arrived.size(); i++) {
            lastCopies.put(arrived.get(i), i);
        }
        assertThat(lastCopies).hasSize(total);
        assertThat(IntStream.range(0, total).mapToObj(lastCopies::get)).isSorted();
    }

    @ParameterizedTest
    @EnumSource(names = {"BATCHES", "CLIENT"})
    void aRecordThatTheBrokerFindsTooLargeStopsTheSender(Sending sending) throws InterruptedException {
        kafka.createTopic("small-" + sending.suffix(), 1, Map.of("max.message.bytes", "10000"));
        start(sending, new FixedRouter("small-" + sending.suffix(), 0), Map.of());

        ring.put(NumberEntry.range(0, 10));
        ring.put(List.of(new NumberEntry(10, 20_000)));
        ring.put(NumberEntry.range(11, 2_000));

        assertRejectedAsTooLarge();
        assertThat(numbers(kafka.reader().readToEnd("small-" + sending.suffix(), TIMEOUT)))
                .startsWith(0, 1, 2, 3, 4, 5, 6, 7, 8, 9)
                .doesNotContain(11);
    }

    @ParameterizedTest
    @EnumSource(names = {"BATCHES", "CLIENT"})
    void aRecordThatIsLargerThanARequestStopsTheSender(Sending sending) throws InterruptedException {
        kafka.createTopic("large-" + sending.suffix(), 1);
        start(sending, new FixedRouter("large-" + sending.suffix(), 0), Map.of("kafka.max.request.size", "10000"));

        ring.put(List.of(new NumberEntry(0, producer.maxValueBytes())));
        await().until(() -> ring.stats().acked().entries() == 1);
        ring.put(List.of(new NumberEntry(1, 10_000)));

        assertRejectedAsTooLarge();
    }

    private void assertRejectedAsTooLarge() {
        await().until(() -> failure.get() != null);
        assertThat(failure.get()).isInstanceOf(MessageRejectedException.class);
        assertThat(failure.get()).hasRootCauseInstanceOf(RecordTooLargeException.class);
        assertThat(sender.status().state()).isEqualTo(SenderState.FAILED);
    }

    private void start(Sending sending, FixedRouter target, Map<String, String> options) {
        Map<String, String> properties = new HashMap<>(PATIENT);
        properties.putAll(sending.options());
        properties.putAll(options);
        properties.put("kafka.bootstrap.servers", kafka.bootstrapServers());
        producer = new KafkaConnector().configure(properties).create(new ProducerContext("shop", ownership));
        sender = new BatchSender(
                new SenderConfig("shop", BatchLimit.bytes(50 * 1024), Duration.ofMillis(100), 32),
                ring,
                cursors,
                Converters.OF_TEXTS.flat(target, Time.SYSTEM),
                pool,
                producer,
                new Backoff(Duration.ofMillis(100), Duration.ofSeconds(30), new Random(1)),
                Time.SYSTEM,
                RejectionPolicy.STOP,
                failure::set);
        sender.start();
    }

    private static List<Integer> numbers(List<ConsumerRecord<byte[], byte[]>> records) {
        return records.stream()
                .map(next -> Integer.valueOf(new String(next.value(), StandardCharsets.UTF_8).trim()))
                .toList();
    }
}
