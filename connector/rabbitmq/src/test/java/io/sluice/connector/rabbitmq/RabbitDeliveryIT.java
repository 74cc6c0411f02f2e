package io.sluice.connector.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import io.sluice.connector.api.attempt.SendException;
import io.sluice.connector.api.deliver.NumberedStream;
import io.sluice.connector.api.probe.Finding;
import io.sluice.connector.api.probe.Findings;
import io.sluice.connector.api.probe.TopicNeed;
import io.sluice.connector.api.probe.Verdict;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.MessageHeader;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.NotAdmittedException;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.connector.api.producer.ProducerContext;
import io.sluice.connector.rabbitmq.failure.RabbitErrors;
import io.sluice.connector.rabbitmq.node.BrokerAnswer;
import io.sluice.connector.rabbitmq.node.NodeOrder;
import io.sluice.connector.rabbitmq.send.Fence;
import io.sluice.connector.rabbitmq.send.NodeDialer;
import io.sluice.connector.rabbitmq.send.RabbitConnection;
import io.sluice.connector.rabbitmq.settings.Address;
import io.sluice.connector.rabbitmq.settings.RabbitSettingsReader;
import io.sluice.protocol.time.Time;
import io.sluice.testkit.broker.BrokerRecord;
import io.sluice.testkit.log.LogLines;
import io.sluice.testkit.process.FreePorts;
import io.sluice.testkit.proxy.HoldingProxy;
import io.sluice.testkit.rabbitmq.RabbitMqBroker;
import io.sluice.testkit.rabbitmq.RabbitMqOptions;
import io.sluice.testkit.time.HandTime;
import io.sluice.testkit.tls.Certificates;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Sends to a real broker, and takes it away. */
@Timeout(600)
class RabbitDeliveryIT {
    private static final int BROKERS_CHANNELS = 32;
    private static final int BROKERS_LIMIT = 1 << 20;
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final Ownership THIRD_OWNER = new Ownership() {
        @Override
        public boolean isHeld() {
            return true;
        }

        @Override
        public long epoch() {
            return 3;
        }
    };

    @TempDir
    private static Path folder;

    /** Each producer has a destination of its own, or one would wait until the other is gone. */
    private static final AtomicInteger DESTINATIONS = new AtomicInteger();

    private static RabbitMqBroker broker;
    private static Certificates certificates;

    @BeforeAll
    static void startBroker() throws Exception {
        certificates = Certificates.makeRsa(folder, "dns:localhost");
        broker = RabbitMqBroker.start(RabbitMqOptions.defaults()
                .with("max_message_size", Integer.toString(BROKERS_LIMIT))
                .with("channel_max", Integer.toString(BROKERS_CHANNELS))
                .with(new RabbitMqOptions.User("shop", "s3cret", "shop", ".*", ".*", ""))
                .with(new RabbitMqOptions.User("writer", "w", "/", "", ".*", "allowed.*"))
                .with(new RabbitMqOptions.User("unbinding", "u", "/", ".*", "", ""))
                .tls(certificates.certificate(), certificates.key()));
    }

    @AfterAll
    static void stopBroker() {
        if (broker != null) {
            broker.close();
        }
    }

    private static MessageProducer producer(String... settings) {
        return producer(Ownership.SOLE, settings);
    }

    private static MessageProducer producer(Ownership ownership, String... settings) {
        return producer(ownership, Time.SYSTEM, settings);
    }

    private static MessageProducer producer(Ownership ownership, Time time, String... settings) {
        return producer(new ProducerContext("shop" + DESTINATIONS.incrementAndGet(), ownership), time, settings);
    }

    private static MessageProducer producer(ProducerContext context, Time time, String... settings) {
        return new RabbitConnector(time).configure(properties(settings)).create(context);
    }

    private static Map<String, String> properties(String... settings) {
        Map<String, String> properties = new HashMap<>(broker.settings());
        for (int i = 0; i < settings.length; i += 2) {
            properties.put(settings[i], settings[i + 1]);
        }
        return properties;
    }

    private static List<BrokerRecord> read(String topic, int count) {
        List<BrokerRecord> records = new ArrayList<>();
        broker.read(topic, records::add, () -> records.size() >= count, TIMEOUT);
        return records;
    }

    private static List<String> texts(String topic, int count) {
        return read(topic, count).stream()
                .map(record -> new String(record.value(), StandardCharsets.UTF_8))
                .toList();
    }

    private static List<String> numbers(int from, int to) {
        return IntStream.rangeClosed(from, to).mapToObj(Integer::toString).toList();
    }

    @Test
    void declaresWhatCanalDeclaresAndSendsAsCanalDoes() {
        try (MessageProducer producer = producer(
                "rabbitmq.exchange", "declared.exchange",
                "rabbitmq.queue", "declared.queue",
                "rabbitmq.deliveryMode", "direct",
                "rabbitmq.routingKey", "declared")) {
            assertThat(Answers.send(producer, "declared", 1, 1).await()).containsExactly("delivered");
        }

        GetResponse message = broker.ask(channel -> {
            channel.exchangeDeclare("declared.exchange", "direct", true);
            channel.queueDeclare("declared.queue", true, false, false, Map.of());
            return channel.basicGet("declared.queue", true);
        });
        assertThat(message.getProps().getContentType()).isEqualTo("text/plain");
        assertThat(message.getProps().getDeliveryMode()).isEqualTo(2);
        assertThat(message.getProps().getPriority()).isZero();
        assertThat(message.getProps().getHeaders()).isNull();
        assertThat(message.getEnvelope().getRoutingKey()).isEqualTo("declared");
    }

    @Test
    void withoutAnExchangeATopicIsAQueue() {
        broker.createTopic("plain", 1);
        try (MessageProducer producer = producer("rabbitmq.exchange", "")) {
            assertThat(Answers.send(producer, "plain", 1, 2).distinct()).containsExactly("delivered");
        }
        assertThat(texts("plain", 2)).containsExactly("1", "2");
    }

    @Test
    void headersKeyAndEpochTravelAlong() {
        broker.createTopic("headers", 1);
        Answers answers = new Answers();
        try (MessageProducer producer = producer(THIRD_OWNER)) {
            answers.send(
                    producer,
                    new Message(
                            "headers",
                            0,
                            "7".getBytes(StandardCharsets.UTF_8),
                            "row".getBytes(StandardCharsets.UTF_8),
                            List.of(new MessageHeader("sluice-file", "binlog.000001"))));
            assertThat(answers.await()).containsExactly("delivered");
        }
        assertThat(read("headers", 1).get(0).headers())
                .containsEntry("sluice-epoch", "3")
                .containsEntry("sluice-key", "7")
                .containsEntry("sluice-file", "binlog.000001");
    }

    @Test
    void keepsTheOrderOfEachTopicWhileManyFlow() {
        List<String> topics = List.of("flow.a", "flow.b", "flow.c", "flow.d", "flow.e");
        topics.forEach(topic -> broker.createTopic(topic, 1));
        Answers answers = new Answers();
        try (MessageProducer producer = producer("rabbitmq.inflight.messages", "100")) {
            for (int i = 1; i <= 2_000; i++) {
                for (String topic : topics) {
                    answers.send(producer, topic, Integer.toString(i));
                }
            }
            assertThat(answers.distinct()).containsExactly("delivered");
        }
        for (String topic : topics) {
            assertThat(texts(topic, 2_000)).isEqualTo(numbers(1, 2_000));
        }
    }

    @Test
    void whatNoQueueTakesIsRejectedAndHaltsWhatFollows() {
        broker.createTopic("routable", 1);
        try (MessageProducer producer = producer()) {
            Answers answers = new Answers();
            answers.send(producer, "routable", "1");
            answers.send(producer, "nowhere", "2");
            assertThat(answers.await()).containsExactly("delivered", "TOPIC_UNAVAILABLE");
            assertThat(answers.causes())
                    .contains("no queue takes messages of exchange 'sluice.test' with routing key 'nowhere'");

            Answers behind = Answers.send(producer, "routable", 3, 3);
            assertThat(behind.await()).containsExactly("PASSING");

            producer.restart();

            assertThat(Answers.send(producer, "routable", 3, 3).await()).containsExactly("delivered");
        }
        assertThat(texts("routable", 2)).containsExactly("1", "3");
    }

    /**
     * Or those after it would be stored before it, if its queue is bound while all of them are on their way. A sender sends the same messages
     * again.
     */
    @Test
    void whatNoQueueTakesIsSentAgainAlone() {
        broker.createTopic("alone", 1);
        List<Message> messages = messages(List.of("alone", "unbound", "alone", "alone", "alone", "alone"));
        try (MessageProducer producer = producer()) {
            assertThat(send(producer, messages)).startsWith("delivered", "TOPIC_UNAVAILABLE");
            long stored = 0;
            for (int attempt = 0; attempt <= 3; attempt++) {
                producer.restart();
                assertThat(send(producer, messages))
                        .containsExactly("delivered", "TOPIC_UNAVAILABLE", "PASSING", "PASSING", "PASSING", "PASSING");
                if (attempt == 0) { // the connection before is closed, and all that it had sent is stored
                    stored = broker.delivered("alone");
                }
            }

            assertThat(broker.delivered("alone")).isEqualTo(stored + 3);
        }
    }

    /** As of a table without a queue, whose messages are skipped: one by one, each would cost an attempt. */
    @Test
    void messagesAfterOneThatNoQueueTakesAndThatIsSkippedAreSentTogether() {
        int port = broker.server().port();
        try (HoldingProxy proxy = new HoldingProxy(() -> port);
                MessageProducer producer =
                        producer("rabbitmq.host", "127.0.0.1:" + proxy.port(), "rabbitmq.block.timeout.ms", "20000")) {
            assertThat(Answers.send(producer, "skipped", 1, 1).await()).containsExactly("TOPIC_UNAVAILABLE");
            producer.restart();
            proxy.hold();

            Answers next = Answers.send(producer, "skipped", 2, 200);
            proxy.release();

            assertThat(next.distinct()).containsExactly("TOPIC_UNAVAILABLE");
        }
    }

    @Test
    void moreThanOneMessageIsOnItsWayAgainWhenAQueueThatHasRejectedSomeTakesThem() {
        broker.createTopic("refilled", 1);
        broker.ask(channel -> {
            channel.queueDeclare(
                    "refilled.full", true, false, false, Map.of("x-max-length", 1, "x-overflow", "reject-publish"));
            return channel.queueBind("refilled.full", RabbitMqBroker.EXCHANGE, "refilled");
        });
        int port = broker.server().port();
        try (HoldingProxy proxy = new HoldingProxy(() -> port);
                MessageProducer producer = producer(
                        "rabbitmq.host",
                        "127.0.0.1:" + proxy.port(),
                        "rabbitmq.block.timeout.ms",
                        "20000",
                        "rabbitmq.inflight.messages",
                        "1000000")) {
            assertThat(Answers.send(producer, "refilled", 1, 1).await()).containsExactly("delivered");
            Answers rejected = Answers.send(producer, "refilled", 2, 2);
            assertThat(rejected.await()).containsExactly("PASSING");
            assertThat(rejected.causes()).contains("nack");
            broker.ask(channel -> channel.queueDelete("refilled.full"));
            producer.restart();
            assertThat(Answers.send(producer, "refilled", 2, 101).distinct()).containsExactly("delivered");
            proxy.hold();

            Answers together = Answers.send(producer, "refilled", 102, 103);
            proxy.release();

            assertThat(together.distinct()).containsExactly("delivered");
        }
    }

    /** The one queue of a topic shows what was sent when the other one takes no more. */
    @Test
    void nothingIsOnItsWayAfterAMessageThatMayBeRejectedByAFullQueue() {
        broker.createTopic("limited", 1);
        broker.ask(channel -> {
            channel.queueDeclare(
                    "limited.full", true, false, false, Map.of("x-max-length", 10, "x-overflow", "reject-publish"));
            return channel.queueBind("limited.full", RabbitMqBroker.EXCHANGE, "limited");
        });
        try (MessageProducer producer = producer()) {
            assertThat(Answers.send(producer, "limited", 1, 10).distinct()).containsExactly("delivered");
            Answers rejected = Answers.send(producer, "limited", 11, 60);
            assertThat(rejected.distinct()).containsExactly("PASSING");
            assertThat(rejected.causes()).contains("nack");
            producer.restart();
            assertThat(Answers.send(producer, "limited", 11, 60).distinct()).containsExactly("PASSING");
            long stored =
                    broker.delivered("limited"); // the connection before is closed, and all that it had sent is stored

            producer.restart();
            assertThat(Answers.send(producer, "limited", 11, 60).distinct()).containsExactly("PASSING");
            assertThat(broker.delivered("limited")).isEqualTo(stored + 1);

            broker.ask(channel -> channel.queuePurge("limited.full"));
            producer.restart();
            assertThat(Answers.send(producer, "limited", 11, 20).distinct()).containsExactly("delivered");
            assertThat(Answers.send(producer, "limited", 21, 60).distinct()).containsExactly("PASSING");
            assertThat(broker.delivered("limited")).isEqualTo(stored + 12);
        }
        assertThat(texts("limited.full", 10)).isEqualTo(numbers(11, 20));
    }

    /** A cluster answers the same for a queue of a node that is down. */
    @Test
    void whatNoQueueTakesIsRejectedOnlyIfAllNodesAreUp() {
        String up = twoAddresses();
        try (MessageProducer producer = producer("rabbitmq.host", up)) {
            assertUnavailableWhenItIsReturnedAgain(producer, 1);
            producer.restart();
            Answers more = Answers.send(producer, "nowhere", 2, 200);
            assertThat(more.distinct()).containsExactly("PASSING");
            assertThat(more.again(producer).distinct())
                    .startsWith("TOPIC_UNAVAILABLE")
                    .isSubsetOf("TOPIC_UNAVAILABLE", "PASSING");
        }
        try (MessageProducer producer =
                producer("rabbitmq.host", up, "rabbitmq.username", "writer", "rabbitmq.password", "w")) {
            Answers answers = Answers.send(producer, "nowhere", 1, 1);
            assertThat(answers.await())
                    .as("of a user that may declare nothing, so that nodes that are cut off are not found")
                    .containsExactly("PASSING");
            assertThat(answers.causes()).contains("grant user writer configure on ^sluice\\.producer");
        }
        try (MessageProducer producer = producer("rabbitmq.host", up + ",127.0.0.1:1")) {
            Answers answers = Answers.send(producer, "nowhere", 1, 20);
            assertThat(answers.distinct()).containsExactly("PASSING");
            assertThat(answers.causes()).contains("312 NO_ROUTE", "127.0.0.1:1 does not answer, start it");
        }
    }

    @Test
    void nodesAreAskedByTlsIfTheyAreConnectedToByTls() {
        int port = broker.server().tlsPort();
        try (MessageProducer producer = producer(
                "rabbitmq.host",
                "amqps://localhost:%d,amqps://localhost:%d".formatted(port, port),
                "rabbitmq.tls.truststore",
                certificates.certificate().toString())) {
            assertUnavailableWhenItIsReturnedAgain(producer, 1);
        }
    }

    /** A limit says nothing about queues. */
    @Test
    void aNodeThatHasNoConnectionLeftForTheQuestionProvesNothing() {
        try (MessageProducer producer = producer("rabbitmq.host", twoAddresses())) {
            broker.createTopic("few", 1);
            assertThat(Answers.send(producer, "few", 1, 1).await()).containsExactly("delivered");
            broker.server().control("set_user_limits", "guest", "{\"max-connections\": 1}");
            try {
                Answers answers = Answers.send(producer, "nowhere", 2, 2);
                assertThat(answers.await()).containsExactly("PASSING");
                assertThat(answers.causes()).contains("has reached a limit, raise it");
            } finally {
                broker.server().control("clear_user_limits", "guest", "all");
            }
            producer.restart();
            assertUnavailableWhenItIsReturnedAgain(producer, 2);
        }
    }

    /** With several nodes the queue of a message may be reached again just after it was returned. */
    private static void assertUnavailableWhenItIsReturnedAgain(MessageProducer producer, int number) {
        Answers first = Answers.send(producer, "nowhere", number, number);
        assertThat(first.await()).containsExactly("PASSING");
        assertThat(first.causes()).contains("it is sent once more");
        assertThat(first.again(producer).await()).containsExactly("TOPIC_UNAVAILABLE");
    }

    /** As a proxy does whose broker is down, and the system of a broker that is frozen. */
    @Test
    void aNodeThatAcceptsConnectionsAndSaysNothingIsDown() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                MessageProducer producer = producer(
                        "rabbitmq.host",
                        "127.0.0.1:%d,127.0.0.1:%d".formatted(broker.gate().port(), silent.getLocalPort()),
                        "rabbitmq.connect.timeout.ms",
                        "5000")) {
            Answers answers = Answers.send(producer, "nowhere", 1, 5);
            assertThat(answers.distinct()).containsExactly("PASSING");
            assertThat(answers.causes()).contains("127.0.0.1:%d does not answer".formatted(silent.getLocalPort()));
        }
    }

    /** Or it would be lost with each attempt that messages have been returned over it, and none would ever be judged. */
    @Test
    void theConnectionIsKeptWhileAQuestionTakesLongerThanAMessageMayWaitForRoom() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                MessageProducer producer = producer(
                        "rabbitmq.host",
                        "127.0.0.1:%d,127.0.0.1:%d".formatted(broker.gate().port(), silent.getLocalPort()),
                        "rabbitmq.connect.timeout.ms",
                        "5000",
                        "rabbitmq.block.timeout.ms",
                        "1000",
                        "rabbitmq.inflight.messages",
                        "1")) {
            Answers answers = Answers.send(producer, "nowhere", 1, 3);

            assertThat(answers.distinct()).containsExactly("PASSING");
            assertThat(answers.causes())
                    .contains(
                            "127.0.0.1:%d does not answer".formatted(silent.getLocalPort()),
                            "an earlier message failed")
                    .doesNotContain("too slowly", "connection to RabbitMQ lost");
        }
    }

    /** Of two nodes the one that is up may be the one that has lost its disk. */
    @Test
    void whatNoQueueTakesAtTheBrokersOwnExchangeIsRejectedIfMoreThanHalfOfTheNodesSayThatThereIsNone() {
        try (MessageProducer producer =
                producer("rabbitmq.exchange", "", "rabbitmq.host", twoAddresses() + ",127.0.0.1:1")) {
            assertUnavailableWhenItIsReturnedAgain(producer, 1);
        }
        String halfIsDown = "127.0.0.1:%d,127.0.0.1:1".formatted(broker.gate().port());
        try (MessageProducer producer = producer("rabbitmq.exchange", "", "rabbitmq.host", halfIsDown)) {
            Answers answers = Answers.send(producer, "nowhere", 1, 1);
            assertThat(answers.await()).containsExactly("PASSING");
            assertThat(answers.causes())
                    .contains("312 NO_ROUTE", "whether queue nowhere exists at 127.0.0.1:1 is not known");
        }
        try (MessageProducer producer =
                producer("rabbitmq.exchange", "", "rabbitmq.username", "writer", "rabbitmq.password", "w")) {
            assertThat(Answers.send(producer, "nowhere", 1, 1).await()).containsExactly("TOPIC_UNAVAILABLE");
        }
    }

    @Test
    void whatNoQueueTakesIsDroppedIfWanted() {
        try (MessageProducer producer = producer("rabbitmq.mandatory", "false")) {
            assertThat(Answers.send(producer, "nowhere", 1, 3).distinct()).containsExactly("delivered");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "rabbitmq.password, wrong, BROKEN, 'rabbitmq.username, rabbitmq.password: RabbitMQ at'",
        "rabbitmq.virtual.host, shop, BROKEN, 'rabbitmq.virtual.host: RabbitMQ at'",
        "rabbitmq.virtual.host, none, BROKEN, 'rabbitmq.virtual.host: RabbitMQ at'",
        "rabbitmq.exchange, absent, TOPIC_UNAVAILABLE, 'rabbitmq.exchange=absent: NOT_FOUND'",
        "rabbitmq.queue, denied, PASSING, 'rabbitmq.queue=denied: it does not exist, and the user may not declare it'",
    })
    void aWrongOptionIsNamed(String key, String value, String kind, String said) {
        broker.createTopic("wrong", 1);
        try (MessageProducer producer = producer("rabbitmq.username", "writer", "rabbitmq.password", "w", key, value)) {
            Answers answers = Answers.send(producer, "wrong", 1, 1);
            assertThat(answers.await()).containsExactly(kind);
            assertThat(answers.causes()).startsWith(said).doesNotContain("wrong,");
        }
        assertThat(broker.delivered("wrong")).isZero();
    }

    /** As an administrator may take the right away when all is declared. */
    @Test
    void whatMayNotBeDeclaredIsUsedIfItIsThere() {
        String[] settings = {
            "rabbitmq.exchange",
            "declared.before.exchange",
            "rabbitmq.queue",
            "declared.before",
            "rabbitmq.deliveryMode",
            "direct",
            "rabbitmq.routingKey",
            "before",
            "rabbitmq.fence",
            "false"
        };
        try (MessageProducer producer = producer(settings)) {
            assertThat(Answers.send(producer, "before", 1, 1).await()).containsExactly("delivered");
        }
        try (MessageProducer producer =
                producer(with(settings, "rabbitmq.username", "writer", "rabbitmq.password", "w"))) {
            assertThat(Answers.send(producer, "before", 2, 2).await()).containsExactly("delivered");
        }
        try (MessageProducer producer =
                producer(with(settings, "rabbitmq.username", "unbinding", "rabbitmq.password", "u"))) {
            Answers answers = Answers.send(producer, "before", 3, 3);
            assertThat(answers.await()).containsExactly("PASSING");
            assertThat(answers.causes())
                    .startsWith(
                            "rabbitmq.routingKey=before: the user may not bind, grant write on queue declared.before");
        }
        assertThat(texts("declared.before", 2)).containsExactly("1", "2");
    }

    private static String[] with(String[] settings, String... others) {
        return Stream.concat(Stream.of(settings), Stream.of(others)).toArray(String[]::new);
    }

    /** RabbitMQ 4.2.6 and 4.3.0 ask for the right to configure, which a user that only sends need not have. */
    @Test
    void anExchangeThatMayNotBeAskedForIsSentTo() {
        broker.createTopic("unasked", 1);
        int port = broker.server().port();
        String exchange = RabbitMqBroker.EXCHANGE;
        String declaration = "\0\50\0\12\0\0" + (char) exchange.length();
        String absent = "x".repeat(exchange.length());
        try (FrameProxy proxy = new FrameProxy(
                        () -> port,
                        FrameProxy.FORBIDS_QUESTIONS,
                        Map.of(declaration + exchange, declaration + absent));
                MessageProducer producer = producer("rabbitmq.host", "127.0.0.1:" + proxy.port());
                MessageProducer toAbsent =
                        producer("rabbitmq.host", "127.0.0.1:" + proxy.port(), "rabbitmq.exchange", absent)) {
            assertThat(Answers.send(producer, "unasked", 1, 3).distinct()).containsExactly("delivered");
            assertThat(proxy.reworded())
                    .contains(declaration + exchange)
                    .containsAll(FrameProxy.FORBIDS_QUESTIONS.keySet());
            Answers answers = Answers.send(toAbsent, "unasked", 4, 4);
            assertThat(answers.await()).containsExactly("TOPIC_UNAVAILABLE");
            assertThat(answers.causes()).contains("RabbitMQ rejected a message");
        }
        assertThat(texts("unasked", 3)).containsExactly("1", "2", "3");
    }

    /** RabbitMQ 4.2.6 and 4.3.0 do not say that the queue is missing if the user may not configure it; that it cannot be bound is no verdict about a message of another queue. */
    @Test
    void aQueueThatIsMissingWhenItIsBoundIsWaitedFor() {
        broker.ask(channel -> channel.exchangeDeclare("allowed.exchange", "direct", true));
        int port = broker.server().port();
        String missing = "NOT_FOUND - no queue 'gone.queue' in vhost '/'";
        String rest = (char) missing.length() + missing + "\0\62\0\12"; // of queue.declare
        try (FrameProxy proxy =
                        new FrameProxy(() -> port, Map.of("\0\24\0\50\1\224" + rest, "\0\24\0\50\1\223" + rest));
                MessageProducer producer = producer(
                        "rabbitmq.host", "127.0.0.1:" + proxy.port(),
                        "rabbitmq.username", "writer",
                        "rabbitmq.password", "w",
                        "rabbitmq.exchange", "allowed.exchange",
                        "rabbitmq.queue", "gone.queue",
                        "rabbitmq.deliveryMode", "direct",
                        "rabbitmq.routingKey", "bound")) {
            Answers answers = Answers.send(producer, "bound", 1, 1);
            assertThat(answers.await()).containsExactly("PASSING");
            assertThat(proxy.reworded()).isNotEmpty();
            assertThat(answers.causes())
                    .contains(
                            "rabbitmq.routingKey=bound: queue gone.queue or exchange allowed.exchange does not exist",
                            "grant configure on it, or create it");
            broker.createTopic("gone.queue", 1);
            producer.restart();

            assertThat(Answers.send(producer, "bound", 1, 1).await()).containsExactly("delivered");
        }
    }

    /** The next connection finds that it is not there, as does the broker with the message that was sent. */
    @Test
    void anExchangeThatIsDeletedIsNamedForTheMessage() {
        broker.ask(channel -> channel.exchangeDeclare("deleted.later", "fanout", true));
        broker.ask(channel -> {
            channel.queueDeclare("of.deleted", true, false, false, Map.of());
            return channel.queueBind("of.deleted", "deleted.later", "");
        });
        try (MessageProducer producer = producer("rabbitmq.exchange", "deleted.later")) {
            assertThat(Answers.send(producer, "any", 1, 1).await()).containsExactly("delivered");
            broker.ask(channel -> channel.exchangeDelete("deleted.later"));

            Answers answers = Answers.send(producer, "any", 2, 2);

            assertThat(answers.await()).containsExactly("TOPIC_UNAVAILABLE");
            assertThat(answers.causes()).contains("NOT_FOUND - no exchange 'deleted.later'");
        }
    }

    /** As one that has lost its disk, and has our user by its definitions. A virtual host takes its place. */
    @Test
    void aNodeThatIsAClusterOfItsOwnDoesNotMakeMessagesUnavailable() {
        broker.createTopic("clustered", 1);
        int port = broker.server().port();
        broker.server().control("add_vhost", "b");
        broker.server().control("set_permissions", "-p", "b", "guest", ".*", ".*", ".*");
        try (FrameProxy proxy = new FrameProxy(() -> port, Map.of(), Map.of("\0\12\0\50\1/", "\0\12\0\50\1b"))) {
            String blank = "127.0.0.1:" + proxy.port();
            String whole = "127.0.0.1:" + port;
            for (String addresses : List.of(blank + "," + whole, whole + "," + blank)) { // it begins with either
                try (MessageProducer producer = producer(
                        new ProducerContext("blank", Ownership.SOLE), Time.SYSTEM, "rabbitmq.host", addresses)) {
                    Answers first = Answers.send(producer, "clustered", 1, 1);
                    if (!first.await().equals(List.of("delivered"))) {
                        assertThat(first.await()).containsExactly("PASSING");
                        assertThat(first.causes())
                                .contains("rabbitmq.exchange=sluice.test: NOT_FOUND", "it exists at 127.0.0.1:" + port);
                        producer.restart();
                        assertThat(Answers.send(producer, "clustered", 1, 1).await())
                                .containsExactly("delivered");
                    }
                    Answers nowhere = Answers.send(producer, "nowhere", 2, 2);
                    assertThat(nowhere.await()).containsExactly("PASSING");
                    assertThat(nowhere.causes()).contains("is up, but what is declared there is not known");
                    producer.restart();

                    assertThat(Answers.send(producer, "clustered", 3, 3).await())
                            .containsExactly("delivered");
                }
            }
            assertThat(proxy.reworded()).isNotEmpty();
        }
        try (MessageProducer producer = producer("rabbitmq.exchange", "absent", "rabbitmq.host", twoAddresses())) {
            Answers answers = Answers.send(producer, "clustered", 1, 1);
            assertThat(answers.await()).as("missing at each node").containsExactly("TOPIC_UNAVAILABLE");
        }
    }

    /** As when its definitions have them. Its queues are declared by their readers, which are at the others. */
    @Test
    void aNodeThatIsAClusterOfItsOwnIsLeftForTheOthers() {
        broker.createTopic("read.elsewhere", 1);
        int port = broker.server().port();
        addVirtualHost("d");
        String whole = "127.0.0.1:%d,localhost:%d".formatted(port, port);
        try (FrameProxy proxy = new FrameProxy(() -> port, Map.of(), toVirtualHost("d"))) {
            String blank = "127.0.0.1:" + proxy.port();
            at(proxy.port(), channel -> channel.exchangeDeclare(RabbitMqBroker.EXCHANGE, "direct", true));
            ProducerContext context = beginningAt(blank, blank + "," + whole);
            try (MessageProducer producer = producer(context, Time.SYSTEM, "rabbitmq.host", blank + "," + whole)) {
                Answers first = Answers.send(producer, "read.elsewhere", 1, 1);
                assertThat(first.await()).containsExactly("PASSING");
                assertThat(first.causes()).contains("is up, but what is declared there is not known to " + blank);
                producer.restart();

                assertThat(Answers.send(producer, "read.elsewhere", 1, 1).await())
                        .containsExactly("delivered");
            }
        }
        assertThat(texts("read.elsewhere", 1)).containsExactly("1");
    }

    /** As a node that is cut off, and does not reach the node of the queue, in a cluster with Khepri. */
    @Test
    void aNodeThatIsAClusterOfItsOwnAndRejectsMessagesIsLeftForTheOthers() {
        broker.createTopic("accepted.elsewhere", 1);
        int port = broker.server().port();
        addVirtualHost("f");
        String whole = "127.0.0.1:%d,localhost:%d".formatted(port, port);
        HandTime time = new HandTime();
        try (FrameProxy proxy = new FrameProxy(() -> port, Map.of(), toVirtualHost("f"))) {
            String apart = "127.0.0.1:" + proxy.port();
            at(proxy.port(), channel -> {
                channel.exchangeDeclare(RabbitMqBroker.EXCHANGE, "direct", true);
                declareFull(channel, "accepted.elsewhere");
            });
            ProducerContext context = beginningAt(apart, apart + "," + whole);
            try (MessageProducer producer = producer(context, time, "rabbitmq.host", apart + "," + whole)) {
                assertRejected(producer, "accepted.elsewhere", 1);
                time.passSeconds(11);
                Awaitility.await().atMost(TIMEOUT).until(() -> {
                    producer.restart();
                    return Answers.send(producer, "accepted.elsewhere", 1, 1)
                            .await()
                            .equals(List.of("delivered"));
                });
            }
        }
        assertThat(texts("accepted.elsewhere", 1)).containsExactly("1");
    }

    private static void declareFull(Channel channel, String queue) throws IOException {
        channel.queueDeclare(queue, true, false, false, Map.of("x-max-length", 0, "x-overflow", "reject-publish"));
        channel.queueBind(queue, RabbitMqBroker.EXCHANGE, queue);
    }

    private static void assertRejected(MessageProducer producer, String topic, int number) {
        producer.restart();
        Answers answers = Answers.send(producer, topic, number, number);
        assertThat(answers.await()).containsExactly("PASSING");
        assertThat(answers.causes()).contains("nack");
    }

    /** Also a full queue rejects messages, which no other node can change: it is not connected to, and asked seldom. */
    @Test
    void theOtherNodesAreAskedOnceInTenSecondsInWhichMessagesAreRejectedAndNoneIsConfirmed() {
        broker.createTopic("taken", 1);
        broker.ask(channel -> {
            declareFull(channel, "rejected");
            return null;
        });
        int port = broker.server().port();
        AtomicInteger logins = new AtomicInteger();
        HandTime time = new HandTime();
        try (FrameProxy proxy = new FrameProxy(
                        () -> {
                            logins.incrementAndGet();
                            return port;
                        },
                        Map.of());
                ConnectedAddresses connected = new ConnectedAddresses()) {
            String first = "127.0.0.1:" + port;
            String addresses = "%s,127.0.0.1:%d,localhost:%d".formatted(first, proxy.port(), port);
            try (MessageProducer producer = producer(beginningAt(first, addresses), time, "rabbitmq.host", addresses)) {
                assertRejected(producer, "rejected", 1);
                time.passSeconds(9);
                assertRejected(producer, "rejected", 1);
                time.passSeconds(2);
                assertAskedAfterRejections(producer, logins, 1);
                time.passSeconds(11);
                assertAskedAfterRejections(producer, logins, 2);
                producer.restart();
                assertThat(Answers.send(producer, "taken", 1, 1).await()).containsExactly("delivered");
                time.passSeconds(11);
                assertRejected(producer, "rejected", 1);
                time.passSeconds(11);
                assertAskedAfterRejections(producer, logins, 3);
            }
            assertThat(Set.copyOf(connected.list())).containsExactly(first);
        }
        assertThat(logins).hasValue(3);
    }

    private static void assertAskedAfterRejections(MessageProducer producer, AtomicInteger logins, int expected) {
        Awaitility.await().atMost(TIMEOUT).until(() -> {
            assertRejected(producer, "rejected", 1);
            return logins.get() >= expected;
        });
        assertThat(logins).hasValue(expected);
    }

    /** Messages would be in a queue there that has no reader. */
    @Test
    void nothingIsDeclaredAtANodeThatIsAClusterOfItsOwn() {
        int port = broker.server().port();
        addVirtualHost("e");
        String whole = "127.0.0.1:" + port;
        String[] topology = {
            "rabbitmq.exchange", "declared.once.exchange",
            "rabbitmq.queue", "declared.once",
            "rabbitmq.deliveryMode", "direct",
            "rabbitmq.routingKey", "once"
        };
        try (MessageProducer producer = producer(with(topology, "rabbitmq.host", twoAddresses()))) {
            assertThat(Answers.send(producer, "once", 1, 1).await())
                    .as("declared where no node has it")
                    .containsExactly("delivered");
        }
        try (FrameProxy proxy = new FrameProxy(() -> port, Map.of(), toVirtualHost("e"))) {
            String blank = "127.0.0.1:" + proxy.port();
            ProducerContext context = beginningAt(blank, blank + "," + whole);
            for (String[] declared : List.of(topology, new String[] {"rabbitmq.queue", "declared.once"})) {
                try (MessageProducer producer =
                        producer(context, Time.SYSTEM, with(declared, "rabbitmq.host", blank + "," + whole))) {
                    Answers first = Answers.send(producer, "once", 2, 2);
                    assertThat(first.await()).containsExactly("PASSING");
                    assertThat(first.causes())
                            .contains("rabbitmq.queue=declared.once: NOT_FOUND", "it exists at " + whole);
                }
            }
            try (MessageProducer producer =
                    producer(context, Time.SYSTEM, with(topology, "rabbitmq.host", blank + "," + whole))) {
                assertThat(Answers.send(producer, "once", 2, 2).await()).containsExactly("PASSING");
                producer.restart();
                assertThat(Answers.send(producer, "once", 2, 2).await()).containsExactly("delivered");
            }
            try (MessageProducer producer = producer(
                    beginningAt(blank, blank + ",127.0.0.1:1"),
                    Time.SYSTEM,
                    with(topology, "rabbitmq.host", blank + ",127.0.0.1:1"))) {
                Answers alone = Answers.send(producer, "once", 3, 3);
                assertThat(alone.await()).containsExactly("PASSING");
                assertThat(alone.causes()).contains("127.0.0.1:1 does not answer, start it, or remove it");
            }
        }
        assertThat(texts("declared.once", 2)).containsExactly("1", "2");
        assertThat(broker.server().control("list_queues", "--quiet", "-p", "e", "name"))
                .doesNotContain("declared.once");
    }

    /** Declared at the other one, it would send the instance from there to here, as the exchange sends it from here to there. */
    @Test
    void aQueueThatNoNodeHasIsDeclaredAtTheNodeThatHasTheExchange() {
        int port = broker.server().port();
        addVirtualHost("f");
        String whole = "127.0.0.1:" + port;
        broker.ask(channel -> channel.exchangeDeclare("there.only", "direct", true));
        broker.ask(channel -> {
            channel.queueDeclare("readers.there", true, false, false, Map.of());
            return channel.queueBind("readers.there", "there.only", "readers.there");
        });
        try (FrameProxy proxy = new FrameProxy(() -> port, Map.of(), toVirtualHost("f"))) {
            String blank = "127.0.0.1:" + proxy.port();
            String both = blank + "," + whole;
            for (String[] topology : List.of(new String[] {"rabbitmq.queue", "made.first"}, new String[] {
                "rabbitmq.queue", "made.second",
                "rabbitmq.deliveryMode", "direct",
                "rabbitmq.routingKey", "readers.there"
            })) {
                try (MessageProducer producer = producer(
                        beginningAt(blank, both),
                        Time.SYSTEM,
                        with(topology, "rabbitmq.host", both, "rabbitmq.exchange", "there.only"))) {
                    Answers first = Answers.send(producer, "readers.there", 1, 1);
                    assertThat(first.await()).containsExactly("PASSING");
                    assertThat(first.causes()).contains("exchange=there.only: NOT_FOUND", "it exists at " + whole);
                    producer.restart();
                    assertThat(Answers.send(producer, "readers.there", 1, 1).await())
                            .containsExactly("delivered");
                }
            }
            assertThat(listed("f", "queues")).doesNotContain("made.");

            at(proxy.port(), channel -> channel.queueDeclare("stray", true, false, false, Map.of()));
            for (String begin : List.of(blank, whole)) {
                try (MessageProducer producer = producer(
                        beginningAt(begin, both),
                        Time.SYSTEM,
                        "rabbitmq.host",
                        both,
                        "rabbitmq.exchange",
                        "there.only",
                        "rabbitmq.queue",
                        "stray")) {
                    Answers apart = Answers.send(producer, "readers.there", 2, 2);
                    assertThat(apart.await()).as("neither has both").containsExactly("PASSING");
                    assertThat(apart.causes())
                            .contains("are not of one cluster")
                            .doesNotContain("connecting to that node");
                }
            }
        }
        assertThat(texts("readers.there", 2)).containsExactly("1", "1");
    }

    /** That there is no such queue says nothing about the exchange. */
    @Test
    void aQueueAndAnExchangeOfOneNameAreAskedForEach() {
        int port = broker.server().port();
        addVirtualHost("g");
        String whole = "127.0.0.1:" + port;
        broker.ask(channel -> channel.exchangeDeclare("one.name", "direct", true));
        broker.ask(channel -> {
            channel.queueDeclare("readers.of.one", true, false, false, Map.of());
            return channel.queueBind("readers.of.one", "one.name", "readers.of.one");
        });
        try (FrameProxy proxy = new FrameProxy(() -> port, Map.of(), toVirtualHost("g"))) {
            String blank = "127.0.0.1:" + proxy.port();
            String both = blank + "," + whole;
            String[] names = {"rabbitmq.host", both, "rabbitmq.exchange", "one.name", "rabbitmq.queue", "one.name"};
            for (String[] settings : List.of(
                    names, with(names, "rabbitmq.deliveryMode", "direct", "rabbitmq.routingKey", "readers.of.one"))) {
                try (MessageProducer producer = producer(beginningAt(blank, both), Time.SYSTEM, settings)) {
                    assertThat(Answers.send(producer, "readers.of.one", 1, 1).await())
                            .containsExactly("PASSING");
                    producer.restart();
                    assertThat(Answers.send(producer, "readers.of.one", 1, 1).await())
                            .containsExactly("delivered");
                }
                broker.ask(channel -> channel.queueDelete("one.name"));
            }
        }
        assertThat(texts("readers.of.one", 2)).containsExactly("1", "1");
        assertThat(listed("g", "queues")).doesNotContain("one.name");
        assertThat(listed("g", "exchanges")).doesNotContain("one.name");
    }

    /** What is declared first would be lost when a node that is a cluster of its own joins the others. */
    @Test
    void whatNoNodeHasIsDeclaredWhereMoreThanHalfOfTheNodesAreJoined() {
        int port = broker.server().port();
        addVirtualHost("h");
        String first = "127.0.0.1:" + port;
        String whole = first + ",localhost:" + port;
        try (FrameProxy proxy = new FrameProxy(() -> port, Map.of(), toVirtualHost("h"))) {
            String blank = "127.0.0.1:" + proxy.port();
            String[] topology = {
                "rabbitmq.exchange", "joined.exchange",
                "rabbitmq.queue", "joined.queue",
                "rabbitmq.deliveryMode", "direct",
                "rabbitmq.routingKey", "joined"
            };
            for (String begin : List.of(blank, first)) {
                String two = blank + "," + first;
                try (MessageProducer producer =
                        producer(beginningAt(begin, two), Time.SYSTEM, with(topology, "rabbitmq.host", two))) {
                    Answers apart = Answers.send(producer, "joined", 1, 1);
                    assertThat(apart.await()).as("either may be blank").containsExactly("PASSING");
                    assertThat(apart.causes())
                            .contains("joined.queue: NOT_FOUND", "wait until they are joined again")
                            .doesNotContain("connecting to that node");
                }
            }
            String three = blank + "," + whole;
            try (MessageProducer producer =
                    producer(beginningAt(blank, three), Time.SYSTEM, with(topology, "rabbitmq.host", three))) {
                Answers apart = Answers.send(producer, "joined", 1, 1);
                assertThat(apart.await()).containsExactly("PASSING");
                assertThat(apart.causes()).contains("joined.queue: NOT_FOUND", "connecting to that node");
                producer.restart();
                assertThat(Answers.send(producer, "joined", 2, 2).await()).containsExactly("delivered");
            }
        }
        assertThat(texts("joined.queue", 1)).containsExactly("2");
        assertThat(listed("h", "queues")).doesNotContain("joined.queue", "sluice.producer");
        assertThat(listed("h", "exchanges")).doesNotContain("joined.exchange");
    }

    /** As a node answers that has just been started: then nothing is known yet. */
    @Test
    void nothingIsDeclaredAtANodeThatDoesNotSayWhetherItIsThere() {
        int port = broker.server().port();
        addVirtualHost("i");
        try (FrameProxy proxy =
                new FrameProxy(() -> port, Map.of("\0\24\0\50\1\224", "\0\24\0\50\2\35"), toVirtualHost("i"))) {
            String slow = "127.0.0.1:" + proxy.port();
            String both = slow + ",127.0.0.1:" + port;
            try (MessageProducer producer = producer(
                    beginningAt(slow, both),
                    Time.SYSTEM,
                    "rabbitmq.host",
                    both,
                    "rabbitmq.exchange",
                    "",
                    "rabbitmq.queue",
                    "not.known")) {
                Answers first = Answers.send(producer, "not.known", 1, 1);
                assertThat(first.await()).containsExactly("PASSING");
                assertThat(first.causes()).contains("rabbitmq.queue=not.known: ");
            }
            assertThat(proxy.reworded()).hasSize(2);
        }
        assertThat(listed("i", "queues")).doesNotContain("not.known");
    }

    private static String listed(String virtualHost, String what) {
        return broker.server().control("list_" + what, "--quiet", "-p", virtualHost, "name");
    }

    /** In what a client sends: the virtual host takes the place of a node that is a cluster of its own. */
    private static Map<String, String> toVirtualHost(String name) {
        return Map.of("\0\12\0\50\1/", "\0\12\0\50\1" + name);
    }

    private static void addVirtualHost(String name) {
        broker.server().control("add_vhost", name);
        broker.server().control("set_permissions", "-p", name, "guest", ".*", ".*", ".*");
    }

    private static void at(int port, BrokerAnswer.Question request) {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setHost("127.0.0.1");
        factory.setPort(port);
        try (Connection connection = factory.newConnection("definitions")) {
            request.ask(connection.createChannel());
        } catch (IOException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Of an instance whose first connection is to that address. */
    private static ProducerContext beginningAt(String address, String addresses) {
        List<Address> nodes = RabbitSettingsReader.read(properties("rabbitmq.host", addresses))
                .addresses();
        return Stream.generate(() -> "first" + DESTINATIONS.incrementAndGet())
                .filter(destination -> new NodeOrder(nodes, destination)
                        .current()
                        .hostAndPort()
                        .equals(address))
                .map(destination -> new ProducerContext(destination, Ownership.SOLE))
                .findFirst()
                .orElseThrow();
    }

    /** One login to ask is enough for all of them. */
    @Test
    void messagesOfAnExchangeThatIsMissingAreNotAsManyLoginsAtTheOtherNodes() {
        int port = broker.server().port();
        AtomicInteger logins = new AtomicInteger();
        try (FrameProxy proxy = new FrameProxy(
                () -> {
                    logins.incrementAndGet();
                    return port;
                },
                Map.of())) {
            String first = "127.0.0.1:" + port;
            String addresses = first + ",127.0.0.1:" + proxy.port();
            try (MessageProducer producer = producer(
                    beginningAt(first, addresses),
                    new HandTime(),
                    "rabbitmq.host",
                    addresses,
                    "rabbitmq.exchange",
                    "absent",
                    "rabbitmq.fence",
                    "false")) {
                for (int i = 0; i < 5; i++) {
                    assertThat(Answers.send(producer, "any", i, i).await()).containsExactly("TOPIC_UNAVAILABLE");
                    producer.restart();
                }
            }
        }
        assertThat(logins).hasValue(1);
    }

    /** It would hold up the stop of the instance, and what comes after it. */
    @Test
    void aQuestionForAnExchangeIsCutWithTheConnection() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            String first = "127.0.0.1:" + broker.server().port();
            String addresses = first + ",127.0.0.1:" + silent.getLocalPort();
            MessageProducer producer = producer(
                    beginningAt(first, addresses),
                    Time.SYSTEM,
                    "rabbitmq.host",
                    addresses,
                    "rabbitmq.exchange",
                    "absent",
                    "rabbitmq.connect.timeout.ms",
                    "1800000"); // half of it is longer than the test may take
            CompletableFuture<Answers> sent = CompletableFuture.supplyAsync(() -> Answers.send(producer, "any", 1, 1));
            try (Socket asked = silent.accept()) {
                producer.close(Duration.ZERO);

                assertThat(sent.get().await()).as("closed").containsExactly("BROKEN");
                assertThat(asked.isClosed()).isFalse();
            }
        }
    }

    /** The next connection asks all nodes for it. */
    @Test
    void anExchangeThatOneOfSeveralNodesDoesNotHaveIsNoVerdictAboutAMessage() {
        broker.ask(channel -> channel.exchangeDeclare("deleted.at.one", "fanout", true));
        broker.ask(channel -> {
            channel.queueDeclare("of.deleted.at.one", true, false, false, Map.of());
            return channel.queueBind("of.deleted.at.one", "deleted.at.one", "");
        });
        try (MessageProducer producer =
                producer("rabbitmq.exchange", "deleted.at.one", "rabbitmq.host", twoAddresses())) {
            assertThat(Answers.send(producer, "any", 1, 1).await()).containsExactly("delivered");
            broker.ask(channel -> channel.exchangeDelete("deleted.at.one"));

            Answers answers = Answers.send(producer, "any", 2, 2);

            assertThat(answers.await()).containsExactly("PASSING");
            assertThat(answers.causes()).contains("NOT_FOUND - no exchange 'deleted.at.one'");
            producer.restart();
            assertThat(Answers.send(producer, "any", 2, 2).await()).containsExactly("TOPIC_UNAVAILABLE");
        }
    }

    @Test
    void anotherHostAndUser() {
        try (MessageProducer producer = producer(
                "rabbitmq.host",
                        "amqp://shop:s3cret@127.0.0.1:%d/shop"
                                .formatted(broker.gate().port()),
                "rabbitmq.exchange", "",
                "rabbitmq.queue", "of.the.shop")) {
            assertThat(Answers.send(producer, "of.the.shop", 1, 5).distinct()).containsExactly("delivered");
        }
    }

    @Test
    void anAddressWhereNothingListensIsPassedOver() {
        broker.createTopic("listed", 1);
        String list =
                "127.0.0.1:1,127.0.0.1:%d,127.0.0.1:2".formatted(broker.gate().port());
        for (int i = 1; i <= 3; i++) { // of which each begins with another address, or with the same one
            try (MessageProducer producer = producer("rabbitmq.host", list)) {
                assertThat(Answers.send(producer, "listed", i, i).await()).containsExactly("delivered");
            }
        }
        try (MessageProducer producer = producer("rabbitmq.host", list, "rabbitmq.password", "wrong")) {
            Answers answers = Answers.send(producer, "listed", 4, 4);
            assertThat(answers.await()).containsExactly("BROKEN");
            assertThat(answers.causes()).contains("127.0.0.1:1: ", "127.0.0.1:2: ", "rejected the login of user guest");
        }
        assertThat(texts("listed", 3)).containsExactly("1", "2", "3");
        assertThat(verdicts(probe("rabbitmq.host", list)))
                .containsEntry("connection 127.0.0.1:1", Verdict.WARNING)
                .containsEntry("connection 127.0.0.1:2", Verdict.WARNING)
                .containsEntry("connection 127.0.0.1:" + broker.gate().port(), Verdict.OK);
        assertThat(verdicts(probe("rabbitmq.host", "127.0.0.1:1,127.0.0.1:2")))
                .isEqualTo(Map.of("connection 127.0.0.1:1", Verdict.FAILED, "connection 127.0.0.1:2", Verdict.FAILED));
    }

    static Stream<Map<String, Object>> argumentsOfQueues() {
        return Stream.of(
                Map.of("x-queue-type", "quorum"),
                Map.of("x-max-length", 1000, "x-overflow", "reject-publish"),
                Map.of("x-queue-type", "quorum", "x-delivery-limit", 5));
    }

    /** As canal's key makes a classic queue without arguments. */
    @ParameterizedTest
    @MethodSource("argumentsOfQueues")
    void aQueueThatIsThereIsUsedWithItsArguments(Map<String, Object> arguments) {
        String queue = "made.before." + arguments.hashCode();
        broker.ask(channel -> channel.queueDeclare(queue, true, false, false, arguments));
        try (MessageProducer producer = producer(
                "rabbitmq.exchange",
                queue + ".exchange",
                "rabbitmq.queue",
                queue,
                "rabbitmq.deliveryMode",
                "direct",
                "rabbitmq.routingKey",
                "bound")) {
            assertThat(Answers.send(producer, "bound", 1, 3).distinct()).containsExactly("delivered");
        }
        assertThat(texts(queue, 3)).containsExactly("1", "2", "3");
    }

    @Test
    void aQueueThatIsNotDurableIsNotUsed() {
        broker.ask(channel -> channel.queueDeclare("not.durable", false, false, false, Map.of()));
        try (MessageProducer producer = producer("rabbitmq.queue", "not.durable")) {
            Answers answers = Answers.send(producer, "not.durable", 1, 1);
            assertThat(answers.await()).containsExactly("BROKEN");
            assertThat(answers.causes()).contains("rabbitmq.queue=not.durable", "durable");
        }
    }

    @Test
    void whatNoQueueTakesGoesToTheAlternateExchange() {
        broker.createTopic("alternate.taken", 1);
        broker.ask(channel -> {
            channel.exchangeDeclare("alternate", "fanout", true);
            channel.exchangeDeclare("with.alternate", "direct", true, false, Map.of("alternate-exchange", "alternate"));
            return channel.queueBind("alternate.taken", "with.alternate", "alternate.taken");
        });
        try (MessageProducer producer = producer("rabbitmq.exchange", "with.alternate")) {
            List<Message> messages = messages(List.of("alternate.taken", "alternate.other"));
            assertThat(send(producer, messages)).containsExactly("delivered", "TOPIC_UNAVAILABLE");
            broker.ask(channel -> {
                channel.queueDeclare("alternate.rest", true, false, false, Map.of());
                return channel.queueBind("alternate.rest", "alternate", "");
            });
            producer.restart();
            assertThat(send(producer, messages.subList(1, 2))).containsExactly("delivered");
        }
        assertThat(texts("alternate.taken", 1)).containsExactly("alternate.taken");
        assertThat(texts("alternate.rest", 1)).containsExactly("alternate.other");
    }

    /** As while a server is down that the broker asks for logins. */
    @Test
    void aLoginThatIsRejectedForAWhileDoesNotEndAnInstanceThatHasDelivered() throws Exception {
        try (NumberedStream stream = RabbitStreams.start(
                "login",
                properties(
                        "rabbitmq.host",
                        "amqp://shop:s3cret@127.0.0.1:%d/shop"
                                .formatted(broker.gate().port()),
                        "rabbitmq.exchange",
                        "",
                        "rabbitmq.queue",
                        "of.logins"),
                "of.logins")) {
            stream.awaitMore(50);
            broker.server().control("change_password", "shop", "another");
            try {
                broker.server().control("close_all_connections", "--vhost", "shop", "for a test");
                Awaitility.await()
                        .atMost(TIMEOUT)
                        .until(() -> stream.lastFailure().contains("rejected the login of user shop")
                                && stream.status().failuresInARow() > 2);
            } finally {
                broker.server().control("change_password", "shop", "s3cret");
            }

            stream.awaitMore(50);
            stream.end();
        }
    }

    /** The broker does not tell a wrong password from a server of its accounts that is down, as after a power failure of both. */
    @Test
    void aLoginThatIsRejectedFromTheStartIsTriedAgain() throws Exception {
        broker.server().control("change_password", "shop", "another");
        try (NumberedStream stream = RabbitStreams.start(
                "logins",
                properties(
                        "rabbitmq.host",
                        "amqp://shop:s3cret@127.0.0.1:%d/shop"
                                .formatted(broker.gate().port()),
                        "rabbitmq.exchange",
                        "",
                        "rabbitmq.queue",
                        "of.first.logins"),
                "of.first.logins")) {
            Awaitility.await()
                    .atMost(TIMEOUT)
                    .until(() -> stream.lastFailure().contains("rejected the login of user shop")
                            && stream.status().failuresInARow() > 1);
            broker.server().control("change_password", "shop", "s3cret");

            stream.awaitMore(50);
            stream.end();
        } finally {
            broker.server().control("change_password", "shop", "s3cret");
        }
    }

    /** It was retried without end, and not named. */
    @Test
    void aLoginThatIsRejectedIsNamedAlsoIfAnotherNodeIsDown() throws Exception {
        try (NumberedStream stream = RabbitStreams.start(
                "logins",
                properties(
                        "rabbitmq.host",
                        "amqp://shop:wrong@127.0.0.1:%d/shop,amqp://shop:wrong@127.0.0.1:%d/shop"
                                .formatted(broker.gate().port(), FreePorts.next()),
                        "rabbitmq.exchange",
                        "",
                        "rabbitmq.queue",
                        "of.logins.at.one"),
                "of.logins.at.one")) {
            Awaitility.await().atMost(TIMEOUT).until(() -> stream.status().failuresInARow() > 1);

            NotAdmittedException refused = stream.status().notAdmitted();
            assertThat(refused).hasMessageContainingAll("rejected the login of user shop", "Connection refused");
            assertThat(refused.mayPass()).isTrue();
        }
    }

    /** A connection that was cut counts until the broker has missed its heartbeats, so the next one may be one too many. */
    @Test
    void aLimitOfConnectionsPasses() {
        String[] settings = {
            "rabbitmq.host",
            "amqp://shop:s3cret@127.0.0.1:%d/shop".formatted(broker.gate().port()),
            "rabbitmq.exchange",
            "",
            "rabbitmq.queue",
            "limited"
        };
        try (MessageProducer producer = producer(settings)) {
            broker.server().control("set_vhost_limits", "-p", "shop", "{\"max-connections\": 0}");
            try {
                Answers refused = Answers.send(producer, "limited", 1, 1);
                assertThat(refused.await()).containsExactly("PASSING");
                assertThat(refused.causes()).contains("connection limit (0) is reached");
            } finally {
                broker.server().control("clear_vhost_limits", "-p", "shop");
            }
            producer.restart();
            assertThat(Answers.send(producer, "limited", 1, 1).await()).containsExactly("delivered");
        }
    }

    /** The channels of a predecessor that lost its power count until the broker has missed its heartbeats. */
    @Test
    void aLimitOfChannelsPasses() {
        String[] settings = {
            "rabbitmq.host",
            "amqp://shop:s3cret@127.0.0.1:%d/shop".formatted(broker.gate().port()),
            "rabbitmq.exchange",
            "",
            "rabbitmq.queue",
            "limited"
        };
        for (String fence : List.of("true", "false")) {
            try (MessageProducer producer = producer(with(settings, "rabbitmq.fence", fence))) {
                broker.server().control("set_user_limits", "shop", "{\"max-channels\": 0}");
                try {
                    Answers refused = Answers.send(producer, "limited", 1, 1);
                    assertThat(refused.await()).containsExactly("PASSING");
                    assertThat(refused.causes()).contains("has reached the maximum allowed user limit of (0)");
                } finally {
                    broker.server().control("clear_user_limits", "shop", "all");
                }
                producer.restart();
                assertThat(Answers.send(producer, "limited", 1, 1).await()).containsExactly("delivered");
            }
        }
    }

    @Test
    void aLimitOfQueuesPasses() {
        String[] settings = {
            "rabbitmq.host",
            "amqp://shop:s3cret@127.0.0.1:%d/shop".formatted(broker.gate().port()),
            "rabbitmq.exchange",
            "",
            "rabbitmq.queue",
            "one.too.many",
            "rabbitmq.fence",
            "false"
        };
        try (MessageProducer producer = producer(settings)) {
            broker.server().control("set_vhost_limits", "-p", "shop", "{\"max-queues\": 0}");
            try {
                Answers refused = Answers.send(producer, "one.too.many", 1, 1);
                assertThat(refused.await()).containsExactly("PASSING");
                assertThat(refused.causes()).contains("rabbitmq.queue=one.too.many", "queue limit in vhost");
            } finally {
                broker.server().control("clear_vhost_limits", "-p", "shop");
            }
            producer.restart();
            assertThat(Answers.send(producer, "one.too.many", 1, 1).await()).containsExactly("delivered");
        }
    }

    @Test
    void anExchangeThatIsMadeLaterIsFound() {
        broker.createTopic("exchanged", 1);
        try (MessageProducer producer = producer("rabbitmq.exchange", "made.later")) {
            assertThat(Answers.send(producer, "exchanged", 1, 1).await()).containsExactly("TOPIC_UNAVAILABLE");
            broker.ask(channel -> {
                channel.exchangeDeclare("made.later", "direct", true);
                return channel.queueBind("exchanged", "made.later", "exchanged");
            });

            producer.restart();

            assertThat(Answers.send(producer, "exchanged", 1, 1).await()).containsExactly("delivered");
        }
    }

    /** The broker closes the channel over such a message, and does not say which one it was. */
    @Test
    void findsTheOneMessageThatIsNotAllowed() {
        broker.ask(channel -> {
            channel.queueDeclare("topics", true, false, false, Map.of());
            return channel.queueBind("topics", "amq.topic", "#");
        });
        try (MessageProducer producer = producer(
                "rabbitmq.exchange", "amq.topic",
                "rabbitmq.username", "writer",
                "rabbitmq.password", "w")) {
            for (int round = 0; round < 20; round++) { // the next message may come while the refused one is answered
                List<String> topics = List.of("allowed.1", "allowed.2", "forbidden", "allowed.3");
                List<String> first = sendAll(producer, topics);
                int delivered = (int) first.stream().filter("delivered"::equals).count();
                assertThat(delivered).isLessThanOrEqualTo(2);

                producer.restart();
                List<String> second = sendAll(producer, topics.subList(delivered, 4));

                assertThat(second.subList(2 - delivered, 4 - delivered))
                        .as("round %d", round)
                        .containsExactly("TOPIC_UNAVAILABLE", "PASSING");

                producer.restart();
                assertThat(sendAll(producer, List.of("allowed.3"))).containsExactly("delivered");
            }
        }
    }

    private static List<String> sendAll(MessageProducer producer, List<String> topics) {
        return send(producer, messages(topics));
    }

    private static List<Message> messages(List<String> topics) {
        return topics.stream()
                .map(topic -> new Message(topic, 0, topic.getBytes(StandardCharsets.UTF_8)))
                .toList();
    }

    private static List<String> send(MessageProducer producer, List<Message> messages) {
        Answers answers = new Answers();
        messages.forEach(message -> answers.send(producer, message));
        return answers.await();
    }

    @Test
    void messagesLargerThanTheLimitOfTheBrokerOrOursAreRejected() {
        broker.createTopic("large", 1);
        try (MessageProducer producer = producer("rabbitmq.max.message.bytes", Integer.toString(4 * BROKERS_LIMIT))) {
            Answers brokers = new Answers();
            brokers.send(producer, new Message("large", 0, new byte[BROKERS_LIMIT + 1]));
            assertThat(brokers.await()).containsExactly("TOO_LARGE");
            producer.restart();
            Answers ours = new Answers();
            ours.send(producer, new Message("large", 0, new byte[4 * BROKERS_LIMIT + 1]));
            assertThat(ours.await()).containsExactly("TOO_LARGE");
            producer.restart();
            assertThat(Answers.send(producer, "large", 1, 1).await()).containsExactly("delivered");
        }
    }

    @Test
    void messagesThatAmqpCannotCarryAreRejected() {
        broker.createTopic("carried", 1);
        String longest = "\u00fc".repeat(127) + "x";
        broker.createTopic(longest, 1);
        try (MessageProducer producer = producer()) {
            Answers unnamed = Answers.send(producer, longest + "y", 1, 1);
            assertThat(unnamed.await()).containsExactly("TOPIC_UNAVAILABLE");
            assertThat(unnamed.causes()).contains("has 256 bytes, a routing key of RabbitMQ has at most 255");
            producer.restart();
            Answers keyed = new Answers();
            keyed.send(producer, keyed(130_000));
            keyed.send(producer, keyed(131_072));
            assertThat(keyed.await()).containsExactly("delivered", "INVALID");
            assertThat(keyed.causes()).contains("key and headers of a message for carried take 1311");
            producer.restart();
            assertThat(Answers.send(producer, longest, 1, 1).await()).containsExactly("delivered");
        }
        assertThat(broker.delivered("carried")).isEqualTo(1);
    }

    private static Message keyed(int keyBytes) {
        return new Message("carried", 0, new byte[keyBytes], new byte[] {1}, List.of());
    }

    @Test
    void connectsByTlsToBrokersWithATrustedCertificate() {
        broker.createTopic("secret", 1);
        String url = "amqps://localhost:" + broker.server().tlsPort();
        try (MessageProducer producer = producer(
                "rabbitmq.host",
                url,
                "rabbitmq.tls.truststore",
                certificates.certificate().toString())) {
            assertThat(Answers.send(producer, "secret", 1, 3).distinct()).containsExactly("delivered");
        }
        for (String host : List.of(url, url.replace("localhost", "127.0.0.1"))) {
            try (MessageProducer producer = host.equals(url)
                    ? producer("rabbitmq.host", host)
                    : producer(
                            "rabbitmq.host",
                            host,
                            "rabbitmq.tls.truststore",
                            certificates.certificate().toString())) {
                Answers answers = Answers.send(producer, "secret", 4, 4);
                assertThat(answers.await()).as(host).containsExactly("BROKEN");
                assertThat(answers.causes()).contains("rabbitmq.tls.truststore: the certificate of");
            }
        }
        assertThat(broker.delivered("secret")).isEqualTo(3);
    }

    @Test
    void continuesAfterTheBrokerWasRestarted() {
        broker.createTopic("restarted", 1);
        try (MessageProducer producer = producer()) {
            assertThat(Answers.send(producer, "restarted", 1, 10).distinct()).containsExactly("delivered");
            broker.stop();
            assertThat(Answers.send(producer, "restarted", 11, 20).distinct()).containsExactly("PASSING");
            producer.restart();
            assertThat(Answers.send(producer, "restarted", 11, 20).distinct()).containsExactly("PASSING");

            broker.restart();
            producer.restart();

            assertThat(Answers.send(producer, "restarted", 11, 20).distinct()).containsExactly("delivered");
        }
        assertThat(texts("restarted", 20)).isEqualTo(numbers(1, 20));
    }

    /** What was on its way before may arrive; but not between what is sent again. */
    @Test
    void nothingOfAnEarlierConnectionArrivesBetweenWhatIsSentAgain() {
        broker.createTopic("paused", 1);
        HandTime time =
                new HandTime(); // a confirmation is late only when the test says so, however slow the machine is
        try (MessageProducer producer = producer(Ownership.SOLE, time, "rabbitmq.connect.timeout.ms", "5000")) {
            assertThat(Answers.send(producer, "paused", 1, 1).await()).containsExactly("delivered");
            broker.pause();
            try {
                Answers late = Answers.send(producer, "paused", 2, 500);
                time.passSeconds(31);
                assertThat(late.distinct()).containsExactly("PASSING");
                producer.restart();
                assertThat(Answers.send(producer, "paused", 2, 500).distinct()).containsExactly("PASSING");
            } finally {
                broker.resume();
            }
            Awaitility.await().atMost(TIMEOUT).until(() -> {
                producer.restart();
                return Answers.send(producer, "paused", 2, 500).distinct().equals(List.of("delivered"));
            });
        }
        List<String> all = texts("paused", (int) broker.delivered("paused"));
        int again = all.lastIndexOf("2");
        assertThat(all.subList(again, all.size())).isEqualTo(numbers(2, 500));
        assertThat(all).startsWith("1");
        for (int i = 1; i < again; i++) { // either the next one, or an attempt begins
            assertThat(all.get(i)).isIn("2", Integer.toString(Integer.parseInt(all.get(i - 1)) + 1));
        }
    }

    /** The broker reads it late, as after a pause. What is sent again waits for that, also when the producer was abandoned. */
    @Test
    void whatWasAbandonedIsNotStoredAfterItsRepetition() {
        broker.createTopic("abandoned", 1);
        int port = broker.server().port();
        try (HoldingProxy proxy = new HoldingProxy(() -> port);
                MessageProducer producer =
                        producer("rabbitmq.host", "127.0.0.1:" + proxy.port(), "rabbitmq.connect.timeout.ms", "5000")) {
            assertThat(Answers.send(producer, "abandoned", 1, 1).await()).containsExactly("delivered");
            proxy.hold();
            Answers lost = Answers.send(producer, "abandoned", 2, 3);
            Awaitility.await().atMost(TIMEOUT).until(() -> proxy.heldBytes() > 0);

            producer.abandon();

            assertThat(lost.distinct()).containsExactly("PASSING");
            assertThat(Answers.send(producer, "abandoned", 2, 2).await()).containsExactly("PASSING");
            proxy.admit();
            producer.restart();
            Answers again = Answers.send(producer, "abandoned", 2, 4);
            assertThat(again.distinct()).containsExactly("PASSING");
            assertThat(again.causes()).contains("has not yet closed an earlier connection");

            assertThat(proxy.release()).isPositive();
            Awaitility.await().atMost(TIMEOUT).until(() -> {
                producer.restart();
                return Answers.send(producer, "abandoned", 2, 4).distinct().equals(List.of("delivered"));
            });
        }
        List<String> all = texts("abandoned", (int) broker.delivered("abandoned"));
        assertThat(all).startsWith("1", "2").endsWith("2", "3", "4");
    }

    /** Two addresses of the broker, as of two nodes. */
    private static String twoAddresses() {
        return "127.0.0.1:%d,127.0.0.1:%d"
                .formatted(broker.gate().port(), broker.server().port());
    }

    /** The addresses that were connected to, as the log names them. */
    private static final class ConnectedAddresses implements AutoCloseable {
        private static final String LINE = "connected to RabbitMQ: address=";

        private final LogLines log = LogLines.of(NodeDialer.class);

        List<String> list() {
            return log.texts().stream()
                    .filter(line -> line.startsWith(LINE))
                    .map(line -> line.substring(LINE.length()))
                    .toList();
        }

        @Override
        public void close() {
            log.close();
        }
    }

    /** Another one is no better, and may be down, which takes long to find. */
    @Test
    void theNodeIsKeptAfterMessagesThatItHasRejected() {
        broker.createTopic("kept", 1);
        broker.ask(channel -> {
            channel.queueDeclare(
                    "kept.full", true, false, false, Map.of("x-max-length", 1, "x-overflow", "reject-publish"));
            return channel.queueBind("kept.full", RabbitMqBroker.EXCHANGE, "kept");
        });
        try (ConnectedAddresses connected = new ConnectedAddresses();
                MessageProducer producer = producer(
                        "rabbitmq.host",
                        twoAddresses(),
                        "rabbitmq.max.message.bytes",
                        Integer.toString(4 * BROKERS_LIMIT))) {
            assertThat(Answers.send(producer, "kept", 1, 1).await()).containsExactly("delivered");
            assertThat(Answers.send(producer, "kept", 2, 2).await()).containsExactly("PASSING");
            producer.restart();
            Answers again = Answers.send(producer, "kept", 2, 2);
            assertThat(again.await()).containsExactly("PASSING");
            assertThat(again.causes()).contains("nack");
            producer.restart();
            Answers large = new Answers();
            large.send(producer, new Message("kept", 0, new byte[BROKERS_LIMIT + 1]));
            assertThat(large.await()).containsExactly("TOO_LARGE");
            broker.ask(channel -> channel.queuePurge("kept.full"));
            producer.restart();
            assertThat(Answers.send(producer, "kept", 2, 2).await()).containsExactly("delivered");

            assertThat(connected.list()).hasSize(4);
            assertThat(Set.copyOf(connected.list())).hasSize(1);
        }
    }

    /** The others ask the same server for the rights, mostly. */
    @Test
    void theNodeIsKeptForTenSecondsWhileItCannotLookUpRights() {
        HandTime time = new HandTime();
        int port = broker.server().port();
        Map<String, String> words = Map.of(" refused for user 'writer'", " returned an error: failed");
        try (FrameProxy one = new FrameProxy(() -> port, words);
                FrameProxy two = new FrameProxy(() -> port, words);
                ConnectedAddresses connected = new ConnectedAddresses();
                MessageProducer producer = producer(
                        Ownership.SOLE,
                        time,
                        "rabbitmq.host",
                        "127.0.0.1:%d,127.0.0.1:%d".formatted(one.port(), two.port()),
                        "rabbitmq.exchange",
                        "amq.topic",
                        "rabbitmq.fence",
                        "false",
                        "rabbitmq.username",
                        "writer",
                        "rabbitmq.password",
                        "w")) {
            Answers answers = Answers.send(producer, "forbidden", 1, 1);
            for (int i = 0; i < 3; i++) {
                assertThat(answers.await()).containsExactly("PASSING");
                assertThat(answers.causes()).contains("returned an error: failed");
                answers = answers.again(producer);
            }
            assertThat(answers.await()).containsExactly("PASSING");
            assertThat(Set.copyOf(connected.list())).as("at first").hasSize(1);
            time.passSeconds(11);
            answers = answers.again(producer);
            assertThat(answers.await()).containsExactly("PASSING");
            assertThat(answers.again(producer).await()).containsExactly("PASSING");

            assertThat(Set.copyOf(connected.list())).hasSize(2);
        }
    }

    @Test
    void theNextNodeIsUsedAfterTheConnectionWasLost() {
        broker.createTopic("left", 1);
        try (ConnectedAddresses connected = new ConnectedAddresses();
                MessageProducer producer = producer("rabbitmq.host", twoAddresses())) {
            for (int i = 1; i <= 2; i++) {
                assertThat(Answers.send(producer, "left", i, i).await()).containsExactly("delivered");
                broker.server().control("close_all_connections", "--vhost", "/", "for a test");
                Awaitility.await()
                        .atMost(TIMEOUT)
                        .until(() ->
                                Answers.send(producer, "left", 0, 0).await().equals(List.of("PASSING")));
                producer.restart();
            }
            assertThat(Set.copyOf(connected.list())).hasSize(2);
        }
    }

    /** The earlier connection may be at a node that is frozen, and is connected to again if this one is left. */
    @Test
    void theNodeIsKeptWhileAnEarlierProducerIsWaitedFor() {
        broker.createTopic("waited", 1);
        ProducerContext context = new ProducerContext("waiting", Ownership.SOLE);
        String first = new NodeOrder(Address.parse(twoAddresses(), false), context.destination())
                .current()
                .hostAndPort();
        String[] settings = {"rabbitmq.host", twoAddresses(), "rabbitmq.connect.timeout.ms", "5000"};
        try (ConnectedAddresses connected = new ConnectedAddresses();
                MessageProducer former = producer(context, Time.SYSTEM, settings);
                MessageProducer next = producer(context, Time.SYSTEM, settings)) {
            assertThat(Answers.send(former, "waited", 1, 1).await()).containsExactly("delivered");
            Answers early = Answers.send(next, "waited", 2, 2);
            assertThat(early.await()).containsExactly("PASSING");
            assertThat(early.causes()).contains("connection of an earlier producer");
            former.close(TIMEOUT);
            next.restart();
            assertThat(Answers.send(next, "waited", 2, 2).await()).containsExactly("delivered");

            assertThat(connected.list()).containsExactly(first, first);
        }
    }

    /** As a node that is frozen, or that is cut off: another one may take the messages. */
    @Test
    void theNodeIsLeftWhenItHasNotAnsweredAQuestion() {
        int port = broker.server().port();
        try (FrameProxy proxy = new FrameProxy(() -> port, Map.of());
                ConnectedAddresses connected = new ConnectedAddresses()) {
            String silent = "127.0.0.1:" + proxy.port();
            String addresses = silent + ",127.0.0.1:" + port;
            ProducerContext context = IntStream.iterate(0, i -> i + 1)
                    .mapToObj(i -> new ProducerContext("silent" + i, Ownership.SOLE))
                    .filter(each -> new NodeOrder(Address.parse(addresses, false), each.destination())
                            .current()
                            .hostAndPort()
                            .equals(silent))
                    .findFirst()
                    .orElseThrow();
            try (MessageProducer producer = producer(
                    context,
                    Time.SYSTEM,
                    "rabbitmq.exchange",
                    "",
                    "rabbitmq.host",
                    addresses,
                    "rabbitmq.connect.timeout.ms",
                    "5000")) {
                proxy.holdAfterReturn();
                Answers unanswered = Answers.send(producer, "nowhere", 1, 1);
                assertThat(unanswered.await()).containsExactly("PASSING");
                assertThat(unanswered.causes()).contains(silent + " does not answer");
                proxy.release();
                producer.restart();

                assertUnavailableWhenItIsReturnedAgain(producer, 1);
            }
            assertThat(connected.list()).containsExactly(silent, "127.0.0.1:" + port);
        }
    }

    @Test
    void aMessageThatWaitsForRoomFailsForTheRejectionBeforeIt() {
        broker.ask(channel -> channel.queueDeclare(
                "roomless", true, false, false, Map.of("x-max-length", 1, "x-overflow", "reject-publish")));
        try (MessageProducer producer = producer("rabbitmq.exchange", "", "rabbitmq.inflight.messages", "1")) {
            Answers answers = Answers.send(producer, "roomless", 1, 3);

            assertThat(answers.await()).containsExactly("delivered", "PASSING", "PASSING");
            assertThat(answers.causes()).contains("an earlier message failed").doesNotContain("too slowly");
        }
    }

    /** Its channel is the broker's until it is answered, so it is given up with the connection. */
    @Test
    void aQuestionThatIsNotAnsweredLeavesNoChannel() {
        int port = broker.server().port();
        try (FrameProxy proxy = new FrameProxy(() -> port, Map.of());
                MessageProducer producer = producer(
                        "rabbitmq.exchange",
                        "",
                        "rabbitmq.host",
                        "127.0.0.1:" + proxy.port(),
                        "rabbitmq.connect.timeout.ms",
                        "5000")) {
            assertThat(Answers.send(producer, "nowhere", 1, 1).await()).containsExactly("TOPIC_UNAVAILABLE");
            producer.restart();
            int channels = channelsOfBroker();
            proxy.holdAfterReturn();
            Answers unanswered = Answers.send(producer, "nowhere", 2, 2);
            assertThat(unanswered.await()).containsExactly("PASSING");
            assertThat(unanswered.causes()).contains("whether queue nowhere exists is not known");
            proxy.release();
            Awaitility.await().atMost(TIMEOUT).until(() -> {
                producer.restart();
                return Answers.send(producer, "nowhere", 2, 2).await().equals(List.of("TOPIC_UNAVAILABLE"));
            });

            Awaitility.await()
                    .atMost(TIMEOUT)
                    .until(() -> channelsOfBroker() <= channels); // less, if one of another test was still being closed
        }
    }

    private static int channelsOfBroker() {
        return Integer.parseInt(broker.server()
                .control("eval", "length(rabbit_channel:list()).")
                .strip());
    }

    /** Other brokers of the protocol have only the code in common with RabbitMQ. */
    @Test
    void anotherBrokersWordsForAQueueThatDoesNotExistAreKnownByTheirCode() {
        int port = broker.server().port();
        try (FrameProxy proxy = new FrameProxy(
                        () -> port, Map.of("RabbitMQ", "Other-MQ", "NOT_FOUND - no ", "NOT_FOUND: not "));
                MessageProducer producer =
                        producer("rabbitmq.exchange", "", "rabbitmq.host", "127.0.0.1:" + proxy.port());
                MessageProducer declaring =
                        producer("rabbitmq.exchange", "absent", "rabbitmq.host", "127.0.0.1:" + proxy.port())) {
            Answers answers = Answers.send(producer, "nowhere", 1, 1);
            assertThat(answers.await()).containsExactly("TOPIC_UNAVAILABLE");
            assertThat(proxy.reworded()).contains("RabbitMQ", "NOT_FOUND - no ");
            Answers ofExchange = Answers.send(declaring, "nowhere", 1, 1);
            assertThat(ofExchange.await()).containsExactly("TOPIC_UNAVAILABLE");
            assertThat(ofExchange.causes()).contains("rabbitmq.exchange=absent: NOT_FOUND: not ");
        }
    }

    @Test
    void moreChannelsThanTheBrokerAllowsAreReported() {
        broker.createTopic("channels", 1);
        try (MessageProducer producer =
                producer("rabbitmq.exchange", "", "rabbitmq.channels", Integer.toString(BROKERS_CHANNELS))) {
            assertThat(Answers.send(producer, "channels", 0, 0).await()).containsExactly("delivered");
            assertThat(Answers.send(producer, "nowhere", 1, 1).await())
                    .as("the broker is asked by another connection")
                    .containsExactly("TOPIC_UNAVAILABLE");
        }
        try (MessageProducer producer =
                producer("rabbitmq.host", twoAddresses(), "rabbitmq.channels", Integer.toString(BROKERS_CHANNELS))) {
            assertThat(Answers.send(producer, "channels", 1, 1).await()).containsExactly("delivered");
            assertUnavailableWhenItIsReturnedAgain(producer, 2); // the node is asked by the connection of the messages
        }
        try (MessageProducer producer = producer("rabbitmq.channels", Integer.toString(BROKERS_CHANNELS + 1))) {
            Answers answers = Answers.send(producer, "channels", 1, 1);

            assertThat(answers.await()).containsExactly("BROKEN");
            assertThat(answers.causes())
                    .isEqualTo("rabbitmq.channels: RabbitMQ allows 32 channels for each connection, not 33");
        }
    }

    /** Or it could be stored before the one that failed, if a queue is bound meanwhile. */
    @Test
    void aMessageThatHasWaitedForRoomIsNotSentAfterAFailure() {
        try (MessageProducer producer = producer("rabbitmq.inflight.messages", "1")) {
            Answers answers = Answers.send(producer, "no-such-queue", 1, 2);

            assertThat(answers.await()).containsExactly("TOPIC_UNAVAILABLE", "PASSING");
        }
    }

    /** As after a restart of the instance while the broker is paused, or after a fail-over. */
    @Test
    void whatAFormerProducerHasSentIsNotStoredAfterWhatTheNextOneSends() {
        broker.createTopic("succeeded", 1);
        int port = broker.server().port();
        try (HoldingProxy proxy = new HoldingProxy(() -> port)) {
            String[] settings = {"rabbitmq.host", "127.0.0.1:" + proxy.port(), "rabbitmq.connect.timeout.ms", "5000"};
            ProducerContext context = new ProducerContext("shop", Ownership.SOLE);
            try (MessageProducer former = producer(context, Time.SYSTEM, settings)) {
                assertThat(Answers.send(former, "succeeded", 1, 1).await()).containsExactly("delivered");
                proxy.hold();
                Answers lost = Answers.send(former, "succeeded", 2, 3);
                Awaitility.await().atMost(TIMEOUT).until(() -> proxy.heldBytes() > 0);
                former.close(Duration.ZERO);
                assertThat(lost.distinct()).doesNotContain("delivered");
            }
            proxy.admit();
            try (MessageProducer next = producer(context, Time.SYSTEM, settings)) {
                Answers early = Answers.send(next, "succeeded", 2, 4);
                assertThat(early.distinct()).containsExactly("PASSING");
                assertThat(early.causes()).contains("connection of an earlier producer");

                assertThat(proxy.release()).isPositive();
                Awaitility.await().atMost(TIMEOUT).until(() -> {
                    next.restart();
                    return Answers.send(next, "succeeded", 2, 4).distinct().equals(List.of("delivered"));
                });
            }
        }
        List<String> all = texts("succeeded", (int) broker.delivered("succeeded"));
        assertThat(all).startsWith("1", "2").endsWith("2", "3", "4");
    }

    /** Both have a destination of the same name, and neither is the successor of the other one. */
    @Test
    void theProducerOfAnotherDeploymentIsNotWaitedFor() {
        broker.createTopic("side-by-side", 1);
        try (MessageProducer one = producer(new ProducerContext("shop", "one", Ownership.SOLE), Time.SYSTEM);
                MessageProducer other = producer(new ProducerContext("shop", "other", Ownership.SOLE), Time.SYSTEM)) {
            assertThat(Answers.send(one, "side-by-side", 1, 2).await()).containsOnly("delivered");
            assertThat(Answers.send(other, "side-by-side", 1, 2).await()).containsOnly("delivered");
            assertThat(Answers.send(one, "side-by-side", 3, 4).await()).containsOnly("delivered");
        }
    }

    /** As of two servers in whose configuration the same name is set, and which have nothing else in common. */
    @Test
    void anotherProducerOfTheNameIsWaitedForWithALimit() throws Exception {
        Duration limit = Duration.ofSeconds(10);
        HandTime time = new HandTime();
        Fence other = new Fence(true, "common", limit, time);
        Fence fence = new Fence(true, "common", limit, time);
        try (Connection first = broker.server().connect();
                Connection second = broker.server().connect()) {
            other.pass(first, Duration.ZERO);
            assertThatThrownBy(() -> fence.pass(second, Duration.ofSeconds(1)))
                    .isInstanceOfSatisfying(
                            SendException.class, e -> assertThat(e.kind()).isEqualTo(FailureKind.PASSING))
                    .hasMessageContaining("earlier producer")
                    .hasMessageContaining("sluice.producer.common");
            time.pass(limit);

            fence.pass(second, Duration.ofSeconds(1));

            assertThat(second.isOpen()).isTrue();
        }
    }

    /** A policy for all queues may do that to those that are not used, as these are not. */
    @Test
    void theQueuesOfTheFenceAreDeclaredAgainWhenTheyHaveExpired() {
        broker.createTopic("expired", 1);
        HandTime time = new HandTime();
        String name = "sluice.producer.expiring";
        try (MessageProducer producer = producer(Ownership.SOLE, time, "rabbitmq.fence.name", "expiring")) {
            assertThat(Answers.send(producer, "expired", 1, 1).await()).containsExactly("delivered");
            assertThat(queues()).contains(name);
            broker.server().control("set_policy", "expiring", "^sluice", "{\"expires\": 100}", "--apply-to", "queues");
            try {
                Awaitility.await().atMost(TIMEOUT).until(() -> !queues().contains("sluice.producer."));
            } finally {
                broker.server().control("clear_policy", "expiring");
            }

            time.passSeconds(61);

            Awaitility.await()
                    .atMost(TIMEOUT)
                    .untilAsserted(
                            () -> assertThat(queues().lines().filter(line -> line.startsWith("sluice.producer.")))
                                    .hasSize(2)
                                    .contains(name));
        }
    }

    /** Such as one whose rights name each queue. */
    @Test
    void aUserThatMayNotDeclareOneQueueOfTheFenceKeepsTheOther() throws Exception {
        broker.server().control("add_user", "partly", "partly");
        broker.server().control("set_permissions", "partly", "^sluice\\.producer\\.[0-9a-f]{8}-", ".*", ".*");
        ConnectionFactory factory = new ConnectionFactory();
        factory.setPort(broker.server().port());
        factory.setUsername("partly");
        factory.setPassword("partly");
        HandTime time = new HandTime();
        Fence fence = new Fence(true, "unnamed", TIMEOUT, time);
        try (Connection connection = factory.newConnection()) {
            fence.pass(connection, TIMEOUT);
            time.passSeconds(61);
            assertThat(fence.isToBeKept()).isTrue();

            fence.keep();

            assertThat(connection.isOpen()).isTrue();
            assertThat(queues()).doesNotContain("sluice.producer.unnamed");
        } finally {
            broker.server().control("delete_user", "partly");
        }
    }

    private static String queues() {
        return broker.server().control("list_queues", "--quiet", "name");
    }

    /** A limit and a right that could not be looked up say nothing about another producer. */
    @Test
    void aLimitOfQueuesIsNoEarlierProducer() throws Exception {
        broker.server().control("add_vhost", "limits");
        broker.server().control("set_permissions", "-p", "limits", "guest", ".*", ".*", ".*");
        broker.server().control("set_vhost_limits", "-p", "limits", "{\"max-queues\": 1}");
        ConnectionFactory factory = new ConnectionFactory();
        factory.setPort(broker.server().port());
        factory.setVirtualHost("limits");
        Fence fence = new Fence(true, "limited", TIMEOUT, Time.SYSTEM);
        try (Connection connection = factory.newConnection()) {
            assertThatThrownBy(() -> fence.pass(connection, Duration.ofSeconds(2)))
                    .isInstanceOf(IOException.class)
                    .satisfies(
                            failure -> assertThat(RabbitErrors.textOf(failure)).contains("queue limit in vhost"));
        } finally {
            broker.server().control("delete_vhost", "limits");
        }
    }

    /** Such as one of the check whether the destination is still ours. */
    @Test
    void anExceptionDoesNotEndTheWatchOverWhatIsInFlight() {
        broker.createTopic("watched", 1);
        AtomicInteger checks = new AtomicInteger();
        AtomicInteger failing = new AtomicInteger();
        Ownership ownership = new Ownership() {
            @Override
            public boolean isHeld() {
                checks.incrementAndGet();
                if (failing.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                    throw new IllegalStateException("a lease that cannot be asked");
                }
                return true;
            }

            @Override
            public long epoch() {
                return 0;
            }
        };
        HandTime time = new HandTime();
        try (MessageProducer producer = producer(ownership, time)) {
            assertThat(Answers.send(producer, "watched", 1, 1).await()).containsExactly("delivered");
            broker.pause();
            try {
                Answers answers = Answers.send(producer, "watched", 2, 2);
                failing.set(2);
                Awaitility.await().atMost(TIMEOUT).until(() -> failing.get() == 0);
                time.passSeconds(31);
                assertThat(answers.await()).containsExactly("PASSING");
                assertThat(answers.causes()).contains("RabbitMQ has not confirmed a message in time");
            } finally {
                broker.resume();
            }
        }
    }

    @Test
    void aConnectionPassesTheFenceWhenTheOneBeforeIsClosed() throws Exception {
        Fence fence = new Fence(true, "", Duration.ZERO, Time.SYSTEM);
        Connection first = broker.server().connect();
        try (Connection second = broker.server().connect()) {
            fence.pass(first, Duration.ZERO);

            assertThatThrownBy(() -> fence.pass(second, Duration.ofMillis(300)))
                    .isInstanceOfSatisfying(
                            SendException.class, e -> assertThat(e.kind()).isEqualTo(FailureKind.PASSING))
                    .hasMessageContaining("has not yet closed an earlier connection");

            first.abort();
            fence.pass(second, TIMEOUT);
            assertThat(second.isOpen()).isTrue();
        }
    }

    @Test
    void nothingIsSentIfTheOwnershipIsLostWhileConnecting() {
        broker.createTopic("lost", 1);
        AtomicInteger checks = new AtomicInteger();
        Ownership ownership = new Ownership() {
            @Override
            public boolean isHeld() {
                return checks.getAndIncrement() == 0;
            }

            @Override
            public long epoch() {
                return 0;
            }
        };
        try (MessageProducer producer = producer(ownership)) {
            assertThat(Answers.send(producer, "lost", 1, 1).await()).containsExactly("PASSING");
            producer.close(Duration.ofSeconds(1));
        }
        assertThat(checks).hasValueGreaterThan(1);
        assertThat(broker.delivered("lost")).isZero();
    }

    @Test
    void waitsWhileTheBrokerIsShortOfMemory() {
        broker.createTopic("alarm", 1);
        try (MessageProducer producer = producer("rabbitmq.block.timeout.ms", "1500")) {
            assertThat(Answers.send(producer, "alarm", 1, 1).await()).containsExactly("delivered");
            broker.server().control("set_vm_memory_high_watermark", "absolute", "1");
            try {
                Answers answers = Answers.send(producer, "alarm", 2, 3);
                assertThat(answers.distinct()).containsExactly("PASSING");
                assertThat(answers.causes()).contains("RabbitMQ blocks publishers");
            } finally {
                broker.server().control("set_vm_memory_high_watermark", "absolute", "1GB");
            }
            Awaitility.await()
                    .atMost(TIMEOUT)
                    .until(
                            () -> { // the broker unblocks connections some time after
                                producer.restart();
                                return Answers.send(producer, "alarm", 2, 3)
                                        .distinct()
                                        .equals(List.of("delivered"));
                            });
        }
        assertThat(texts("alarm", (int) broker.delivered("alarm"))).endsWith("2", "3");
    }

    /** The messages that the broker has read wait in it, and those after them wait for it. */
    @Test
    void continuesOnTheSameConnectionWhenTheBrokerHasMemoryAgain() {
        broker.createTopic("calmed", 1);
        try (LogLines log = LogLines.of(RabbitConnection.class);
                MessageProducer producer = producer("rabbitmq.channels", "1")) {
            assertThat(Answers.send(producer, "calmed", 1, 1).await()).containsExactly("delivered");
            broker.server().control("set_vm_memory_high_watermark", "absolute", "1");
            Answers answers;
            CompletableFuture<Answers> later;
            try {
                answers = Answers.send(producer, "calmed", 2, 2); // is told only then that it is blocked
                Awaitility.await()
                        .atMost(TIMEOUT)
                        .until(() -> log.texts().stream()
                                .anyMatch(line -> line.contains("RabbitMQ blocks publishers, waiting")));
                later = CompletableFuture.supplyAsync(() -> Answers.send(producer, "calmed", 3, 30));
            } finally {
                broker.server().control("set_vm_memory_high_watermark", "absolute", "1GB");
            }

            assertThat(answers.distinct()).containsExactly("delivered");
            assertThat(later.join().distinct()).containsExactly("delivered");
            assertThat(log.texts()).endsWith("RabbitMQ accepts messages again");
        }
        assertThat(texts("calmed", 30)).isEqualTo(numbers(1, 30));
    }

    @Test
    void aProbeReportsWhatIsThereAndDeclaresNothing() {
        broker.createTopic("probed", 1);

        List<Finding> queues = probe("rabbitmq.exchange", "");
        assertThat(verdicts(queues))
                .isEqualTo(Map.of(
                        "connection", Verdict.OK,
                        "queue probed", Verdict.OK,
                        "queue absent", Verdict.FAILED,
                        "right to write", Verdict.UNKNOWN));
        List<Finding> declared = probe(
                "rabbitmq.exchange", "absent.exchange",
                "rabbitmq.queue", "absent.queue",
                "rabbitmq.deliveryMode", "direct",
                "rabbitmq.routingKey", "probed");
        assertThat(verdicts(declared))
                .containsEntry("queue absent.queue", Verdict.WARNING)
                .containsEntry("exchange absent.exchange", Verdict.WARNING);
        assertThat(verdicts(probe("rabbitmq.exchange", "absent.exchange")))
                .as("neither was declared by the probe before")
                .containsEntry("exchange absent.exchange", Verdict.FAILED);
        assertThat(verdicts(probe("rabbitmq.exchange", "", "rabbitmq.queue", "absent.queue")))
                .containsEntry("queue absent.queue", Verdict.WARNING);
    }

    @Test
    void aProbeReportsWhyThereIsNoConnection() {
        assertThat(probe("rabbitmq.password", "hunter2")).singleElement().satisfies(finding -> {
            assertThat(finding.subject()).isEqualTo("login");
            assertThat(finding.verdict()).isEqualTo(Verdict.FAILED);
            assertThat(finding.evidence()).contains("rabbitmq.password").doesNotContain("hunter2");
        });
        assertThat(probe("rabbitmq.host", "127.0.0.1:1")).singleElement().satisfies(finding -> {
            assertThat(finding.subject()).isEqualTo("connection");
            assertThat(finding.evidence()).contains("127.0.0.1:1", "refused");
        });
    }

    /** What it advises to create at a node that is a cluster of its own would keep messages there. */
    @Test
    void aProbeAsksAllNodesForWhatIsMissingAtTheFirst() {
        broker.createTopic("probed", 1);
        int port = broker.server().port();
        addVirtualHost("j");
        String whole = "127.0.0.1:" + port;
        try (FrameProxy proxy = new FrameProxy(() -> port, Map.of(), toVirtualHost("j"))) {
            String blank = "127.0.0.1:" + proxy.port();
            List<Finding> exchange = probe("rabbitmq.host", blank + "," + whole);
            assertThat(exchange).anySatisfy(finding -> {
                assertThat(finding.subject()).isEqualTo("exchange " + RabbitMqBroker.EXCHANGE);
                assertThat(finding.verdict()).isEqualTo(Verdict.WARNING);
                assertThat(finding.evidence()).contains("exists at " + whole, "not at " + blank);
                assertThat(finding.remedy()).contains("join").doesNotContain("create");
            });
            assertThat(verdicts(probe("rabbitmq.host", blank + "," + whole, "rabbitmq.exchange", "")))
                    .containsEntry("queue probed", Verdict.WARNING)
                    .containsEntry("queue absent", Verdict.FAILED);
        }
        List<Finding> declared =
                probe("rabbitmq.host", whole + ",127.0.0.1:1", "rabbitmq.exchange", "", "rabbitmq.queue", "absent.q");
        assertThat(declared).anySatisfy(finding -> {
            assertThat(finding.subject()).isEqualTo("queue absent.q");
            assertThat(finding.verdict()).isEqualTo(Verdict.WARNING);
            assertThat(finding.evidence()).contains("messages wait", "127.0.0.1:1");
        });
    }

    /** As RabbitMQ 4.2.6 answers a user that may not configure the queue. A message waits then, with all topics of the instance. */
    @Test
    void aProbeCountsOnlyNodesThatSayThatSomethingIsMissing() {
        int port = broker.server().port();
        try (FrameProxy one = new FrameProxy(() -> port, FrameProxy.FORBIDS_QUESTIONS);
                FrameProxy other = new FrameProxy(() -> port, FrameProxy.FORBIDS_QUESTIONS)) {
            String whole = "127.0.0.1:" + port;
            String mute = "127.0.0.1:" + one.port();
            String list = "%s,%s,127.0.0.1:%d".formatted(whole, mute, other.port());
            assertThat(queueAbsent(list)).satisfies(finding -> {
                assertThat(finding.verdict()).isEqualTo(Verdict.FAILED);
                assertThat(finding.evidence())
                        .contains("wait until more than half of the nodes can be asked")
                        .contains("%s: grant user guest configure on it: ".formatted(mute))
                        .contains("127.0.0.1:%d: grant user guest".formatted(other.port()))
                        .doesNotContain("are rejected");
                assertThat(finding.remedy()).startsWith("let all nodes of rabbitmq.host answer");
            });
            assertThat(queueAbsent(mute + "," + whole).verdict()).isEqualTo(Verdict.UNKNOWN);
            assertThat(queueAbsent("%s,%s,127.0.0.1:1".formatted(whole, mute)).evidence())
                    .as("one is down")
                    .contains("which %s, 127.0.0.1:1 cannot".formatted(mute), "wait until more than half")
                    .doesNotContain("127.0.0.1:1: ");
            assertThat(queueAbsent("%s,localhost:%d,%s".formatted(whole, port, mute))
                            .evidence())
                    .as("two of three say so")
                    .contains("which %s cannot, so messages for the topic are rejected".formatted(mute));
            assertThat(probe("rabbitmq.host", whole + "," + mute, "rabbitmq.queue", "absent.q"))
                    .anySatisfy(finding -> {
                        assertThat(finding.subject()).isEqualTo("queue absent.q");
                        assertThat(finding.verdict()).isEqualTo(Verdict.WARNING);
                        assertThat(finding.evidence())
                                .contains("messages wait until they can", mute + ": grant user guest configure on it");
                    });
            assertThat(probe("rabbitmq.host", whole + "," + mute, "rabbitmq.exchange", "absent.exchange"))
                    .anySatisfy(finding -> {
                        assertThat(finding.subject()).isEqualTo("exchange absent.exchange");
                        assertThat(finding.verdict()).isEqualTo(Verdict.FAILED);
                        assertThat(finding.evidence())
                                .contains("which %s cannot".formatted(mute), "messages wait until they can");
                        assertThat(finding.remedy())
                                .startsWith("let all nodes of rabbitmq.host answer")
                                .contains("create it");
                    });
            assertThat(probe("rabbitmq.host", "%s,localhost:%d".formatted(whole, port), "rabbitmq.queue", "absent.q"))
                    .as("the producer waits if they are not joined")
                    .anySatisfy(finding -> {
                        assertThat(finding.subject()).isEqualTo("queue absent.q");
                        assertThat(finding.evidence()).contains("if more than half of the nodes are joined");
                    });
        }
    }

    /** Most reasons begin with the node. */
    @Test
    void aProbeNamesANodeOnceForEachReason() {
        int port = broker.server().port();
        try (FrameProxy proxy = new FrameProxy(() -> port, Map.of("\0\24\0\50\1\224", "\0\24\0\50\2\35"))) {
            String node = "127.0.0.1:" + proxy.port();
            assertThat(queueAbsent("127.0.0.1:%d,%s".formatted(port, node)).evidence())
                    .contains("; %s is not ready: ".formatted(node));
        }
    }

    private static Finding queueAbsent(String list) {
        return probe("rabbitmq.host", list, "rabbitmq.exchange", "").stream()
                .filter(finding -> finding.subject().equals("queue absent"))
                .findFirst()
                .orElseThrow();
    }

    /** Without the node in the list its queues would count as missing ones. A virtual host takes its place. */
    @Test
    void aProbeDoesNotAdviseToRemoveANodeThatIsUp() {
        int port = broker.server().port();
        broker.server().control("add_vhost", "c");
        broker.server().control("set_permissions", "-p", "c", "guest", ".*", ".*", ".*");
        broker.server().control("set_vhost_limits", "-p", "c", "{\"max-connections\": 0}");
        try (FrameProxy proxy = new FrameProxy(() -> port, Map.of(), Map.of("\0\12\0\50\1/", "\0\12\0\50\1c"))) {
            String node = "127.0.0.1:" + proxy.port();
            String list = "127.0.0.1:%d,%s,127.0.0.1:1".formatted(port, node);
            assertThat(remedy(list, node)).isEqualTo("raise the limit, or wait until earlier connections are closed");
            assertThat(remedy(list, "127.0.0.1:1"))
                    .isEqualTo("start the node; remove it from rabbitmq.host only if it has left the cluster for good");
            broker.server().control("clear_vhost_limits", "-p", "c");
            broker.server().control("eval", "rabbit_vhost_sup_sup:delete_on_all_nodes(<<\"c\">>).");
            assertThat(remedy(list, node))
                    .isEqualTo(
                            "wait until the node is ready, or start the virtual host there (rabbitmqctl restart_vhost)");
        }
    }

    private static String remedy(String list, String node) {
        return probe("rabbitmq.host", list).stream()
                .filter(finding ->
                        finding.subject().equals("connection " + node) && finding.verdict() == Verdict.WARNING)
                .map(Finding::remedy)
                .findFirst()
                .orElseThrow();
    }

    /** Sending needs no right to ask. */
    @Test
    void aProbeDoesNotKnowWhatItMayNotAskFor() {
        int port = broker.server().port();
        try (FrameProxy proxy = new FrameProxy(() -> port, FrameProxy.FORBIDS_QUESTIONS)) {
            List<Finding> findings =
                    probe("rabbitmq.exchange", "absent.exchange", "rabbitmq.host", "127.0.0.1:" + proxy.port());
            assertThat(verdicts(findings)).containsEntry("exchange absent.exchange", Verdict.UNKNOWN);
            assertThat(findings)
                    .anySatisfy(
                            finding -> assertThat(finding.remedy()).contains("grant the user guest configure on it"));
        }
    }

    private static List<Finding> probe(String... settings) {
        List<TopicNeed> topics = List.of(new TopicNeed("absent", 1, false), new TopicNeed("probed", 1, false));
        Findings findings = new Findings();
        try {
            new RabbitConnector().configure(properties(settings)).probe("shop", topics, TIMEOUT, findings);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return findings.list();
    }

    private static Map<String, Verdict> verdicts(List<Finding> findings) {
        Map<String, Verdict> verdicts = new HashMap<>();
        findings.forEach(finding -> verdicts.put(finding.subject(), finding.verdict()));
        return verdicts;
    }
}
