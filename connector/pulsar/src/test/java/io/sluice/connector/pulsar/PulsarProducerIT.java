package io.sluice.connector.pulsar;

import static io.sluice.testkit.time.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.connector.api.probe.Finding;
import io.sluice.connector.api.probe.Findings;
import io.sluice.connector.api.probe.TopicNeed;
import io.sluice.connector.api.probe.Verdict;
import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.MessageHeader;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.NotAdmittedException;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.connector.api.producer.PartitionsUnknownException;
import io.sluice.connector.api.producer.ProducerContext;
import io.sluice.testkit.proxy.HoldingProxy;
import io.sluice.testkit.pulsar.PulsarMessage;
import io.sluice.testkit.pulsar.PulsarOptions;
import io.sluice.testkit.pulsar.PulsarServer;
import io.sluice.testkit.pulsar.PulsarTokens;
import io.sluice.testkit.time.HandTime;
import io.sluice.testkit.tls.Certificates;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.SubscriptionInitialPosition;
import org.apache.pulsar.client.api.SubscriptionType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The producer against a real broker that asks for tokens. */
@Timeout(600) // a delivery that waits for ever must fail the build, not stop it
class PulsarProducerIT {
    private static final Logger LOG = LoggerFactory.getLogger(PulsarProducerIT.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(90);
    private static final PulsarTokens TOKENS = new PulsarTokens("sluice");
    private static final int LARGE = 6 * 1024 * 1024;

    @TempDir
    static Path folder;

    private static Certificates ours;
    private static PulsarServer pulsar;

    /** In front of the broker's second address. */
    private static HoldingProxy proxy;

    private final List<MessageProducer> producers = new ArrayList<>();
    private final ExecutorService pool = Executors.newSingleThreadExecutor();

    @BeforeAll
    static void startBroker() throws Exception {
        ours = Certificates.makeRsa(folder, "ip:127.0.0.1,dns:localhost");
        proxy = new HoldingProxy(() -> pulsar.port());
        pulsar = PulsarServer.start(PulsarOptions.defaults()
                .withTokens(TOKENS)
                .withTls(ours.certificate(), ours.key())
                .viaGate(proxy.port()));
    }

    @AfterAll
    static void stopBroker() {
        if (pulsar != null) {
            pulsar.close();
            proxy.close();
        }
    }

    @AfterEach
    void closeProducers() {
        pool.shutdownNow();
        producers.forEach(producer -> producer.close(Duration.ofMillis(10)));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 16})
    void keepsTheOrderInEachPartition(int partitions) throws Exception {
        String topic = "order-" + partitions;
        pulsar.createTopic(topic, partitions);
        MessageProducer producer = producer();

        new NumberSender(producer, topic, partitions, 5_000).run();

        assertOrder(topic, partitions, 5_000);
        assertThat(producer.partitionsOf(topic)).hasValue(partitions);
    }

    @Test
    void writesWhatCanalWritesAndHeadersBesides() throws InterruptedException {
        pulsar.createTopic("form", 3);
        MessageProducer producer = producer(Map.of(), ownership(new AtomicBoolean(true)));

        Answers.of(producer, new Message("form", 1, bytes("plain")));
        Answers.of(
                producer,
                new Message("form", 5, bytes("k"), bytes("full"), List.of(new MessageHeader("sluice-id", "a:1"))));

        List<PulsarMessage> messages = pulsar.reader().readToEnd("form", TIMEOUT);
        assertThat(messages).hasSize(2);
        assertThat(messages.get(0).partition()).isEqualTo(1);
        assertThat(messages.get(0).value()).asString().isEqualTo("plain");
        assertThat(messages.get(0).key()).isNull();
        assertThat(messages.get(0).properties()).isEqualTo(Map.of("partitionNum", "1", "sluice-epoch", "7"));
        assertThat(messages.get(1).partition()).as("5 modulo 3").isEqualTo(2);
        assertThat(messages.get(1).key()).isEqualTo("k");
        assertThat(messages.get(1).properties())
                .isEqualTo(Map.of("partitionNum", "5", "sluice-epoch", "7", "sluice-id", "a:1"));
    }

    /** As canal's consumers subscribe. */
    @Test
    void aFailoverConsumerSeesAll() throws Exception {
        pulsar.createTopic("consumed", 3);
        try (PulsarClient client = pulsar.client();
                Consumer<byte[]> consumer = client.newConsumer()
                        .topic("consumed")
                        .subscriptionName("adapter")
                        .subscriptionType(SubscriptionType.Failover)
                        .subscriptionInitialPosition(SubscriptionInitialPosition.Earliest)
                        .subscribe()) {
            new NumberSender(producer(), "consumed", 3, 300).run();

            List<Integer> seen = new ArrayList<>();
            while (seen.size() < 300) {
                org.apache.pulsar.client.api.Message<byte[]> next = consumer.receive(30, TimeUnit.SECONDS);
                assertThat(next).as("after %d messages", seen.size()).isNotNull();
                seen.add(Integer.valueOf(new String(next.getData(), StandardCharsets.US_ASCII)));
                consumer.acknowledge(next);
            }
            assertThat(seen).doesNotHaveDuplicates();
        }
    }

    @Test
    void aBrokerThatIsGoneForAWhileCostsNothingButTime() throws Exception {
        pulsar.createTopic("restarted", 3);
        NumberSender sender = NumberSender.endless(producer("pulsarmq.sendTimeoutMs", "2000"), "restarted", 3);
        Future<?> sending = pool.submit(sender);
        await().until(() -> sender.confirmed() > 1_000);

        pulsar.kill();
        await().until(() -> sender.failures() > 0);
        pulsar.restart();

        int total = sender.end();
        sending.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        assertOrder("restarted", 3, total);
    }

    @Test
    void aBrokerThatDoesNotAnswerForAWhileCostsNothingButTime() throws Exception {
        pulsar.createTopic("paused", 3);
        NumberSender sender = NumberSender.endless(producer("pulsarmq.sendTimeoutMs", "2000"), "paused", 3);
        Future<?> sending = pool.submit(sender);
        await().until(() -> sender.confirmed() > 1_000);

        pulsar.pause();
        await().until(() -> sender.failures() > 1);
        pulsar.resume();

        int total = sender.end();
        sending.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        assertOrder("paused", 3, total);
    }

    @Test
    void abandoningFailsWhatIsInFlightAtOnce() throws Exception {
        MessageProducer producer = producer();
        assertThat(Answers.of(producer, new Message("given-up", 0, bytes("0"))).kind())
                .isNull();
        Answers answers = new Answers();

        pulsar.pause();
        try {
            producer.send(new Message("given-up", 0, bytes("1")), answers.next());
            producer.abandon();
            assertThat(answers.take(1).get(0).kind()).isEqualTo(FailureKind.PASSING);
        } finally {
            pulsar.resume();
        }

        producer.restart();
        await().until(() -> {
            producer.restart();
            return Answers.of(producer, new Message("given-up", 0, bytes("2"))).kind() == null;
        });
    }

    /** The broker reads it late, as after a pause. What is sent again waits for that. */
    @Test
    void whatWasAbandonedIsNotStoredAfterItsRepetition() throws Exception {
        pulsar.createTopic("abandoned", 1);
        MessageProducer producer = producer(
                "pulsarmq.serverUrl",
                "pulsar://127.0.0.1:" + proxy.port(),
                "pulsarmq.listenerName",
                PulsarOptions.GATE,
                "pulsarmq.sendTimeoutMs",
                "10000");
        assertThat(send(producer, "1")).containsOnlyNulls();
        Answers lost = new Answers();
        proxy.hold();
        for (String text : List.of("2", "3")) {
            producer.send(new Message("abandoned", 0, bytes(text)), lost.next());
        }
        await().until(() -> proxy.heldBytes() > 0);

        producer.abandon();

        assertThat(lost.take(2)).allSatisfy(answer -> assertThat(answer.kind()).isEqualTo(FailureKind.PASSING));
        assertThat(send(producer, "2")).containsOnly(FailureKind.PASSING);
        proxy.admit();
        producer.restart();
        // They fail, or the client has found the held connection dead, and so has the broker, which takes nothing of it
        // then.
        assertThat(send(producer, "2", "3", "4")).hasSize(3);

        int unused = releaseHeld();
        await().until(() -> {
            producer.restart();
            return send(producer, "2", "3", "4").stream().allMatch(Objects::isNull);
        });
        assertThat(pulsar.reader().readToEnd("abandoned", TIMEOUT))
                .extracting(message -> new String(message.value(), StandardCharsets.UTF_8))
                .startsWith("1", "2")
                .endsWith("2", "3", "4");
    }

    /** As after a restart of the instance while the broker is paused, or after a fail-over. */
    @Test
    void whatAFormerProducerHasSentIsNotStoredAfterWhatTheNextOneSends() throws Exception {
        pulsar.createTopic("succeeded", 1);
        String[] settings = {
            "pulsarmq.serverUrl",
            "pulsar://127.0.0.1:" + proxy.port(),
            "pulsarmq.listenerName",
            PulsarOptions.GATE,
            "pulsarmq.sendTimeoutMs",
            "10000"
        };
        MessageProducer former = producer(settings);
        assertThat(sendTo("succeeded", former, "1")).containsOnlyNulls();
        Answers lost = new Answers();
        proxy.hold();
        for (String text : List.of("2", "3")) {
            former.send(new Message("succeeded", 0, bytes(text)), lost.next());
        }
        await().until(() -> proxy.heldBytes() > 0);
        former.close(Duration.ZERO);
        lost.take(2);
        proxy.admit();
        MessageProducer next = producer(settings);
        await().until(
                        () -> { // the broker has found that the former is gone
                            next.restart();
                            return sendTo("succeeded", next, "2", "3", "4").stream()
                                    .allMatch(Objects::isNull);
                        });
        int unused = releaseHeld();
        await().until(proxy::isReleasedRead); // what the broker takes of it is before the next message of the topic
        assertThat(sendTo("succeeded", next, "5")).containsOnlyNulls();

        assertThat(pulsar.reader().readToEnd("succeeded", TIMEOUT))
                .extracting(message -> new String(message.value(), StandardCharsets.UTF_8))
                .startsWith("1", "2")
                .endsWith("2", "3", "4", "5");
    }

    /** Forwards what is held to the broker, which has closed some connections; returns how many of the others had any. */
    private static int releaseHeld() {
        while (true) {
            try {
                return proxy.release();
            } catch (UncheckedIOException e) {
                LOG.debug("the broker has closed a connection", e); // it is not tried again
            }
        }
    }

    /** Null for each message that was delivered. */
    private static List<FailureKind> send(MessageProducer producer, String... texts) throws InterruptedException {
        return sendTo("abandoned", producer, texts);
    }

    private static List<FailureKind> sendTo(String topic, MessageProducer producer, String... texts)
            throws InterruptedException {
        Answers answers = new Answers();
        for (String text : texts) {
            producer.send(new Message(topic, 0, bytes(text)), answers.next());
        }
        return answers.take(texts.length).stream().map(Answers.Answer::kind).toList();
    }

    @Test
    void aMessageThatIsTooLargeFailsAloneAndWhatFollowsItWaits() throws InterruptedException {
        MessageProducer producer = producer();
        Answers answers = new Answers();

        producer.send(new Message("large", 0, bytes("before")), answers.next());
        producer.send(new Message("large", 0, new byte[LARGE]), answers.next());
        producer.send(new Message("large", 0, bytes("behind")), answers.next());
        assertThat(answers.take(3).stream().map(Answers.Answer::kind))
                .containsExactlyInAnyOrder(null, FailureKind.TOO_LARGE, FailureKind.PASSING);
        producer.restart();
        assertThat(Answers.of(producer, new Message("large", 0, new byte[producer.maxValueBytes()]))
                        .kind())
                .isNull();

        assertThat(pulsar.reader().readToEnd("large", TIMEOUT))
                .extracting(message -> message.value().length)
                .containsExactly(6, producer.maxValueBytes());
    }

    /** Batches of the topic are larger than it takes, though their messages are not, except one. */
    @Test
    void onlyTheMessageAtFaultIsRejectedIfABatchIsTooLarge() throws Exception {
        pulsar.createTopic("limited", 1);
        pulsar.admin("POST", "persistent/public/default/limited/maxMessageSize", "65536");
        await().until(() -> Answers.of(producer("pulsarmq.enableChunking", "true"), sized(0, 70_000))
                        .kind()
                != null);
        MessageProducer producer = producer("pulsarmq.batchingMaxPublishDelayMs", "50");
        int total = 400;
        List<Integer> rejected = new ArrayList<>();

        int from = 1;
        while (from < total) {
            List<CompletableFuture<Optional<FailureKind>>> outcomes = new ArrayList<>();
            for (int number = from; number < total; number++) {
                outcomes.add(outcome(producer, sized(number, number == 250 ? 70_000 : 1_000)));
            }
            for (CompletableFuture<Optional<FailureKind>> next : outcomes) {
                Optional<FailureKind> failure = next.get(30, TimeUnit.SECONDS);
                if (failure.isPresent()) {
                    if (failure.get() != FailureKind.PASSING) {
                        rejected.add(from);
                        from++;
                    }
                    break;
                }
                from++;
            }
            producer.restart();
        }

        assertThat(rejected).containsExactly(250);
        List<Integer> stored = pulsar.reader().readToEnd("limited", TIMEOUT).stream()
                .map(message -> ByteBuffer.wrap(message.value()).getInt())
                .filter(number -> number > 0)
                .toList();
        assertThat(stored).doesNotContain(250).contains(1, 249, 251, 399);
        assertThat(new HashSet<>(stored)).hasSize(total - 2);
    }

    private static Message sized(int number, int bytes) {
        return new Message(
                "limited", 0, ByteBuffer.allocate(bytes).putInt(number).array());
    }

    /** Empty if it was delivered. */
    private static CompletableFuture<Optional<FailureKind>> outcome(MessageProducer producer, Message message) {
        CompletableFuture<Optional<FailureKind>> outcome = new CompletableFuture<>();
        producer.send(message, new DeliveryCallback() {
            @Override
            public void delivered() {
                outcome.complete(Optional.empty());
            }

            @Override
            public void failed(Exception cause, FailureKind kind) {
                outcome.complete(Optional.of(kind));
            }
        });
        return outcome;
    }

    @Test
    void onlyTheCompressedSizeCounts() throws InterruptedException {
        MessageProducer producer = producer("pulsarmq.compressionType", "lz4");
        byte[] noise = new byte[LARGE];
        new Random(1).nextBytes(noise);

        assertThat(Answers.of(producer, new Message("compressed", 0, new byte[LARGE]))
                        .kind())
                .isNull();
        assertThat(Answers.of(producer, new Message("compressed", 0, noise)).kind())
                .isEqualTo(FailureKind.TOO_LARGE);
        producer.restart();
        assertThat(Answers.of(producer, new Message("compressed", 0, bytes("small")))
                        .kind())
                .isNull();

        assertThat(pulsar.reader().readToEnd("compressed", TIMEOUT))
                .extracting(message -> message.value().length)
                .containsExactly(LARGE, 5);
    }

    @ParameterizedTest
    @ValueSource(strings = {"zlib", "zstd", "snappy"})
    void readersSeeWhatWasCompressed(String type) throws InterruptedException {
        MessageProducer producer = producer("pulsarmq.compressionType", type);

        assertThat(Answers.of(producer, new Message(type, 0, bytes("row ".repeat(10_000))))
                        .kind())
                .isNull();

        assertThat(pulsar.reader().readToEnd(type, TIMEOUT))
                .singleElement()
                .satisfies(message -> assertThat(message.value()).asString().isEqualTo("row ".repeat(10_000)));
    }

    @Test
    void chunksLiftTheLimit() throws InterruptedException {
        MessageProducer producer = producer("pulsarmq.enableChunking", "true");

        assertThat(Answers.of(producer, new Message("chunked", 0, new byte[2 * LARGE]))
                        .kind())
                .isNull();
        assertThat(Answers.of(producer, new Message("chunked", 0, bytes("small")))
                        .kind())
                .isNull();

        assertThat(pulsar.reader().readToEnd("chunked", TIMEOUT))
                .extracting(message -> message.value().length)
                .containsExactly(2 * LARGE, 5);
    }

    /** More than the buffer holds waits for room, and does not fail. */
    @Test
    void aFullBufferHoldsTheSenderBack() throws InterruptedException {
        MessageProducer producer = producer("pulsarmq.memoryLimitBytes", "200000");
        Answers answers = new Answers();

        for (int i = 0; i < 200; i++) {
            producer.send(new Message("buffered", 0, new byte[50_000]), answers.next());
        }
        producer.send(new Message("buffered", 0, new byte[1_000_000]), answers.next());
        producer.flush();

        assertThat(answers.take(201))
                .allSatisfy(answer -> assertThat(answer.kind()).isNull());
    }

    @Test
    void aWrongTokenIsNamed() throws InterruptedException {
        MessageProducer producer = producer("pulsarmq.roleToken", new PulsarTokens("other").token("admin"));

        Answers.Answer answer = Answers.of(producer, new Message("secret", 0, bytes("x")));

        assertThat(answer.cause()).hasMessageContaining("pulsarmq.roleToken");
        assertThat(answer.kind()).isEqualTo(FailureKind.BROKEN);
    }

    /** The broker's answer is that of one that cannot check a token. */
    @Test
    void aTokenThatIsRejectedAtTheStartMayPass() throws Exception {
        Path token = Files.writeString(folder.resolve("late.token"), new PulsarTokens("other").token("admin"));
        MessageProducer producer = producer("pulsarmq.roleToken", "file:" + token);
        Answers.Answer answer = Answers.of(producer, new Message("late-token", 0, bytes("x")));
        assertThat(answer.kind()).isEqualTo(FailureKind.BROKEN);
        assertThat(answer.cause())
                .isInstanceOfSatisfying(
                        NotAdmittedException.class,
                        refused -> assertThat(refused.mayPass()).isTrue());

        Files.writeString(token, TOKENS.token(PulsarTokens.SUPERUSER));
        producer.restart();

        assertThat(Answers.of(producer, new Message("late-token", 0, bytes("x")))
                        .kind())
                .isNull();
    }

    @Test
    void connectsByTlsToABrokerWithATrustedCertificate() throws InterruptedException {
        MessageProducer producer = producer(
                "pulsarmq.serverUrl",
                pulsar.tlsServiceUrl(),
                "pulsarmq.tlsTrustCertsFilePath",
                ours.certificate().toString());

        Answers.Answer answer = Answers.of(producer, new Message("tls", 0, bytes("x")));

        assertThat(answer.kind()).as(String.valueOf(answer.cause())).isNull();
    }

    @Test
    void sendsNothingToABrokerWithoutATrustedCertificate() throws InterruptedException {
        MessageProducer producer =
                producer("pulsarmq.serverUrl", pulsar.tlsServiceUrl(), "pulsarmq.sendTimeoutMs", "3000");

        assertThat(Answers.of(producer, new Message("tls-not", 0, bytes("x"))).kind())
                .isEqualTo(FailureKind.PASSING);
    }

    @Test
    void messagesWithoutTheRightToWriteAreRejected() throws InterruptedException {
        MessageProducer producer = producer("pulsarmq.roleToken", TOKENS.token("guest"));

        assertThat(Answers.of(producer, new Message("secret", 0, bytes("x"))).kind())
                .isEqualTo(FailureKind.TOPIC_UNAVAILABLE);
    }

    /** Its messages were dealt out to all partitions in turn, whatever partition they were for. */
    @Test
    void aTopicThatGetsItsPartitionsAndTheRightToWriteAfterItsFirstUseKeepsThePartitionOfEachMessage()
            throws Exception {
        pulsar.admin("POST", "namespaces/public/default/permissions/reader", "[\"consume\"]"); // it may look up topics
        MessageProducer producer = producer("pulsarmq.roleToken", TOKENS.token("reader"));
        assertThat(sendTo("granted", producer, "0")).containsOnly(FailureKind.TOPIC_UNAVAILABLE);

        pulsar.createTopic("granted", 3);
        pulsar.admin("POST", "persistent/public/default/granted/permissions/reader", "[\"produce\",\"consume\"]");
        await().until(
                        () -> { // the broker may have the right a little later
                            producer.restart();
                            return sendTo("granted", producer, "0").get(0) == null;
                        });

        assertThat(sendTo("granted", producer, "1", "2", "3", "4", "5")).containsOnlyNulls();
        assertThat(pulsar.reader().readToEnd("granted", TIMEOUT))
                .hasSize(6)
                .allSatisfy(message -> assertThat(message.partition()).isZero());
    }

    @Test
    void aNamespaceThatIsMissingIsRejected() throws InterruptedException {
        MessageProducer producer = producer("pulsarmq.topicTenantPrefix", "public/nowhere");

        assertThat(Answers.of(producer, new Message("t", 0, bytes("x"))).kind())
                .isEqualTo(FailureKind.TOPIC_UNAVAILABLE);
        assertThatThrownBy(() -> producer.partitionsOf("t"))
                .isInstanceOfSatisfying(
                        PartitionsUnknownException.class,
                        unknown -> assertThat(unknown.kind()).isEqualTo(FailureKind.TOPIC_UNAVAILABLE));
    }

    @Test
    void onlyAnOwnerSends() throws InterruptedException {
        AtomicBoolean held = new AtomicBoolean(true);
        MessageProducer producer = producer(Map.of(), ownership(held));
        assertThat(Answers.of(producer, new Message("owned", 0, bytes("1"))).kind())
                .isNull();

        held.set(false);
        assertThat(Answers.of(producer, new Message("owned", 0, bytes("2"))).kind())
                .isEqualTo(FailureKind.PASSING);
        producer.restart();
        assertThat(Answers.of(producer, new Message("owned", 0, bytes("3"))).kind())
                .isEqualTo(FailureKind.PASSING);

        assertThat(pulsar.reader().readToEnd("owned", TIMEOUT)).hasSize(1);
    }

    @Test
    void aLaterOwnerFencesTheFormerOff() throws InterruptedException {
        MessageProducer former = producer("pulsarmq.accessMode", "ExclusiveWithFencing");
        assertThat(Answers.of(former, new Message("fenced", 0, bytes("1"))).kind())
                .isNull();
        MessageProducer later = producer("pulsarmq.accessMode", "ExclusiveWithFencing");
        assertThat(Answers.of(later, new Message("fenced", 0, bytes("2"))).kind())
                .isNull();

        assertThat(Answers.of(former, new Message("fenced", 0, bytes("3"))).kind())
                .isEqualTo(FailureKind.BROKEN);
    }

    /** As when the server of an earlier producer has lost its power, and the broker does not know that yet. */
    @Test
    void anExclusiveProducerWaitsUntilTheOneBeforeIsGone() throws InterruptedException {
        MessageProducer former = producer("pulsarmq.accessMode", "Exclusive");
        assertThat(Answers.of(former, new Message("exclusive", 0, bytes("1"))).kind())
                .isNull();
        MessageProducer later = producer("pulsarmq.accessMode", "Exclusive");
        assertThat(Answers.of(later, new Message("exclusive", 0, bytes("2"))).kind())
                .isEqualTo(FailureKind.PASSING);

        former.close(TIMEOUT);

        await().untilAsserted(() -> {
            later.restart();
            assertThat(Answers.of(later, new Message("exclusive", 0, bytes("2")))
                            .kind())
                    .isNull();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"announced", "announced #1, 50%"})
    void makesATopicThatWasAnnounced(String topic) throws InterruptedException {
        MessageProducer producer = producer("pulsarmq.adminServerUrl", pulsar.adminUrl() + "/");
        producer.announce(topic, 4);
        assertThat(producer.partitionsOf(topic)).hasValue(4);

        assertThat(Answers.of(producer, new Message(topic, 2, bytes("x"))).kind())
                .isNull();

        assertThat(producer.partitionsOf(topic)).hasValue(4);
        assertThat(pulsar.reader().readToEnd(topic, TIMEOUT))
                .singleElement()
                .satisfies(message -> assertThat(message.partition()).isEqualTo(2));
    }

    /** The broker gives a name to no other producer before the former one is closed there. */
    @Test
    void anIdleProducerIsFollowedByOneOfTheSameName() throws Exception {
        HandTime time = new HandTime();
        List<String> sent = new ArrayList<>();
        try (PulsarClient client = pulsar.client()) {
            PartitionProducers idle = new PartitionProducers(
                    partition -> client.newProducer()
                            .topic(partition)
                            .producerName("idle")
                            .createAsync(),
                    time);
            for (int i = 0; i < 30; i++) {
                Producer<byte[]> producer =
                        idle.of("idle", "persistent://public/default/idle").get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
                producer.send(bytes("message " + i));
                sent.add("message " + i);
                time.pass(PulsarConnection.IDLE.plusSeconds(1));
                assertThat(idle.closeIdle(PulsarConnection.IDLE)).containsExactly("idle");
            }
        }

        assertThat(pulsar.reader().readToEnd("idle", TIMEOUT))
                .extracting(message -> new String(message.value(), StandardCharsets.US_ASCII))
                .isEqualTo(sent);
    }

    @Test
    void leavesNoThreads() throws InterruptedException {
        MessageProducer producer = producer();
        assertThat(Answers.of(producer, new Message("closed", 0, bytes("x"))).kind())
                .isNull();

        producer.close(Duration.ofSeconds(30));
        producer.close(Duration.ofSeconds(30));

        assertThat(Answers.of(producer, new Message("closed", 0, bytes("y"))).kind())
                .isEqualTo(FailureKind.BROKEN);
        producers.remove(producer);
        closeProducers();
        await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.contains("pulsar")));
    }

    private MessageProducer producer(String... keysAndValues) {
        Map<String, String> properties = new HashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            properties.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        return producer(properties, Ownership.SOLE);
    }

    private MessageProducer producer(Map<String, String> options, Ownership ownership) {
        Map<String, String> properties = settings();
        properties.putAll(options);
        MessageProducer producer =
                new PulsarConnector().configure(properties).create(new ProducerContext("shop", ownership));
        producers.add(producer);
        return producer;
    }

    private static Map<String, String> settings() {
        Map<String, String> properties = new HashMap<>();
        properties.put("pulsarmq.serverUrl", pulsar.serviceUrl());
        properties.put("pulsarmq.topicTenantPrefix", "public/default");
        properties.put("pulsarmq.roleToken", TOKENS.token(PulsarTokens.SUPERUSER));
        return properties;
    }

    private static Ownership ownership(AtomicBoolean held) {
        return new Ownership() {
            @Override
            public boolean isHeld() {
                return held.get();
            }

            @Override
            public long epoch() {
                return 7;
            }
        };
    }

    private static void assertOrder(String topic, int partitions, int total) {
        List<PulsarMessage> messages = pulsar.reader().readToEnd(topic, TIMEOUT);
        for (int partition = 0; partition < partitions; partition++) {
            int wanted = partition;
            List<Integer> numbers = messages.stream()
                    .filter(message -> message.partition() == wanted)
                    .map(message -> Integer.valueOf(new String(message.value(), StandardCharsets.US_ASCII)))
                    .toList();
            assertThat(NumberSender.faults(numbers, partition, partitions, total))
                    .as("partition %d", partition)
                    .isEmpty();
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void aProbeReportsWhatIsThere() throws InterruptedException {
        pulsar.createTopic("probed", 3);

        for (int i = 0; i < 2; i++) { // the first does not make the topic that is not there
            assertThat(probe(Map.of()))
                    .extracting(Finding::subject, Finding::verdict)
                    .containsExactly(
                            tuple("connection", Verdict.OK),
                            tuple("topic public/default/absent", Verdict.WARNING),
                            tuple("topic public/default/probed", Verdict.OK),
                            tuple("right to write", Verdict.UNKNOWN));
        }
        assertThat(probe(Map.of("pulsarmq.roleToken", "wrong"))).singleElement().satisfies(finding -> {
            assertThat(finding.subject()).isEqualTo("login");
            assertThat(finding.verdict()).isEqualTo(Verdict.FAILED);
            assertThat(finding.evidence()).contains("check pulsarmq.roleToken");
        });
    }

    private static List<Finding> probe(Map<String, String> settings) throws InterruptedException {
        Map<String, String> properties = settings();
        properties.putAll(settings);
        Findings findings = new Findings();
        new PulsarConnector()
                .configure(properties)
                .probe(
                        "shop",
                        List.of(new TopicNeed("absent", 1, false), new TopicNeed("probed", 3, false)),
                        Duration.ofSeconds(30),
                        findings);
        return findings.list();
    }
}
