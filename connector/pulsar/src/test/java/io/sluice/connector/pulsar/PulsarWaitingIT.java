package io.sluice.connector.pulsar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.connector.api.deliver.NumberedStream;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.connector.api.producer.ProducerContext;
import io.sluice.testkit.proxy.Gate;
import io.sluice.testkit.proxy.NarrowProxy;
import io.sluice.testkit.pulsar.PulsarOptions;
import io.sluice.testkit.pulsar.PulsarServer;
import io.sluice.testkit.pulsar.PulsarTokens;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sends to a single broker that does not take messages for a while, or takes them slowly. */
@Timeout(600)
class PulsarWaitingIT {
    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final PulsarTokens TOKENS = new PulsarTokens("sluice");

    private static PulsarServer pulsar;

    /** In front of the broker's second address. */
    private static Gate gate;

    private static volatile IntSupplier gated = () -> pulsar.port();

    private final List<TopicNumbers> streams = new ArrayList<>();

    @BeforeAll
    static void startBroker() {
        gate = new Gate(() -> gated.getAsInt());
        pulsar = PulsarServer.start(PulsarOptions.defaults()
                .withTokens(TOKENS)
                .viaGate(gate.port())
                .with("backlogQuotaCheckIntervalInSeconds", "1"));
    }

    @AfterAll
    static void stopBroker() {
        gate.close();
        if (pulsar != null) {
            pulsar.close();
        }
    }

    @AfterEach
    void closeStreams() throws InterruptedException {
        for (TopicNumbers stream : streams) {
            stream.close();
        }
    }

    private static Map<String, String> settings(String... others) {
        Map<String, String> settings = new HashMap<>();
        settings.put("pulsarmq.serverUrl", pulsar.serviceUrl());
        settings.put("pulsarmq.topicTenantPrefix", "public/default");
        settings.put("pulsarmq.roleToken", TOKENS.token(PulsarTokens.SUPERUSER));
        settings.put("pulsarmq.sendTimeoutMs", "4000");
        for (int i = 0; i < others.length; i += 2) {
            settings.put(others[i], others[i + 1]);
        }
        return settings;
    }

    private static void createNamespace(String name) {
        pulsar.admin("PUT", "namespaces/" + name, "{\"bundles\":{\"numBundles\":1}}");
    }

    private static void createTopic(String topic, int partitions) {
        String name = topic.contains("/") ? topic : "public/default/" + topic;
        pulsar.admin("PUT", "persistent/" + name + "/partitions", Integer.toString(partitions));
    }

    private TopicNumbers start(String topic, int partitions, String... settings) {
        createTopic(topic, partitions);
        TopicNumbers stream = TopicNumbers.start(topic, partitions, settings(settings));
        streams.add(stream);
        return stream;
    }

    private TopicNumbers startRetrying(String topic, int partitions, String... settings) {
        createTopic(topic, partitions);
        TopicNumbers stream = TopicNumbers.startRetrying(topic, partitions, settings(settings));
        streams.add(stream);
        return stream;
    }

    private static void awaitFailure(TopicNumbers stream, String... texts) {
        await().atMost(TIMEOUT).until(() -> List.of(texts).stream().allMatch(stream.lastFailure()::contains));
    }

    @Test
    void aBacklogThatIsTooLargeIsWaitedFor() throws Exception {
        waitForBacklog("producer_exception");
    }

    @Test
    @Tag("thorough")
    void aBacklogThatIsTooLargeIsWaitedForWhileTheBrokerHoldsTheRequests() throws Exception {
        waitForBacklog("producer_request_hold");
    }

    private void waitForBacklog(String policy) throws Exception {
        String namespace = "public/" + policy;
        String topic = namespace + "/full";
        createNamespace(namespace);
        pulsar.admin(
                "POST",
                "namespaces/" + namespace + "/backlogQuota",
                "{\"limitSize\":20000,\"limitTime\":-1,\"policy\":\"%s\"}".formatted(policy));
        createTopic(topic, 1);
        pulsar.admin("PUT", "persistent/" + topic + "/subscription/reader", "");
        TopicNumbers stream = start(topic, 1, "pulsarmq.topicTenantPrefix", "");

        awaitFailure(stream, topic, "backlog quota", "subscriptions");
        pulsar.admin("DELETE", "namespaces/" + namespace + "/backlogQuota", "");
        stream.awaitProgress();

        stream.requireAllInOrder(pulsar.reader());
    }

    private static boolean isRefused(PulsarClient client, String topic) throws PulsarClientException {
        try (Producer<byte[]> refused = client.newProducer().topic(topic).create()) {
            return !refused.isConnected();
        } catch (PulsarClientException.ProducerBusyException e) {
            return true;
        }
    }

    @Test
    void aTopicWithAllItsProducersIsWaitedFor() throws Exception {
        createTopic("crowded", 1);
        pulsar.admin("POST", "persistent/public/default/crowded/maxProducers", "1");
        try (PulsarClient client = pulsar.client()) {
            String partition = "public/default/crowded-partition-0";
            Producer<byte[]> other = client.newProducer().topic(partition).create();
            await().atMost(TIMEOUT).until(() -> isRefused(client, partition)); // the broker applies the policy later
            TopicNumbers stream = start("crowded", 1);

            awaitFailure(stream, "crowded-partition-0", "maxProducersPerTopic");
            other.close();
            stream.awaitProgress();

            stream.requireAllInOrder(pulsar.reader());
        }
    }

    @Test
    void aRoleThatMayNotWriteAnyMoreIsWaitedFor() throws Exception {
        String namespace = "public/granted";
        createNamespace(namespace);
        pulsar.admin("POST", "namespaces/" + namespace + "/permissions/writer", "[\"produce\",\"consume\"]");
        TopicNumbers stream = startRetrying(
                namespace + "/revoked",
                1,
                "pulsarmq.topicTenantPrefix",
                "",
                "pulsarmq.roleToken",
                TOKENS.token("writer"));
        stream.awaitProgress();

        pulsar.admin("DELETE", "namespaces/" + namespace + "/permissions/writer", "");
        pulsar.admin("PUT", "namespaces/" + namespace + "/unload", "");
        awaitFailure(stream, "revoked", "not authorized", "pulsarmq.roleToken");
        assertThat(stream.status().lastFailure())
                .satisfies(failure -> assertThat(failure.kind()).isEqualTo(FailureKind.TOPIC_UNAVAILABLE));
        pulsar.admin("POST", "namespaces/" + namespace + "/permissions/writer", "[\"produce\",\"consume\"]");
        stream.awaitProgress();

        stream.requireAllInOrder(pulsar.reader());
    }

    /** As while it is exchanged. */
    @Test
    void aTokenThatIsWrongForAWhileStopsNothing(@TempDir Path folder) throws Exception {
        Path token = folder.resolve("token");
        String right = TOKENS.token(PulsarTokens.SUPERUSER);
        Files.writeString(token, right);
        TopicNumbers stream = start(
                "exchanged",
                1,
                "pulsarmq.serverUrl",
                "pulsar://127.0.0.1:" + gate.port(),
                "pulsarmq.listenerName",
                PulsarOptions.GATE,
                "pulsarmq.roleToken",
                "file:" + token);
        stream.awaitProgress();

        Files.writeString(token, new PulsarTokens("other").token(PulsarTokens.SUPERUSER));
        gate.cut();
        awaitFailure(stream, "check pulsarmq.roleToken");
        Files.writeString(token, right);
        stream.awaitProgress();

        stream.requireAllInOrder(pulsar.reader());
    }

    /** Other than a topic that has no such partition: the message is for another one now. */
    @Test
    void aTopicThatIsCreatedWithFewerPartitionsHasThoseOfAllMessages() throws Exception {
        String namespace = "public/manual";
        createNamespace(namespace);
        pulsar.admin("POST", "namespaces/" + namespace + "/autoTopicCreation", "{\"allowAutoTopicCreation\":false}");
        createTopic(namespace + "/fewer", 4);
        try (MessageProducer producer = new PulsarConnector()
                .configure(settings("pulsarmq.topicTenantPrefix", namespace))
                .create(new ProducerContext("fewer", Ownership.SOLE))) {
            assertThat(Answers.of(producer, new Message("fewer", 0, new byte[] {'0'}))
                            .kind())
                    .isNull();
            pulsar.admin("DELETE", "persistent/" + namespace + "/fewer/partitions?force=true", "");
            createTopic(namespace + "/fewer", 2);

            Answers.Answer answer = Answers.of(producer, new Message("fewer", 3, new byte[] {'3'}));
            assertThat(answer.kind()).as(String.valueOf(answer.cause())).isEqualTo(FailureKind.PASSING);
            producer.restart();
            assertThat(Answers.of(producer, new Message("fewer", 3, new byte[] {'3'}))
                            .kind())
                    .isNull();
        }
        assertThat(pulsar.reader().readToEnd(namespace + "/fewer", TIMEOUT))
                .singleElement()
                .satisfies(message -> assertThat(message.partition()).isEqualTo(1));
    }

    @Test
    void aTopicThatIsTerminatedIsWaitedForUntilItIsCreatedAgain() throws Exception {
        String namespace = "public/ended";
        createNamespace(namespace);
        pulsar.admin("POST", "namespaces/" + namespace + "/autoTopicCreation", "{\"allowAutoTopicCreation\":false}");
        String topic = namespace + "/terminated";
        TopicNumbers stream = startRetrying(topic, 3, "pulsarmq.topicTenantPrefix", "");
        stream.awaitProgress();

        pulsar.admin("POST", "persistent/" + topic + "/terminate/partitions", "");
        awaitFailure(stream, topic + "-partition-"); // that it is fenced, if a message was on its way
        pulsar.admin("DELETE", "persistent/" + topic + "/partitions?force=true", "");
        createTopic(topic, 2);
        stream.awaitProgress();

        int total = stream.end();
        Map<Integer, List<Integer>> stored = stream.stored(pulsar.reader());
        for (int before = 0; before < 3; before++) { // the former partitions did not end at the same number
            int wanted = before;
            List<Integer> numbers = stored.values().stream()
                    .flatMap(List::stream)
                    .filter(number -> number % 3 == wanted)
                    .distinct()
                    .sorted()
                    .toList();
            assertThat(numbers)
                    .as("numbers of partition %d", before)
                    .isEqualTo(IntStream.range(numbers.get(0), total)
                            .filter(number -> number % 3 == wanted)
                            .boxed()
                            .toList());
        }
        stored.forEach((partition, numbers) ->
                assertThat(NumberedStream.lastCopies(numbers)).isSorted());
    }

    /** The client's question whether the broker lives waits behind the message. */
    @ParameterizedTest
    @Tag("thorough")
    @ValueSource(strings = {"pulsar://127.0.0.1:%d", "pulsar://127.0.0.1:%d,localhost:%1$d"})
    void aMessageThatLeavesSlowlyIsDelivered(String url) throws Exception {
        try (NarrowProxy narrow = new NarrowProxy(270_000, pulsar::port);
                MessageProducer producer = new PulsarConnector()
                        .configure(settings(
                                "pulsarmq.serverUrl",
                                url.formatted(gate.port()),
                                "pulsarmq.listenerName",
                                PulsarOptions.GATE,
                                "pulsarmq.sendTimeoutMs",
                                "15000"))
                        .create(new ProducerContext("slow", Ownership.SOLE))) {
            gated = narrow::port;
            Answers.Answer answer = Answers.of(producer, new Message("slow", 0, new byte[3_000_000]));

            assertThat(answer.kind()).as(String.valueOf(answer.cause())).isNull();
        } finally {
            gated = pulsar::port;
        }
        assertThat(pulsar.reader().readToEnd("slow", TIMEOUT))
                .isNotEmpty()
                .allSatisfy(message -> assertThat(message.value()).hasSize(3_000_000));
    }
}
