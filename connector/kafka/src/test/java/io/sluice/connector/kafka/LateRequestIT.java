package io.sluice.connector.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.connector.api.attempt.AttemptProducer;
import io.sluice.connector.api.attempt.Broker;
import io.sluice.connector.api.convert.Converters;
import io.sluice.connector.api.deliver.BatchSender;
import io.sluice.connector.api.deliver.SenderConfig;
import io.sluice.connector.api.deliver.failure.RejectionPolicy;
import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.MessageProducerFactory;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.connector.api.producer.ProducerContext;
import io.sluice.connector.api.route.FixedRouter;
import io.sluice.connector.kafka.batch.BatchBuffers;
import io.sluice.connector.kafka.client.KafkaBroker;
import io.sluice.connector.kafka.client.KeptProducerId;
import io.sluice.connector.kafka.produce.Cluster;
import io.sluice.connector.kafka.settings.KafkaSettings;
import io.sluice.connector.kafka.settings.KafkaSettingsReader;
import io.sluice.protocol.time.Backoff;
import io.sluice.protocol.time.Time;
import io.sluice.store.cursor.MemoryCursorStore;
import io.sluice.store.cursor.Subscription;
import io.sluice.store.ring.BatchLimit;
import io.sluice.store.ring.EntryRing;
import io.sluice.store.ring.RingConfig;
import io.sluice.testkit.kafka.KafkaOptions;
import io.sluice.testkit.kafka.KafkaServer;
import io.sluice.testkit.proxy.HoldingProxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.compress.Compression;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A request that reaches the broker after its repetition was acknowledged. */
@Timeout(600)
class LateRequestIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private static KafkaServer kafka;
    private static HoldingProxy proxy;
    private static int topics;

    private String topic;
    private MessageProducerFactory factory;
    private MessageProducer producer;
    private Ownership ownership = Ownership.SOLE;

    @BeforeAll
    static void startBroker() {
        proxy = new HoldingProxy(() -> kafka.gatedPort());
        kafka = KafkaServer.start(KafkaOptions.defaults().viaGate(proxy.port()));
    }

    @AfterAll
    static void stopBroker() {
        if (kafka != null) {
            kafka.close();
        }
        proxy.close();
    }

    @BeforeEach
    void createTopic() {
        topic = "late-" + ++topics;
        kafka.createTopic(topic, 1);
    }

    @AfterEach
    void stop() {
        if (producer != null) {
            producer.close(Duration.ofSeconds(5));
        }
        proxy.reset();
    }

    @ParameterizedTest
    @EnumSource(names = {"BATCHES", "CLIENT"})
    void aRequestOfAFailedAttemptIsNotStoredAfterItsRepetition(Sending sending) {
        connect(sending, Map.of());
        send("1");
        proxy.hold();
        List<Answer> lost = List.of(Answer.to(producer, topic, 0, "2"), Answer.to(producer, topic, 0, "3"));
        await().atMost(TIMEOUT).until(() -> proxy.heldBytes() > 0);
        assertThat(lost).allSatisfy(answer -> assertThat(answer.kind()).isEqualTo(FailureKind.PASSING));

        proxy.admit();
        repeat();
        releaseWhatWasHeld();

        assertThat(texts()).containsExactly("1", "2", "3", "4");
    }

    @ParameterizedTest
    @EnumSource(names = {"BATCHES", "CLIENT"})
    void aRequestThatWasAbandonedIsNotStoredAfterItsRepetition(Sending sending) {
        List<Answer> lost = sendTwoThatAreHeld(sending);
        producer.abandon();
        assertThat(lost).allSatisfy(answer -> assertThat(answer.kind()).isEqualTo(FailureKind.PASSING));
        assertThat(Answer.to(producer, topic, 0, "2").kind()).isEqualTo(FailureKind.PASSING);

        proxy.admit();
        repeat();
        releaseWhatWasHeld();

        assertThat(texts()).containsExactly("1", "2", "3", "4");
    }

    /** As when an instance is restarted, or made again by a reload, because its broker does not answer. */
    @ParameterizedTest
    @EnumSource(names = {"BATCHES", "CLIENT"})
    void aRequestOfAProducerThatWasClosedIsNotStoredAfterItsRepetitionByTheNextOne(Sending sending) {
        List<Answer> lost = sendTwoThatAreHeld(sending);
        producer.close(Duration.ZERO);
        assertThat(lost).allSatisfy(answer -> assertThat(answer.kind()).isNotNull());

        proxy.admit();
        create();
        repeat();
        releaseWhatWasHeld();

        assertThat(texts()).containsExactly("1", "2", "3", "4");
    }

    /** As when an instance ends without waiting for a producer whose thread waits for a name server. */
    @ParameterizedTest
    @EnumSource(names = {"BATCHES", "CLIENT"})
    void aRequestOfAProducerThatIsStillClosingIsNotStoredAfterItsRepetitionByTheNextOne(Sending sending)
            throws InterruptedException {
        connect(sending, Map.of("kafka.request.timeout.ms", "60000", "kafka.delivery.timeout.ms", "90000"));
        send("1");
        proxy.hold();
        Blocking blocking = new Blocking();
        producer.send(message("2"), blocking);
        await().atMost(TIMEOUT).until(() -> proxy.heldBytes() > 0);
        Thread closing = closeWhileBlocked(blocking);

        proxy.admit();
        create();
        repeat();
        releaseWhatWasHeld();

        assertThat(texts()).containsExactly("1", "2", "3", "4");
        blocking.mayContinue.countDown();
        closing.join();
    }

    @ParameterizedTest
    @EnumSource(names = {"BATCHES", "CLIENT"})
    void aProducerThatHasClosedLateIsNotTheOneThatIsContinued(Sending sending) throws InterruptedException {
        connect(sending, Map.of("kafka.request.timeout.ms", "60000", "kafka.delivery.timeout.ms", "90000"));
        send("0");
        proxy.hold();
        Blocking blocking = new Blocking();
        producer.send(message("1"), blocking);
        Thread closing = closeWhileBlocked(blocking);
        proxy.admit();
        create();
        send("1");
        proxy.hold();
        Answer lost = Answer.to(producer, topic, 0, "2");
        await().atMost(TIMEOUT).until(() -> proxy.heldBytes() > 0);
        producer.close(Duration.ZERO);
        assertThat(lost.kind()).isNotNull();

        blocking.mayContinue.countDown();
        closing.join();
        proxy.admit();
        create();
        repeat();
        releaseWhatWasHeld();

        assertThat(texts()).containsExactly("0", "1", "2", "3", "4");
    }

    /** As when it is restarted while it is closed, and both wait for a name server, which answers it first. */
    @ParameterizedTest
    @EnumSource(names = {"BATCHES", "CLIENT"})
    void aProducerThatConnectsAgainWhileItIsClosedDoesNotKeepTheNextOneFromConnecting(Sending sending)
            throws InterruptedException {
        FormerIdentities identities = new FormerIdentities();
        AtomicReference<Runnable> lookUp = new AtomicReference<>(() -> {});
        MessageProducer former =
                producer(brokerOf(sending, identities, () -> lookUp.get().run()));
        producer = former;
        send("1");
        former.abandon();
        CountDownLatch isReached = new CountDownLatch(1);
        CountDownLatch mayContinue = new CountDownLatch(1);
        lookUp.set(() -> {
            isReached.countDown();
            awaitUninterrupted(mayContinue);
        });
        CountDownLatch hasRestarted = new CountDownLatch(1);
        Thread restarting = new Thread(
                () -> {
                    former.restart();
                    hasRestarted.countDown();
                },
                "restarting");
        restarting.start();
        isReached.await();
        Thread closing = new Thread(() -> former.close(Duration.ZERO), "closing");
        closing.start();

        producer = producer(brokerOf(sending, identities, () -> {
            mayContinue.countDown();
            awaitUninterrupted(hasRestarted);
        }));
        repeat();

        assertThat(texts()).containsExactly("1", "2", "3", "4");
        restarting.join();
        closing.join();
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static MessageProducer producer(Broker broker) {
        return new AttemptProducer(broker, Ownership.SOLE, Time.SYSTEM);
    }

    /** A broker that runs something before it connects. */
    private Broker brokerOf(Sending sending, FormerIdentities identities, Runnable lookUp) {
        KafkaSettings settings = KafkaSettingsReader.read(properties(sending));
        if (sending == Sending.CLIENT) {
            return new KafkaBroker(
                    batchBytes -> {
                        lookUp.run();
                        return new KafkaProducer<>(settings.config(batchBytes));
                    },
                    settings,
                    identities.ofClients("shop"),
                    Ownership.SOLE,
                    Time.SYSTEM);
        }
        return new BatchBroker(
                () -> {
                    lookUp.run();
                    return Cluster.open(
                            new ProducerConfig(settings.config()),
                            settings.produceOptions().maxInFlight());
                },
                settings,
                Compression.NONE,
                BatchBuffers.forHeap(1 << 26),
                identities.ofBatches("shop"),
                new ProducerContext("shop", Ownership.SOLE),
                Time.SYSTEM);
    }

    /** Returns when the thread of the producer does not continue. */
    private Thread closeWhileBlocked(Blocking blocking) throws InterruptedException {
        MessageProducer former = producer;
        Thread closing = new Thread(() -> former.close(Duration.ZERO), "closing");
        closing.start();
        blocking.isReached.await();
        return closing;
    }

    /** Keeps the thread of a producer. */
    private static final class Blocking implements DeliveryCallback {
        private final CountDownLatch isReached = new CountDownLatch(1);
        private final CountDownLatch mayContinue = new CountDownLatch(1);

        @Override
        public void delivered() {
            isReached.countDown();
        }

        @Override
        public void failed(Exception cause, FailureKind kind) {
            isReached.countDown();
            try {
                mayContinue.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private Message message(String text) {
        return new Message(topic, 0, text.getBytes(StandardCharsets.UTF_8));
    }

    /** And its transaction is not committed. */
    @Test
    void aRequestOfAnAbandonedTransactionIsNotStored() {
        connect(
                Sending.TRANSACTIONS,
                Map.of(
                        "kafka.request.timeout.ms", "60000",
                        "kafka.delivery.timeout.ms", "90000"));
        send("1");
        proxy.hold();
        List<Answer> lost = List.of(Answer.to(producer, topic, 0, "2"), Answer.to(producer, topic, 0, "3"));
        await().atMost(TIMEOUT).until(() -> proxy.heldBytes() > 0);
        producer.abandon();
        assertThat(lost).allSatisfy(answer -> assertThat(answer.kind()).isEqualTo(FailureKind.PASSING));

        proxy.admit();
        repeat();
        releaseWhatWasHeld();

        assertThat(texts()).containsExactly("1", "2", "3", "4");
    }

    /** Each attempt fences those before it, whatever number of them failed. */
    @ParameterizedTest
    @EnumSource(names = {"BATCHES", "CLIENT"})
    void requestsOfSeveralAttemptsAreNotStoredAfterTheirRepetition(Sending sending) {
        connect(sending, Map.of());
        send("1");
        for (int attempt = 0; attempt < 3; attempt++) {
            proxy.admit();
            producer.restart();
            send("a" + attempt);
            proxy.hold();
            assertThat(Answer.to(producer, topic, 0, "2").kind()).isEqualTo(FailureKind.PASSING);
        }

        proxy.admit();
        repeat();
        releaseWhatWasHeld();

        assertThat(texts()).containsExactly("1", "a0", "a1", "a2", "2", "3", "4");
    }

    /** The broker has no record of them, so it would store them after what the next owner has sent. */
    @Test
    void requestsOfAFormerOwnerAreNotRepeated() {
        AtomicBoolean isOwner = new AtomicBoolean(true);
        ownership = new Ownership() {
            @Override
            public boolean isHeld() {
                return isOwner.get();
            }

            @Override
            public long epoch() {
                return 0;
            }
        };
        connect(Sending.BATCHES, Map.of("kafka.delivery.timeout.ms", "90000"));
        send("1");
        proxy.hold();
        List<Answer> held = List.of(Answer.to(producer, topic, 0, "2"), Answer.to(producer, topic, 0, "3"));
        await().atMost(TIMEOUT).until(() -> proxy.heldBytes() > 0);

        isOwner.set(false);
        proxy.admit();

        assertThat(held).allSatisfy(answer -> assertThat(answer.kind()).isEqualTo(FailureKind.PASSING));
        assertThat(texts()).containsExactly("1");
    }

    /** What the broker stores after the end of its sender: an owner that has stopped so must not report that it is silent. */
    @Test
    void aSenderThatStopsWhileARequestIsOnItsWayIsNotSilent() throws InterruptedException {
        connect(Sending.BATCHES, Map.of("kafka.request.timeout.ms", "60000", "kafka.delivery.timeout.ms", "90000"));
        EntryRing ring = new EntryRing(RingConfig.DEFAULT);
        MemoryCursorStore cursors = new MemoryCursorStore();
        cursors.subscribe(Subscription.QUEUE_CLIENT, "");
        BatchSender sender = new BatchSender(
                new SenderConfig("shop", BatchLimit.bytes(50 * 1024), Duration.ofMillis(100), 32),
                ring,
                cursors,
                Converters.OF_TEXTS.flat(new FixedRouter(topic, 0), Time.SYSTEM),
                Runnable::run,
                producer,
                new Backoff(Duration.ofMillis(100), Duration.ofSeconds(30), new Random(1)),
                Time.SYSTEM,
                RejectionPolicy.STOP,
                cause -> {});
        sender.start();
        ring.put(NumberEntry.range(0, 1));
        await().atMost(TIMEOUT).until(() -> ring.stats().acked().entries() == 1);

        proxy.hold();
        ring.put(NumberEntry.range(1, 2));
        await().atMost(TIMEOUT).until(() -> proxy.heldBytes() > 0);
        assertThat(sender.stop(Duration.ofMillis(10))).isTrue();

        assertThat(sender.isSilent()).isFalse();
        releaseWhatWasHeld();
        assertThat(texts()).hasSize(2);
    }

    /** The shipped version of Kafka's client has the fields that are set. */
    @Test
    void theIdentityOfAProducerCanBeContinued() {
        assertThat(KeptProducerId.isSupported()).isTrue();
    }

    /** Messages 2 and 3, after 1 was stored: their request does not reach the broker yet. */
    private List<Answer> sendTwoThatAreHeld(Sending sending) {
        connect(sending, Map.of("kafka.request.timeout.ms", "60000", "kafka.delivery.timeout.ms", "90000"));
        send("1");
        proxy.hold();
        List<Answer> held = List.of(Answer.to(producer, topic, 0, "2"), Answer.to(producer, topic, 0, "3"));
        await().atMost(TIMEOUT).until(() -> proxy.heldBytes() > 0);
        return held;
    }

    private void connect(Sending sending, Map<String, String> options) {
        Map<String, String> properties = properties(sending);
        properties.putAll(options);
        factory = new KafkaConnector().configure(properties);
        create();
    }

    private Map<String, String> properties(Sending sending) {
        Map<String, String> properties = new HashMap<>();
        properties.put("kafka.bootstrap.servers", "127.0.0.1:" + proxy.port());
        properties.put("kafka.request.timeout.ms", "5000");
        properties.put("kafka.delivery.timeout.ms", "8000"); // also for what is to be delivered
        properties.put("kafka.max.block.ms", "20000");
        properties.putAll(sending.options());
        return properties;
    }

    private void create() {
        producer = factory.create(new ProducerContext("shop", ownership));
    }

    private void send(String text) {
        assertThat(Answer.to(producer, topic, 0, text).kind()).isNull();
    }

    private void repeat() {
        producer.restart();
        for (String text : List.of("2", "3", "4")) {
            send(text);
        }
    }

    /** Returns when the broker has answered for it, however it has done so. */
    private void releaseWhatWasHeld() {
        assertThat(proxy.release()).isPositive();
        await().atMost(TIMEOUT).until(() -> proxy.answersToHeld() > 0);
        kafka.createTopic(topic + "-marker", 1); // and a little later
    }

    private List<String> texts() {
        List<String> texts = new ArrayList<>();
        kafka.reader()
                .committed()
                .readToEnd(topic, TIMEOUT)
                .forEach(record -> texts.add(new String(record.value(), StandardCharsets.UTF_8)));
        return texts;
    }
}
