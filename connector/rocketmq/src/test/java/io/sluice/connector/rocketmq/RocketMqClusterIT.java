package io.sluice.connector.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.connector.api.attempt.AttemptProducer;
import io.sluice.connector.api.attempt.NotSentException;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.connector.api.producer.ProducerContext;
import io.sluice.connector.api.route.BrokerPartitions;
import io.sluice.connector.rocketmq.Numbers.Outcome;
import io.sluice.protocol.time.Time;
import io.sluice.testkit.rocketmq.RocketMqCluster;
import io.sluice.testkit.rocketmq.RocketMqOptions;
import io.sluice.testkit.rocketmq.RocketMqReader;
import io.sluice.testkit.rocketmq.RocketMqServer;
import io.sluice.testkit.time.HandTime;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.remoting.netty.NettySystemConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The producer against two brokers of one name server. */
@Timeout(600)
class RocketMqClusterIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    /** So short that a test need not wait for the client to learn of another route. */
    private static final Duration ROUTE_INTERVAL = Duration.ofMillis(200);

    private static RocketMqCluster cluster;
    private static RocketMqServer brokerA;
    private static RocketMqServer brokerB;

    @BeforeAll
    static void startBrokers() {
        cluster = RocketMqCluster.start(
                RocketMqOptions.defaults().with("timerWheelEnable", "true"), 2); // without it no topic can be deleted
        brokerA = cluster.broker(0);
        brokerB = cluster.broker(1);
    }

    @AfterAll
    static void stopBrokers() {
        cluster.close();
    }

    @AfterEach
    void restartBrokers() {
        for (RocketMqServer broker : List.of(brokerA, brokerB)) {
            if (!broker.isRunning()) {
                broker.restart();
            }
        }
    }

    /** The queues count by the names of their brokers, as with canal. */
    @Test
    void partitionsAreTheQueuesOfOneBrokerAfterTheOther() throws InterruptedException {
        brokerA.createTopic("spread", 2);
        brokerB.createTopic("spread", 3);
        int count = 3000;
        int failures;
        try (MessageProducer producer = producer()) {
            Numbers numbers = new Numbers(producer, "spread", 10);
            numbers.sendAll(0, count);
            assertThat(producer.partitionsOf("spread")).hasValue(5);
            failures = numbers.failures();
        }

        List<MessageExt> messages = read("spread");

        Map<String, List<Integer>> byPlace = Numbers.byPlace(messages);
        assertThat(byPlace).containsOnlyKeys("broker-a/0", "broker-a/1", "broker-b/0", "broker-b/1", "broker-b/2");
        List<List<Integer>> places = List.copyOf(byPlace.values());
        for (int queue = 0; queue < places.size(); queue++) {
            int wanted = queue;
            assertThat(places.get(queue)).allMatch(number -> number % 5 == wanted);
        }
        Numbers.requireFirstCopiesInOrder(messages, count, 10);
        if (failures == 0) { // else a broker was too busy once, and has some of them twice
            assertThat(messages).hasSize(count);
        }
    }

    /** A question fails by itself after three seconds. The other broker may take as long here, so that is tried until it does not. */
    @Test
    void aBrokerThatDoesNotAnswerDoesNotHoldUpTheQuestionsToOthers() throws Exception {
        cluster.createTopic("asked", 1);
        HandTime time = new HandTime();
        RocketMqSettings settings = settings();
        try (RocketMqClient client = client(settings, time)) {
            List<MessageQueue> queues = client.queries().writableQueues("asked");
            MessageQueue ofA = queues.get(0);
            MessageQueue ofB = queues.get(1);
            AtomicReference<SettledBrokers> asked = new AtomicReference<>();
            brokerA.pause();
            try {
                await().atMost(TIMEOUT).ignoreException(NotSentException.class).until(() -> {
                    SettledBrokers brokers = new SettledBrokers(client.queries(), settings, time);
                    asked.set(brokers);
                    CompletableFuture<?> answer = client.queries()
                            .ask(Map.of("broker-a", ofA, "broker-b", ofB))
                            .get("broker-a");
                    brokers.await(ofB, queues);
                    assertThat(brokers.have(ofA)).isFalse();
                    return brokers.have(ofB) && !answer.isDone();
                });
            } finally {
                brokerA.resume();
            }
            SettledBrokers brokers = asked.get();
            await().atMost(TIMEOUT).ignoreException(NotSentException.class).until(() -> {
                brokers.await(ofA, queues);
                return brokers.have(ofA);
            });
        }
    }

    /** What the former producer had sent to a broker that joins the topic is stored while the next producer waits for that broker. */
    @Test
    void aBrokerThatJoinsATopicIsAskedBeforeItsFirstMessage() throws Exception {
        brokerA.createTopic("joined", 1);
        AtomicInteger stored = new AtomicInteger();
        try (MessageProducer former = producer();
                RocketMqReader reader = cluster.reader()) {
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
                    if (former.partitionsOf("joined").orElse(0) == 2) {
                        while (reader.count("joined", "broker-b") == 0) { // its client learns of the other broker soon
                            new Numbers(former, "joined", 2).sendAll(1, 2);
                            stored.incrementAndGet();
                        }
                    }
                }
            };
            try (MessageProducer next = new RocketMqConnector(MissingTopics.GRACE, ROUTE_INTERVAL, storesMeanwhile)
                    .configure(properties("rocketmq.send.timeout.ms", "60000")) // none fails on a slow machine
                    .create(new ProducerContext("shop", Ownership.SOLE))) {
                Numbers numbers = new Numbers(next, "joined", 2);
                numbers.sendAll(0, 10);
                brokerB.createTopic("joined", 1);
                int sent = 10;
                while (reader.count("joined", "broker-b") < 2) {
                    numbers.sendAll(sent, sent + 2);
                    sent += 2;
                }
                assertThat(numbers.failures()).isZero();
            }
        }

        assertThat(stored).hasPositiveValue();
        assertThat(Numbers.byPlace(read("joined")).get("broker-b/0")).startsWith(1);
    }

    /** The messages wait for the answer to a request when their partition moves, on a thread that may not wait for a broker. */
    @Test
    void aPartitionThatMovesWhileMessagesWaitIsNotSentToABrokerThatWasNotAsked() throws Exception {
        brokerA.createTopic("moves", 1);
        RocketMqSettings settings = settings("rocketmq.send.timeout.ms", "60000");
        NettySystemConfig.clientCloseSocketIfTimeout =
                false; // else a heartbeat without an answer fails the request, too
        RocketMqClient client = client(settings, Time.SYSTEM);
        try (MessageProducer producer = new AttemptProducer(
                new RocketMqBroker(client, settings, Ownership.SOLE, Time.SYSTEM), Ownership.SOLE, Time.SYSTEM)) {
            Numbers numbers = new Numbers(producer, "moves", 2);
            numbers.sendAll(0, 2);
            Numbers.Sent sent;
            brokerA.pause();
            try {
                sent = Numbers.begin(producer, List.of(numbers.message(1), numbers.message(3)));
                await().atMost(TIMEOUT).until(client::hasUnanswered);
                brokerB.createTopic("moves", 1);
                await().atMost(TIMEOUT)
                        .until(() -> Objects.requireNonNull(client.queries().cachedQueues("moves"))
                                        .size()
                                == 2);
            } finally {
                brokerA.resume();
            }
            List<Outcome> outcomes = sent.await();

            assertThat(outcomes.get(0)).isEqualTo(Outcome.DELIVERED);
            assertThat(outcomes.get(1).kind()).isEqualTo(FailureKind.PASSING);
            assertThat(outcomes.get(1).cause())
                    .hasMessageContaining("partition 1 of topic moves has moved to broker broker-b");

            producer.restart();
            numbers.sendAll(2, 4);
        } finally {
            NettySystemConfig.clientCloseSocketIfTimeout = true;
        }
        assertThat(Numbers.byPlace(read("moves")).get("broker-b/0")).containsOnly(3);
    }

    /** The queues of an ordered topic stay the same, so that its messages wait for the broker. */
    @Test
    void messagesOfAnOrderedTopicWaitForABrokerThatIsKilled() throws Exception {
        cluster.createOrderedTopic("ordered", 2);
        int count = underLoad("ordered", 4, brokerB::kill);

        List<MessageExt> messages = read("ordered");

        Map<String, List<Integer>> byPlace = Numbers.byPlace(messages);
        assertThat(byPlace).containsOnlyKeys("broker-a/0", "broker-a/1", "broker-b/0", "broker-b/1");
        Numbers.requireFirstCopiesInOrder(messages, count, 4);
        Numbers.requireLastCopiesInOrder(messages, 4);
        List<List<Integer>> places = List.copyOf(byPlace.values());
        for (int queue = 0; queue < 4; queue++) {
            int wanted = queue;
            assertThat(places.get(queue)).allMatch(number -> number % 4 == wanted);
        }
    }

    /** Its partitions are sent to the other broker meanwhile, and to it again once it is back. */
    @Tag("thorough")
    @Test
    void nothingIsLostWhileABrokerIsStoppedAndStartedAgain() throws Exception {
        cluster.createTopic("stopped", 2);

        int count = underLoad("stopped", 4, brokerB::stop);

        Numbers.requireFirstCopiesInOrder(read("stopped"), count, 4);
    }

    /** Sends until the broker has been struck, something has failed, and the broker is back and has got more. */
    private static int underLoad(String topic, int partitions, Runnable strike) throws Exception {
        int part = 400;
        try (MessageProducer producer = producer("rocketmq.send.timeout.ms", "1000");
                RocketMqReader reader = cluster.reader()) {
            Numbers numbers = new Numbers(producer, topic, partitions);
            numbers.sendAll(0, part);
            boolean[] isBack = {false};
            CompletableFuture<Integer> sent = CompletableFuture.supplyAsync(() -> {
                int round = 1;
                try {
                    for (int more = 0; more < 5; round++) {
                        numbers.sendAll(round * part, (round + 1) * part);
                        synchronized (isBack) {
                            more += isBack[0] ? 1 : 0;
                        }
                    }
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                return round * part;
            });
            strike.run();
            await().atMost(TIMEOUT).until(() -> numbers.failures() > 0 || sent.isDone());
            brokerB.restart();
            await().atMost(TIMEOUT).until(() -> producer.partitionsOf(topic).orElse(0) == partitions);
            synchronized (isBack) {
                isBack[0] = true;
            }
            int count = sent.get();
            assertThat(numbers.failures()).isPositive();
            assertThat(numbers.lastFailure()).isNotEmpty();
            return count;
        }
    }

    /** It had not answered a request; the other broker gets its partitions, and it is asked again when it is back. */
    @Test
    void aBrokerThatDoesNotReturnIsNotWaitedForForever() throws Exception {
        cluster.createTopic("gone", 1);
        HandTime time = new HandTime();
        Map<String, String> properties = properties("rocketmq.send.timeout.ms", "1000");
        try (MessageProducer producer = new RocketMqConnector(MissingTopics.GRACE, ROUTE_INTERVAL, time)
                .configure(properties)
                .create(new ProducerContext("shop", Ownership.SOLE))) {
            Numbers numbers = new Numbers(producer, "gone", 2);
            numbers.sendAll(0, 10);
            List<Message> toB = List.of(numbers.message(11));
            brokerB.pause();
            assertThat(Numbers.send(producer, toB).get(0).kind()).isEqualTo(FailureKind.PASSING);
            brokerB.kill();
            await().atMost(TIMEOUT).until(() -> {
                time.passSeconds(1); // as long as it is listed, that counts for nothing
                producer.restart();
                return producer.partitionsOf("gone").orElse(0) == 1;
            });
            producer.restart();
            time.passSeconds(60);
            producer.restart();
            assertThat(Numbers.send(producer, toB).get(0).cause())
                    .hasMessageContaining("broker broker-b does not answer, and may still carry out earlier requests");

            time.passSeconds(70);
            producer.restart();
            numbers.sendAll(10, 20);

            brokerB.restart();
            int sent = 20;
            try (RocketMqReader reader = cluster.reader()) {
                long before = reader.count("gone", "broker-b");
                while (reader.count("gone", "broker-b") == before) {
                    numbers.sendAll(sent, sent + 2);
                    sent += 2;
                }
            }
            Numbers.requireFirstCopiesInOrder(read("gone"), sent, 2);
        }
    }

    /** The name servers list the broker for it as before, and the other broker has it. */
    @Test
    void aTopicThatIsMissingOnOneBrokerIsUnavailableAfterAWhile() throws Exception {
        cluster.createTopic("half", 1);
        HandTime time = new HandTime();
        Duration grace = Duration.ofSeconds(60);
        try (MessageProducer producer = new RocketMqConnector(grace, BrokerPartitions.INTERVAL, time)
                .configure(properties())
                .create(new ProducerContext("shop", Ownership.SOLE))) {
            Numbers numbers = new Numbers(producer, "half", 2);
            numbers.sendAll(0, 2);
            brokerB.deleteTopic("half");
            List<Message> toA = List.of(numbers.message(2));
            List<Message> toB = List.of(numbers.message(3));

            Outcome first = Numbers.send(producer, toB).get(0);
            assertThat(first.kind()).isEqualTo(FailureKind.PASSING);
            assertThat(first.cause()).hasMessageContaining("half");

            time.pass(grace);
            producer.restart();
            assertThat(Numbers.send(producer, toA)).containsExactly(Outcome.DELIVERED);
            assertThat(Numbers.send(producer, toB).get(0).kind()).isEqualTo(FailureKind.TOPIC_UNAVAILABLE);

            brokerB.createTopic("half", 1);
            producer.restart();
            numbers.sendAll(2, 4);
        }
    }

    @Tag("thorough")
    @Test
    void aBrokerThatMayNotBeWrittenToIsLeftOutAndTakenAgain() throws Exception {
        cluster.createTopic("read-only", 1);
        try (MessageProducer producer = producer();
                RocketMqReader reader = cluster.reader()) {
            Numbers numbers = new Numbers(producer, "read-only", 2);
            int sent = 0;
            brokerB.set("brokerPermission", "4");
            try {
                long before;
                do { // as long as the client does not know, the broker takes what comes
                    before = reader.count("read-only", "broker-b");
                    numbers.sendAll(sent, sent + 2);
                    sent += 2;
                } while (reader.count("read-only", "broker-b") > before);
            } finally {
                brokerB.set("brokerPermission", "6");
            }
            long before = reader.count("read-only", "broker-b");
            while (reader.count("read-only", "broker-b") == before) {
                numbers.sendAll(sent, sent + 2);
                sent += 2;
            }
            Numbers.requireFirstCopiesInOrder(read("read-only"), sent, 2);
        }
    }

    /** The queues of an ordered topic stay the same, so that its messages wait for the permission. */
    @Test
    void theRejectionOfABrokerThatMayNotBeWrittenToPasses() throws Exception {
        cluster.createOrderedTopic("forbidden", 1);
        try (MessageProducer producer = producer()) {
            Numbers numbers = new Numbers(producer, "forbidden", 2);
            numbers.sendAll(0, 2);
            assertThat(producer.partitionsOf("forbidden")).hasValue(2);
            brokerB.set("brokerPermission", "4");
            try {
                Outcome outcome =
                        Numbers.send(producer, List.of(numbers.message(3))).get(0);

                assertThat(outcome.kind()).isEqualTo(FailureKind.PASSING);
                assertThat(outcome.cause()).hasMessageContaining("sending message is forbidden");
            } finally {
                brokerB.set("brokerPermission", "6");
            }
            producer.restart();
            numbers.sendAll(2, 4);
        }
        assertThat(Numbers.byPlace(read("forbidden")).get("broker-b/0").stream().distinct())
                .containsExactly(1, 3);
    }

    @Tag("thorough")
    @Test
    void moreAndFewerQueuesAreUsedWithoutALoss() throws Exception {
        cluster.createTopic("resized", 1);
        try (MessageProducer producer = producer();
                RocketMqReader reader = cluster.reader()) {
            Numbers numbers = new Numbers(producer, "resized", 6);
            numbers.sendAll(0, 60);
            cluster.createTopic("resized", 3);
            int sent = 60;
            while (Numbers.byPlace(reader.readToEnd("resized", TIMEOUT)).size() < 6) {
                numbers.sendAll(sent, sent + 6);
                sent += 6;
            }
            cluster.createTopic("resized", 1);
            numbers.sendAll(sent, sent + 60);
            cluster.createTopic("resized", 3); // so that all can be read

            Numbers.requireFirstCopiesInOrder(read("resized"), sent + 60, 6);
        }
    }

    /** The broker rejects what has waited for its threads. */
    @Tag("thorough")
    @Test
    void aBusyBrokerIsTriedAgainInOrder() throws Exception {
        int partitions = 16;
        cluster.createTopic("busy", partitions / 2);
        int part = 4000;
        int sent = 0;
        try (MessageProducer producer = producer("rocketmq.batch.bytes", "0")) {
            Numbers numbers = new Numbers(producer, "busy", partitions);
            brokerB.set("waitTimeMillsInSendQueue", "-1");
            try {
                while (!numbers.lastFailure().contains("CODE: 2 ")) {
                    numbers.sendAll(sent, sent + part);
                    sent += part;
                }
            } finally {
                brokerB.set("waitTimeMillsInSendQueue", "60000");
            }
            numbers.sendAll(sent, sent + part);
            sent += part;
        }

        List<MessageExt> messages = read("busy");
        Numbers.requireFirstCopiesInOrder(messages, sent, partitions);
        Numbers.requireLastCopiesInOrder(messages, partitions);
    }

    /** Its client ends its registration with one broker after the other, and waits for each of them. */
    @Test
    void anEndThatMayNotWaitDoesNotWaitForBrokersThatDoNotAnswer() throws Exception {
        cluster.createTopic("closed", 1);
        MessageProducer producer = producer();
        new Numbers(producer, "closed", 2).sendAll(0, 2);
        brokerA.pause();
        brokerB.pause();
        try {
            producer.close(Duration.ZERO);

            assertThat(isClosing()).isTrue();
        } finally {
            brokerA.resume();
            brokerB.resume();
        }
        await().atMost(TIMEOUT).until(() -> !isClosing());
    }

    private static boolean isClosing() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals("rocketmq-close"));
    }

    private static List<MessageExt> read(String topic) {
        try (RocketMqReader reader = cluster.reader()) {
            return reader.readToEnd(topic, TIMEOUT);
        }
    }

    private static MessageProducer producer(String... keysAndValues) {
        return new RocketMqConnector(MissingTopics.GRACE, ROUTE_INTERVAL, Time.SYSTEM)
                .configure(properties(keysAndValues))
                .create(new ProducerContext("shop", Ownership.SOLE));
    }

    private static RocketMqClient client(RocketMqSettings settings, Time time) throws Exception {
        return new RocketMqClient(settings, new MissingTopics(MissingTopics.GRACE, time), ROUTE_INTERVAL);
    }

    private static RocketMqSettings settings(String... keysAndValues) {
        return RocketMqSettingsReader.read(properties(keysAndValues));
    }

    private static Map<String, String> properties(String... keysAndValues) {
        Map<String, String> properties = new HashMap<>();
        properties.put("rocketmq.namesrv.addr", cluster.nameServer());
        properties.put("rocketmq.producer.group", "test");
        for (int i = 0; i < keysAndValues.length; i += 2) {
            properties.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        return properties;
    }
}
