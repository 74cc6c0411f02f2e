package io.sluice.connector.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.sluice.connector.api.attempt.AttemptProducer;
import io.sluice.connector.api.attempt.NotSentException;
import io.sluice.connector.api.probe.Finding;
import io.sluice.connector.api.probe.Findings;
import io.sluice.connector.api.probe.TopicNeed;
import io.sluice.connector.api.probe.Verdict;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.MessageHeader;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.connector.api.producer.PartitionsUnknownException;
import io.sluice.connector.api.producer.ProducerContext;
import io.sluice.connector.api.route.BrokerPartitions;
import io.sluice.connector.rocketmq.Numbers.Outcome;
import io.sluice.protocol.time.Time;
import io.sluice.testkit.process.FreePorts;
import io.sluice.testkit.proxy.Gate;
import io.sluice.testkit.rocketmq.RocketMqOptions;
import io.sluice.testkit.rocketmq.RocketMqReader;
import io.sluice.testkit.rocketmq.RocketMqServer;
import io.sluice.testkit.time.HandTime;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.rocketmq.common.message.MessageExt;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The producer against a real broker. */
@Timeout(600) // a delivery that waits for ever must fail the build, not stop it
class RocketMqDeliveryIT {
    private static final Logger LOG = LoggerFactory.getLogger(RocketMqDeliveryIT.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final int BROKERS_LIMIT = 100_000;

    private static RocketMqServer broker;
    private static RocketMqReader reader;

    @BeforeAll
    static void startBroker() {
        broker = RocketMqServer.start(RocketMqOptions.defaults()
                .with("maxMessageSize", Integer.toString(BROKERS_LIMIT))
                .with("traceTopicEnable", "true"));
        reader = broker.reader();
    }

    @AfterAll
    static void stopBroker() {
        reader.close();
        broker.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 16})
    void allArriveOnceAndInOrder(int queues) throws InterruptedException {
        String topic = "in-order-" + queues;
        broker.createTopic(topic, queues);
        int count = 20_000;
        int failures;
        try (MessageProducer producer = producer(Ownership.SOLE, "rocketmq.batch.bytes", "90000")) {
            Numbers numbers = new Numbers(producer, topic, queues);
            long begin = System.nanoTime();
            numbers.sendAll(0, count);
            LOG.info("queues={} messages={} millis={}", queues, count, (System.nanoTime() - begin) / 1_000_000);
            assertThat(producer.partitionsOf(topic)).hasValue(queues);
            failures = numbers.failures();
        }

        List<MessageExt> messages = reader.readToEnd(topic, TIMEOUT);
        if (failures == 0) { // else the broker was too busy once, and has some of them twice
            assertThat(messages.size()).isEqualTo(count);
        }
        Numbers.requireInOrder(messages, count, queues);
        assertThat(messages).allSatisfy(next -> {
            assertThat(next.getTags()).isNull();
            assertThat(next.getKeys()).isNull();
            assertThat(next.getProperties()).doesNotContainKey("sluice-epoch");
        });
    }

    @Test
    void aPartitionBeyondTheQueuesBeginsWithTheFirstAgain() throws InterruptedException {
        broker.createTopic("modulo", 3);
        try (MessageProducer producer = producer()) {
            new Numbers(producer, "modulo", 8).sendAll(0, 8);
        }

        assertThat(Numbers.byQueue(reader.readToEnd("modulo", TIMEOUT))
                        .get(1)) // twice, if the broker was too busy once
                .containsOnly(1, 4, 7);
    }

    @Test
    void aMessageCarriesTagKeyHeadersAndEpoch() throws InterruptedException {
        broker.createTopic("carried", 1);
        try (MessageProducer producer = producer(owned(7), "rocketmq.tag", "binlog")) {
            Message message = new Message(
                    "carried",
                    0,
                    Numbers.bytes("shop.orders\u00016\u0002"),
                    Numbers.bytes("value"),
                    List.of(new MessageHeader("sluice-id", "mysql-bin.000007:4:0")));
            assertThat(Numbers.send(producer, List.of(message, message))).containsOnly(Outcome.DELIVERED);
        }

        List<MessageExt> messages = reader.readToEnd("carried", TIMEOUT);
        assertThat(messages).hasSize(2).allSatisfy(next -> {
            assertThat(next.getBody()).isEqualTo(Numbers.bytes("value"));
            assertThat(next.getTags()).isEqualTo("binlog");
            assertThat(next.getKeys()).isEqualTo("shop.orders 6 ");
            assertThat(next.getUserProperty("sluice-id")).isEqualTo("mysql-bin.000007:4:0");
            assertThat(next.getUserProperty("sluice-epoch")).isEqualTo("7");
        });
    }

    @Test
    void topicsOfANamespaceHaveItBeforeTheirName() throws InterruptedException {
        broker.createTopic("shop%spaced", 2);
        try (MessageProducer producer = producer(Ownership.SOLE, "rocketmq.namespace", "shop")) {
            new Numbers(producer, "spaced", 2).sendAll(0, 100);
            assertThat(producer.partitionsOf("spaced")).hasValue(2);
        }

        Numbers.requireInOrder(reader.readToEnd("shop%spaced", TIMEOUT), 100, 2);
    }

    @Test
    void tracesWhatItSends() throws InterruptedException {
        broker.createTopic("traced", 1);
        broker.createTopic("traces", 1);
        try (MessageProducer producer = producer(
                Ownership.SOLE, "rocketmq.enable.message.trace", "true", "rocketmq.customized.trace.topic", "traces")) {
            new Numbers(producer, "traced", 1).sendAll(0, 10);
        }

        List<MessageExt> traces = reader.readAtLeast("traces", 1, TIMEOUT);
        assertThat(new String(traces.get(0).getBody(), StandardCharsets.UTF_8))
                .contains("Pub")
                .contains("traced");
    }

    @Test
    void producersOfOneGroupDoNotDisturbEachOtherAndLeaveNothing() throws Exception {
        broker.createTopic("left", 1);
        Path logs = Path.of(System.getProperty("user.home"), "logs", "rocketmqlogs");
        boolean hadLogs = Files.exists(logs);
        Set<Thread> before = threads();
        try (MessageProducer one = producer();
                MessageProducer other = producer()) {
            new Numbers(one, "left", 1).sendAll(0, 10);
            new Numbers(other, "left", 1).sendAll(10, 20);
            one.close();
            new Numbers(other, "left", 1).sendAll(20, 30);
        }

        Numbers.requireInOrder(reader.readToEnd("left", TIMEOUT), 30, 1); // twice, if the broker was too busy once
        await().atMost(TIMEOUT)
                .untilAsserted(() -> assertThat(threads().stream()
                                .filter(thread -> !before.contains(thread))
                                .map(Thread::getName)
                                .filter(name -> !name.startsWith("awaitility")))
                        .isEmpty());
        assertThat(Files.exists(logs)).isEqualTo(hadLogs);
    }

    @Test
    void onlyAnOwnerSends() throws InterruptedException {
        broker.createTopic("lost", 1);
        boolean[] held = {true};
        Ownership ownership = new Ownership() {
            @Override
            public boolean isHeld() {
                return held[0];
            }

            @Override
            public long epoch() {
                return 3;
            }
        };
        try (MessageProducer producer = producer(ownership)) {
            Numbers numbers = new Numbers(producer, "lost", 1);
            numbers.sendAll(0, 10);
            held[0] = false;

            List<Outcome> outcomes = Numbers.send(producer, List.of(numbers.message(10)));

            assertThat(outcomes.get(0).kind()).isEqualTo(FailureKind.PASSING);
            assertThat(outcomes.get(0).cause()).hasMessageContaining("ownership of the destination is not confirmed");
        }
        Numbers.requireInOrder(reader.readToEnd("lost", TIMEOUT), 10, 1);
    }

    @Test
    void aBrokerThatIsKilledCostsNothingButTime() throws Exception {
        broker.createTopic("killed", 3);
        underLoad("killed", 3, () -> {
            broker.kill();
            broker.restart();
        });
    }

    @Test
    void aBrokerThatIsPausedStoresNoOldMessageAfterItsRepetition() throws Exception {
        broker.createTopic("paused", 3);
        underLoad("paused", 3, broker::pause, broker::resume);
    }

    @Test
    void whatIsAbandonedFailsAtOnceAndIsNotStoredAfterItsRepetition() throws Exception {
        broker.createTopic("abandoned", 3);
        int count = 600;
        RocketMqSettings settings = RocketMqSettingsReader.read(properties("rocketmq.send.timeout.ms", "10000"));
        MissingTopics missing = new MissingTopics(MissingTopics.GRACE, Time.SYSTEM);
        RocketMqClient client = new RocketMqClient(settings, missing, BrokerPartitions.INTERVAL);
        try (MessageProducer producer = new AttemptProducer(
                new RocketMqBroker(client, settings, Ownership.SOLE, Time.SYSTEM), Ownership.SOLE, Time.SYSTEM)) {
            Numbers numbers = new Numbers(producer, "abandoned", 3);
            numbers.sendAll(0, 300);
            List<Message> lost =
                    IntStream.range(300, count).mapToObj(numbers::message).toList();
            broker.pause();
            try {
                for (int round = 0; round < 2; round++) {
                    CompletableFuture<List<Outcome>> outcomes = CompletableFuture.supplyAsync(() -> {
                        try {
                            return Numbers.send(producer, lost);
                        } catch (InterruptedException e) {
                            throw new IllegalStateException(e);
                        }
                    });
                    await().until(() -> client.hasUnanswered() || outcomes.isDone());
                    producer.abandon();
                    assertThat(outcomes.get(8, TimeUnit.SECONDS))
                            .allSatisfy(outcome -> assertThat(outcome.kind()).isEqualTo(FailureKind.PASSING))
                            .doesNotContain(Outcome.DELIVERED);
                    producer.restart(); // it does not answer
                }
            } finally {
                broker.resume();
            }
            producer.restart();
            numbers.sendAll(300, count);
        }
        try (RocketMqReader fresh = broker.reader()) {
            Numbers.requireInOrder(fresh.readToEnd("abandoned", TIMEOUT), count, 3);
        }
    }

    /** What the former one had sent is stored while the next one waits, and not after what that sends. */
    @Test
    void aProducerWaitsForWhatTheOneBeforeItHasSent() throws Exception {
        broker.createTopic("taken-over", 1);
        try (MessageProducer former = producer()) {
            Time storesMeanwhile = new Time() {
                @Override
                public long nanos() {
                    return SYSTEM.nanos();
                }

                @Override
                public long millis() {
                    return SYSTEM.millis();
                }

                @Override
                public void sleep(Duration length) throws InterruptedException {
                    new Numbers(former, "taken-over", 1).sendAll(0, 10);
                }
            };
            try (MessageProducer next = new RocketMqConnector(
                            MissingTopics.GRACE, BrokerPartitions.INTERVAL, storesMeanwhile)
                    .configure(properties())
                    .create(new ProducerContext("shop", Ownership.SOLE))) {
                new Numbers(next, "taken-over", 1).sendAll(10, 20);
                new Numbers(next, "taken-over", 1).sendAll(20, 30); // it waits once
            }
        }

        assertThat(Numbers.byQueue(reader.readToEnd("taken-over", TIMEOUT)).get(0).stream()
                        .distinct()) // some are there twice, if the broker was too busy once
                .containsExactlyElementsOf(IntStream.range(0, 30).boxed().toList());
    }

    /** A broker that was paused has what the former producer had sent, and reads it when it continues. */
    @Test
    void aProducerSendsNothingToABrokerThatDoesNotAnswerYet() throws Exception {
        broker.createTopic("not-yet", 1);
        int failures;
        try (MessageProducer producer = producer(Ownership.SOLE, "rocketmq.send.timeout.ms", "1000")) {
            Numbers numbers = new Numbers(producer, "not-yet", 1);
            broker.pause();
            try {
                Outcome outcome =
                        Numbers.send(producer, List.of(numbers.message(0))).get(0);

                assertThat(outcome.kind()).isEqualTo(FailureKind.PASSING);
                assertThat(outcome.cause()).hasMessageContaining("may still carry out earlier requests");
            } finally {
                broker.resume();
            }
            producer.restart();
            numbers.sendAll(0, 10);
            failures = numbers.failures();
        }

        try (RocketMqReader fresh = broker.reader()) {
            List<MessageExt> messages = fresh.readToEnd("not-yet", TIMEOUT);
            Numbers.requireInOrder(messages, 10, 1);
            if (failures == 0) { // else the broker was too busy once, and has some of them twice
                assertThat(messages).as("each of them once").hasSize(10);
            }
        }
    }

    /** The client's own look-up may succeed right after it, and the message would go to a broker that was not asked. */
    @Test
    void aFormerProducerIsNotTakenForFinishedWhereNoNameServerAnswers() throws Exception {
        withFormer(
                "127.0.0.1:" + FreePorts.next(),
                former -> assertThatThrownBy(() -> former.awaitEnd("orders", 0))
                        .isInstanceOf(NotSentException.class)
                        .hasMessageContaining("the name servers do not tell"));
    }

    @Test
    void aTopicThatHadNoQueuesIsLookedUpAgain() throws Exception {
        withFormer(broker.nameServer(), former -> {
            former.awaitEnd("comes-later", 0);
            assertThat(former.haveEnded("comes-later", 0)).isFalse();

            broker.createTopic("comes-later", 1);
            former.awaitEnd("comes-later", 0);

            assertThat(former.haveEnded("comes-later", 0)).isTrue();
        });
    }

    /** RocketMQ's clients send as before while all name servers are down; so do we, also after a restart of the attempt. */
    @Test
    void queuesThatWereKnownBeforeAreUsedWhileNoNameServerAnswers() throws Exception {
        broker.createTopic("known", 1);
        String nameServer = broker.nameServer();
        int namePort = Integer.parseInt(nameServer.substring(nameServer.indexOf(':') + 1));
        List<Message> message = List.of(new Message("known", 0, Numbers.bytes("1")));
        try (Gate gate = new Gate(() -> namePort);
                MessageProducer producer =
                        producer(Ownership.SOLE, "rocketmq.namesrv.addr", "127.0.0.1:" + gate.port())) {
            assertThat(Numbers.send(producer, message)).containsOnly(Outcome.DELIVERED);
            gate.close();
            producer.abandon();
            producer.restart();

            assertThat(Numbers.send(producer, message)).containsOnly(Outcome.DELIVERED);
        }
    }

    /** The client forgets the queues while a topic takes no messages, also between the choice of the messages and their request. */
    @Test
    void severalMessagesOfATopicWhoseQueuesWereForgottenAreNotDelivered() throws Exception {
        broker.createTopic("forgotten", 1);
        List<org.apache.rocketmq.common.message.Message> both = Stream.of("1", "2")
                .map(text -> new org.apache.rocketmq.common.message.Message("forgotten", Numbers.bytes(text)))
                .toList();
        CompletableFuture<Optional<RequestFailure>> answer = new CompletableFuture<>();
        MissingTopics missing = new MissingTopics(MissingTopics.GRACE, Time.SYSTEM);
        try (RocketMqClient client =
                new RocketMqClient(RocketMqSettingsReader.read(properties()), missing, BrokerPartitions.INTERVAL)) {
            assertThat(client.queries().cachedQueues("forgotten")).isNull();

            client.send("forgotten", 0, both, queue -> true, failure -> answer.complete(Optional.ofNullable(failure)));

            assertThat(answer.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).hasValueSatisfying(failure -> {
                assertThat(failure.kind()).isEqualTo(FailureKind.PASSING);
                assertThat(failure.cause()).hasMessageContaining("queues of topic forgotten are not known");
            });
        }
        assertThat(reader.readToEnd("forgotten", TIMEOUT)).isEmpty();
    }

    private static void withFormer(String nameServer, Consumer<FormerProducers> test) throws Exception {
        RocketMqSettings settings = RocketMqSettingsReader.read(properties("rocketmq.namesrv.addr", nameServer));
        HandTime time = new HandTime();
        MissingTopics missing = new MissingTopics(MissingTopics.GRACE, time);
        try (RocketMqClient client = new RocketMqClient(settings, missing, BrokerPartitions.INTERVAL)) {
            test.accept(new FormerProducers(client.queries(), new SettledBrokers(client.queries(), settings, time)));
        }
    }

    private static void underLoad(String topic, int queues, Runnable fault) throws Exception {
        underLoad(topic, queues, fault, () -> {});
    }

    /** The fault lasts until something has been sent again; what happens before and after it is the same producer's. */
    private static void underLoad(String topic, int queues, Runnable strike, Runnable heal) throws Exception {
        int rounds = 60;
        int part = 500;
        try (MessageProducer producer = producer(Ownership.SOLE, "rocketmq.send.timeout.ms", "1000")) {
            Numbers numbers = new Numbers(producer, topic, queues);
            numbers.sendAll(0, part);
            CompletableFuture<Integer> sent = CompletableFuture.supplyAsync(() -> {
                int round = 1;
                try {
                    for (; round < rounds || numbers.failures() == 0; round++) {
                        numbers.sendAll(round * part, (round + 1) * part);
                    }
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                return round * part;
            });
            strike.run();
            try {
                await().atMost(TIMEOUT).until(() -> numbers.failures() > 0 || sent.isDone());
            } finally {
                heal.run();
            }
            int count = sent.get();
            assertThat(numbers.failures()).isPositive();
            List<MessageExt> messages = new ArrayList<>();
            try (RocketMqReader fresh = broker.reader()) {
                messages.addAll(fresh.readToEnd(topic, TIMEOUT));
            }
            Numbers.requireInOrder(messages, count, queues);
        }
    }

    /** The broker's limit is lower than ours: the one that is too large is found among those that go with it. */
    @Test
    void aMessageThatTheBrokerFindsTooLargeFailsAloneAndNothingPassesIt() throws InterruptedException {
        broker.createTopic("large", 2);
        try (MessageProducer producer = producer()) {
            Numbers numbers = new Numbers(producer, "large", 2);
            numbers.sendAll(0, 2);
            List<Message> messages = IntStream.range(2, 400)
                    .mapToObj(i -> i == 202 ? new Message("large", 0, new byte[BROKERS_LIMIT + 1]) : numbers.message(i))
                    .collect(Collectors.toCollection(ArrayList::new));

            List<Outcome> outcomes = Numbers.send(producer, messages);

            assertThat(outcomes.subList(0, 200)).containsOnly(Outcome.DELIVERED);
            assertThat(outcomes.get(200).kind()).isEqualTo(FailureKind.TOO_LARGE);
            for (int i = 202; i < outcomes.size(); i += 2) {
                assertThat(outcomes.get(i)).isNotEqualTo(Outcome.DELIVERED);
            }
            List<Integer> arrived =
                    Numbers.byQueue(reader.readToEnd("large", TIMEOUT)).get(0);
            assertThat(arrived).startsWith(0).endsWith(198, 200);
            assertThat(arrived.stream().distinct()).startsWith(0, 2, 4).hasSize(101);

            producer.restart();
            assertThat(Numbers.send(producer, List.of(numbers.message(204)))).containsOnly(Outcome.DELIVERED);
        }
    }

    @Test
    void aMessageLargerThanOurLimitIsRejectedAtOnce() throws InterruptedException {
        broker.createTopic("limited", 1);
        try (MessageProducer producer = producer(Ownership.SOLE, "rocketmq.max.message.bytes", "5000")) {
            assertThat(producer.maxValueBytes()).isEqualTo(5000);
            List<Outcome> outcomes = Numbers.send(
                    producer,
                    List.of(
                            new Message("limited", 0, new byte[5000]),
                            new Message("limited", 0, new byte[5001]),
                            new Message("limited", 0, new byte[1])));

            assertThat(outcomes.get(0)).isEqualTo(Outcome.DELIVERED);
            assertThat(outcomes.get(1).kind()).isEqualTo(FailureKind.TOO_LARGE);
            assertThat(outcomes.get(1).cause())
                    .hasMessage("a message of 5001 bytes is larger than rocketmq.max.message.bytes, 5000");
            assertThat(outcomes.get(2).kind()).isEqualTo(FailureKind.PASSING);
        }
    }

    @Test
    void compressedBodiesArriveAsTheyWere() throws InterruptedException {
        broker.createTopic("compressed", 1);
        byte[] large = Numbers.bytes("0123456789".repeat(2000));
        try (MessageProducer producer = producer(Ownership.SOLE, "rocketmq.compress.over.bytes", "4096")) {
            Message message = new Message("compressed", 0, large);
            assertThat(Numbers.send(producer, List.of(message, message, message)))
                    .containsOnly(Outcome.DELIVERED);
        }

        assertThat(reader.readToEnd("compressed", TIMEOUT)).hasSize(3).allSatisfy(next -> {
            assertThat(next.getBody()).isEqualTo(large);
            assertThat(next.getStoreSize()).isLessThan(5000);
        });
    }

    @Test
    void topicsThatHaveNoPossibleNameAreRejected() throws InterruptedException {
        broker.createTopic("there", 1);
        for (String topic : List.of("no such name", "SCHEDULE_TOPIC_XXXX")) {
            try (MessageProducer producer = producer()) {
                List<Outcome> outcomes = Numbers.send(
                        producer,
                        List.of(
                                new Message("there", 0, Numbers.bytes("1")),
                                new Message(topic, 0, Numbers.bytes("2"))));

                assertThat(outcomes.get(0)).isEqualTo(Outcome.DELIVERED);
                assertThat(outcomes.get(1).kind()).as(topic).isEqualTo(FailureKind.TOPIC_UNAVAILABLE);
                assertThat(outcomes.get(1).cause()).hasMessageContaining(topic);
            }
        }
    }

    @Test
    void aMessageWithoutABodyIsInvalid() throws InterruptedException {
        try (MessageProducer producer = producer()) {
            assertThat(Numbers.send(producer, List.of(new Message("there", 0, new byte[0])))
                            .get(0)
                            .kind())
                    .isEqualTo(FailureKind.INVALID);
        }
    }

    /** As it does while the only broker that has the topic restarts, and another one is up. */
    private static FailureKind kindOfUnknown(MessageProducer producer, String topic) {
        return catchThrowableOfType(PartitionsUnknownException.class, () -> producer.partitionsOf(topic))
                .kind();
    }

    @Test
    void aTopicThatIsMissingForALimitedTimeIsNotRejected() throws InterruptedException {
        Duration grace = Duration.ofSeconds(60);
        HandTime time = new HandTime();
        List<Message> message = List.of(new Message("not-there-yet", 0, Numbers.bytes("1")));
        try (MessageProducer producer = new RocketMqConnector(grace, BrokerPartitions.INTERVAL, time)
                .configure(properties())
                .create(new ProducerContext("shop", Ownership.SOLE))) {
            Outcome first = Numbers.send(producer, message).get(0);
            assertThat(first.kind()).isEqualTo(FailureKind.PASSING);
            assertThat(first.cause()).hasMessageContaining("know no topic not-there-yet");
            assertThat(kindOfUnknown(producer, "not-there-yet")).isEqualTo(FailureKind.PASSING);

            time.pass(grace);
            assertThat(kindOfUnknown(producer, "not-there-yet")).isEqualTo(FailureKind.TOPIC_UNAVAILABLE);
            producer.restart();
            assertThat(Numbers.send(producer, message).get(0).kind()).isEqualTo(FailureKind.TOPIC_UNAVAILABLE);

            broker.createTopic("not-there-yet", 1);
            producer.restart();
            assertThat(Numbers.send(producer, message)).containsOnly(Outcome.DELIVERED);
        }
    }

    /** Its route has no queue, like that of a topic whose broker is taken out of the cluster for a while. */
    @Test
    void aTopicThatMayOnlyBeReadIsNamedAndWaitedFor() throws InterruptedException {
        broker.createReadOnlyTopic("only-read");
        List<Message> message = List.of(new Message("only-read", 0, Numbers.bytes("1")));
        try (MessageProducer producer = producer()) {
            Outcome outcome = Numbers.send(producer, message).get(0);
            assertThat(outcome.kind()).isEqualTo(FailureKind.PASSING);
            assertThat(outcome.cause()).hasMessageContaining("topic only-read has no queue that may be written to");

            broker.createTopic("only-read", 1);
            producer.restart();
            assertThat(Numbers.send(producer, message)).containsOnly(Outcome.DELIVERED);
        }
    }

    @Test
    void withoutANameServerNothingIsRejected() throws InterruptedException {
        try (MessageProducer producer =
                producer(Ownership.SOLE, "rocketmq.namesrv.addr", "127.0.0.1:" + FreePorts.next())) {
            List<Outcome> outcomes = Numbers.send(producer, List.of(new Message("any", 0, Numbers.bytes("1"))));

            assertThat(outcomes.get(0).kind()).isEqualTo(FailureKind.PASSING);
            assertThatThrownBy(() -> producer.partitionsOf("any")).isInstanceOf(PartitionsUnknownException.class);
        }
    }

    private static MessageProducer producer() {
        return producer(Ownership.SOLE);
    }

    private static MessageProducer producer(Ownership ownership, String... keysAndValues) {
        return new RocketMqConnector()
                .configure(properties(keysAndValues))
                .create(new ProducerContext("shop", ownership));
    }

    private static Map<String, String> properties(String... keysAndValues) {
        Map<String, String> properties = new HashMap<>();
        properties.put("rocketmq.namesrv.addr", broker.nameServer());
        properties.put("rocketmq.producer.group", "test");
        for (int i = 0; i < keysAndValues.length; i += 2) {
            properties.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        return properties;
    }

    private static Ownership owned(long epoch) {
        return new Ownership() {
            @Override
            public boolean isHeld() {
                return true;
            }

            @Override
            public long epoch() {
                return epoch;
            }
        };
    }

    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet();
    }

    @Test
    void aProbeReportsWhatIsThere() throws InterruptedException {
        broker.createTopic("probed", 3);

        List<Finding> findings = probe(Map.of());

        assertThat(findings)
                .extracting(Finding::subject, Finding::verdict)
                .containsExactly(
                        tuple("connection", Verdict.OK),
                        tuple("topic absent", Verdict.WARNING),
                        tuple("topic probed", Verdict.OK),
                        tuple("login", Verdict.OK),
                        tuple("right to write", Verdict.UNKNOWN));
        assertThat(probe(Map.of("rocketmq.namesrv.addr", "127.0.0.1:" + FreePorts.next())))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.subject()).isEqualTo("connection");
                    assertThat(finding.verdict()).isEqualTo(Verdict.FAILED);
                });
    }

    private static List<Finding> probe(Map<String, String> settings) throws InterruptedException {
        Map<String, String> properties = new HashMap<>(properties());
        properties.putAll(settings);
        Findings findings = new Findings();
        new RocketMqConnector()
                .configure(properties)
                .probe(
                        "shop",
                        List.of(new TopicNeed("absent", 1, false), new TopicNeed("probed", 3, false)),
                        TIMEOUT,
                        findings);
        return findings.list();
    }
}
