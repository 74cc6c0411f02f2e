package io.sluice.connector.pulsar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.connector.api.deliver.NumberedStream;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.connector.api.producer.ProducerContext;
import io.sluice.testkit.log.LogLines;
import io.sluice.testkit.pulsar.PulsarCluster;
import io.sluice.testkit.pulsar.PulsarNode;
import io.sluice.testkit.pulsar.PulsarOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sends to a cluster of two brokers and two bookies, through a sender, while they fail and topics move. */
@Timeout(600)
class PulsarClusterIT {
    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final String DEDUPLICATED = "public/deduplicated";

    /** The largest message of the brokers, which is small here so that others go in chunks. */
    private static final int MAX_MESSAGE = 64 * 1024;

    private static PulsarCluster cluster;

    private final List<TopicNumbers> streams = new ArrayList<>();

    @BeforeAll
    static void startCluster() {
        cluster = PulsarCluster.start(Map.of("maxMessageSize", Integer.toString(MAX_MESSAGE)));
        cluster.createNamespace(DEDUPLICATED);
        cluster.admin("POST", "namespaces/" + DEDUPLICATED + "/deduplication", "true");
    }

    @AfterAll
    static void stopCluster() {
        if (cluster != null) {
            cluster.close();
        }
    }

    @AfterEach
    void stop() throws InterruptedException {
        try {
            for (TopicNumbers stream : streams) {
                stream.close();
            }
        } finally {
            cluster.restore();
        }
    }

    private static Map<String, String> settings(String... others) {
        Map<String, String> settings = new HashMap<>(cluster.settings());
        settings.put("pulsarmq.sendTimeoutMs", "4000");
        settings.put("pulsarmq.maxMessageSize", Integer.toString(MAX_MESSAGE));
        for (int i = 0; i < others.length; i += 2) {
            settings.put(others[i], others[i + 1]);
        }
        return settings;
    }

    private TopicNumbers start(String topic, int partitions, int largeBytes, String... settings) {
        cluster.createTopic(topic, partitions);
        TopicNumbers stream = TopicNumbers.start(topic, partitions, largeBytes, settings(settings));
        streams.add(stream);
        return stream;
    }

    /** Starts a stream for each way of sending. */
    private void startAll(String name) {
        start(name + "-exclusive", 1, 0, "pulsarmq.accessMode", "Exclusive");
        start(name + "-fencing", 1, 0, "pulsarmq.accessMode", "ExclusiveWithFencing");
        startShared(name);
    }

    /** Starts a stream of batches, and one of chunks. */
    private void startShared(String name) {
        start(name + "-batches", 2, 0);
        start(
                DEDUPLICATED + "/" + name + "-chunks",
                1,
                3 * MAX_MESSAGE,
                "pulsarmq.topicTenantPrefix",
                "",
                "pulsarmq.enableChunking",
                "true");
        streams.forEach(TopicNumbers::awaitProgress);
    }

    private void moveAll(int broker) {
        for (TopicNumbers stream : streams) {
            cluster.move(stream.topic() + "-partition-0", broker);
        }
    }

    private void requireAll() throws InterruptedException {
        for (TopicNumbers stream : streams) {
            stream.requireAllInOrder(cluster.reader());
        }
    }

    @Test
    void theBrokerOfAllTopicsIsKilled() throws Exception {
        startShared("killed");
        requireAllAfterAKill();
    }

    @Test
    @Tag("thorough")
    void theBrokerOfTopicsOfEachAccessModeIsKilled() throws Exception {
        startAll("killed-too");
        requireAllAfterAKill();
    }

    private void requireAllAfterAKill() throws InterruptedException {
        PulsarNode owner = cluster.broker(0);
        moveAll(0);
        streams.forEach(TopicNumbers::awaitProgress);

        owner.kill();
        streams.forEach(TopicNumbers::awaitProgress);
        owner.restart();
        streams.forEach(TopicNumbers::awaitProgress);

        requireAll();
    }

    /** What it has received is on its way to bookies that take it no more, when it is continued. */
    @Test
    @Tag("thorough")
    void theBrokerOfAllTopicsIsPausedUntilTheOtherHasThem() throws Exception {
        startAll("paused");
        moveAll(0);
        streams.forEach(TopicNumbers::awaitProgress);

        cluster.pause(cluster.broker(0));
        streams.forEach(TopicNumbers::awaitProgress);
        cluster.resume(cluster.broker(0));
        streams.forEach(TopicNumbers::awaitProgress);
        moveAll(0);
        streams.forEach(TopicNumbers::awaitProgress);

        requireAll();
    }

    @Test
    @Tag("thorough")
    void topicsMoveWhileMessagesWait() throws Exception {
        startAll("moved");

        for (int round = 0; round < 3; round++) {
            moveAll(round % 2);
            for (TopicNumbers stream : streams) {
                String partition = stream.topic().contains("/") ? stream.topic() : "public/default/" + stream.topic();
                cluster.admin("PUT", "persistent/" + partition + "-partition-0/unload", "");
            }
            streams.forEach(TopicNumbers::awaitProgress);
        }
        cluster.splitBundle(streams.get(0).topic() + "-partition-0");
        cluster.admin("PUT", "namespaces/public/default/unload", "");
        streams.forEach(TopicNumbers::awaitProgress);

        requireAll();
    }

    /**
     * The numbers are for four partitions, of which the topic has two at first: so half of them go to other partitions once the topic has four. The new ones are at
     * the other broker.
     */
    @Test
    @Tag("thorough")
    void partitionsThatAreAddedAreUsed() throws Exception {
        String topic = "added";
        int partitions = 4;
        cluster.createTopic(topic, 2);
        TopicNumbers stream = TopicNumbers.start(topic, partitions, settings());
        streams.add(stream);
        stream.awaitProgress();

        try (LogLines log = LogLines.of(PulsarTopics.class)) {
            cluster.admin("POST", "persistent/public/default/" + topic + "/partitions", Integer.toString(partitions));
            for (int partition = 0; partition < partitions; partition++) {
                cluster.move(topic + "-partition-" + partition, partition / 2);
            }
            await().atMost(TIMEOUT)
                    .until(() ->
                            log.texts().stream().anyMatch(line -> line.contains("topic=added partitions=4 before=2")));
        }
        stream.awaitProgress();

        int total = stream.end();
        Map<Integer, List<Integer>> stored = stream.stored(cluster.reader());
        for (int partition = 2; partition < partitions; partition++) {
            int wanted = partition;
            List<Integer> added = NumberedStream.lastCopies(stored.getOrDefault(partition, List.of()));
            assertThat(added).isNotEmpty();
            assertThat(added)
                    .as("partition %d, from its first number on", partition)
                    .isEqualTo(IntStream.range(added.get(0), total)
                            .filter(number -> number % partitions == wanted)
                            .boxed()
                            .toList());
            List<Integer> former = NumberedStream.lastCopies(stored.getOrDefault(partition - 2, List.of()));
            assertThat(former).isSorted();
            assertThat(former.stream().filter(number -> number < added.get(0) || number % partitions != wanted))
                    .as("partition %d, without what was sent again to the other one", partition - 2)
                    .containsExactlyElementsOf(IntStream.range(0, total)
                            .filter(number -> number % partitions == wanted - 2
                                    || number % partitions == wanted && number < added.get(0))
                            .boxed()
                            .toList());
        }
    }

    /** Both must store a message. */
    @Test
    @Tag("thorough")
    void aBookieThatIsDownIsWaitedFor() throws Exception {
        startAll("unstored");

        cluster.bookie(1).kill();
        for (TopicNumbers stream : streams) {
            await().atMost(TIMEOUT).until(() -> stream.status().failures() > 1);
        }
        cluster.bookie(1).restart();
        streams.forEach(TopicNumbers::awaitProgress);

        requireAll();
        assertThat(streams).isNotEmpty();
    }

    /** A broker says the same to a role that it cannot look up, and to one that may not write. */
    @Test
    @Tag("thorough")
    void aRoleThatCannotBeLookedUpNowMayWriteLater() throws Exception {
        String namespace = "public/unread";
        cluster.createNamespace(namespace);
        cluster.admin("POST", "namespaces/" + namespace + "/permissions/writer", "[\"produce\",\"consume\"]");
        cluster.createTopic(namespace + "/t", 1);
        try (MessageProducer producer = new PulsarConnector()
                .configure(settings(
                        "pulsarmq.serverUrl",
                        cluster.broker(1).serviceUrl(),
                        "pulsarmq.topicTenantPrefix",
                        namespace,
                        "pulsarmq.roleToken",
                        PulsarCluster.TOKENS.token("writer"),
                        "pulsarmq.sendTimeoutMs",
                        "60000"))
                .create(new ProducerContext("unread", Ownership.SOLE))) {
            cluster.zookeeper().stop();
            Answers.Answer answer = Answers.of(producer, new Message("t", 0, new byte[] {1}));
            assertThat(answer.cause()).hasMessageContaining("trying to authorize");
            assertThat(answer.kind()).isEqualTo(FailureKind.PASSING);
            cluster.zookeeper().resume();

            await().atMost(TIMEOUT).until(() -> {
                producer.restart();
                return Answers.of(producer, new Message("t", 0, new byte[] {1})).kind() == null;
            });
        }
    }

    @Test
    @Tag("thorough")
    void aConnectionThatIsCutOffWhileItsTopicMovesAwayAndBackLeavesNothingBehind() throws Exception {
        start(
                "frozen",
                1,
                0,
                "pulsarmq.serverUrl",
                cluster.gatedServiceUrl(),
                "pulsarmq.listenerName",
                PulsarOptions.GATE);
        moveAll(0);
        streams.forEach(TopicNumbers::awaitProgress);

        cluster.gate(0).freeze();
        await().atMost(TIMEOUT).until(() -> streams.get(0).status().failures() > 1);
        moveAll(1);
        streams.forEach(TopicNumbers::awaitProgress);
        moveAll(0);
        cluster.gate(0).thaw();
        streams.forEach(TopicNumbers::awaitProgress);

        requireAll();
    }

    @Test
    @Tag("thorough")
    void everyBrokerAndBookieIsRestartedInTurn() throws Exception {
        startAll("rolled");

        for (int i = 0; i < 2; i++) {
            cluster.broker(i).stop();
            streams.forEach(TopicNumbers::awaitProgress);
            cluster.broker(i).restart();
            streams.forEach(TopicNumbers::awaitProgress);
            cluster.bookie(i).stop();
            cluster.bookie(i).restart();
            streams.forEach(TopicNumbers::awaitProgress);
        }

        requireAll();
    }

    @Test
    @Tag("thorough")
    void theMetadataCannotBeReadForAWhile() throws Exception {
        startAll("unknown");

        cluster.zookeeper().stop();
        cluster.broker(0).kill();
        await().atMost(TIMEOUT)
                .until(() -> streams.stream().anyMatch(stream -> stream.status().failures() > 1));
        cluster.zookeeper().resume();
        cluster.broker(0).restart();
        streams.forEach(TopicNumbers::awaitProgress);

        requireAll();
    }
}
