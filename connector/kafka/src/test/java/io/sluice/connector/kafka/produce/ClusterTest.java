package io.sluice.connector.kafka.produce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.connector.kafka.failure.NoSuchPartitionException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.apache.kafka.clients.Metadata;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.LeaderNotAvailableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseBroker;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseBrokerCollection;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponsePartition;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseTopic;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseTopicCollection;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.MetadataResponse;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Leaders of partitions, by metadata that no broker has sent. */
class ClusterTest {
    private static final Uuid FIRST = new Uuid(1, 1);
    private static final Uuid SECOND = new Uuid(2, 2);
    private static final TopicPartition LAST = new TopicPartition("shop", 5);

    private final Cluster cluster = unconnected();

    /** Connections of a client that is never connected. */
    static Cluster unconnected() {
        return unconnected(60_000);
    }

    private static Cluster unconnected(int maxBlockMillis) {
        return unconnected(maxBlockMillis, 100);
    }

    private static Cluster unconnected(int maxBlockMillis, int retryBackoffMaxMillis) {
        return Cluster.open(
                new ProducerConfig(Map.of(
                        ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        "127.0.0.1:1",
                        ProducerConfig.MAX_BLOCK_MS_CONFIG,
                        maxBlockMillis,
                        ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG,
                        600_000,
                        ProducerConfig.RETRY_BACKOFF_MS_CONFIG,
                        100,
                        ProducerConfig.RETRY_BACKOFF_MAX_MS_CONFIG,
                        retryBackoffMaxMillis,
                        ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
                        ByteArraySerializer.class,
                        ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG,
                        ByteArraySerializer.class)),
                ProduceOptions.MAX_IN_FLIGHT);
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    /** With thousands of topics, a question for all of them for each new one would take minutes. */
    @Test
    void topicsThatAreNewAreAskedForTogetherWithoutThoseThatAreKnown() throws InterruptedException {
        cluster.keep("shop");
        update(FIRST, 6);
        assertThat(cluster.metadata().updateRequested()).isFalse();
        cluster.keep("orders");

        Thread asking = new Thread(() -> {
            try {
                cluster.partitionsOf("stock");
            } catch (KafkaException e) {
                return; // at the end of the test
            }
        });
        asking.start();
        await().until(() -> asking.getState() == Thread.State.TIMED_WAITING);

        Metadata.MetadataRequestAndVersion question =
                cluster.metadata().newMetadataRequestAndVersion(cluster.nowMillis());
        assertThat(question.isPartialUpdate).isTrue();
        assertThat(question.requestBuilder.topics()).containsExactlyInAnyOrder("orders", "stock");
        cluster.wakeAll();
        asking.join();
    }

    /** As to a question for topics that are new, which is on its way when partitions are added. */
    @Test
    void anAnswerAboutOtherTopicsIsNoneAboutTheNewestPartitions() throws InterruptedException {
        cluster.keep("shop");
        update(FIRST, 3);
        cluster.keep("orders");
        CompletableFuture<Integer> count = new CompletableFuture<>();
        Thread asking = asking(() -> cluster.newestPartitionsOf("shop"), count);

        requireAnswerAboutOtherTopicsIsNone(asking, count);
    }

    /** The metadata keep the failure of a topic that an answer is not about. */
    @Test
    void anAnswerAboutOtherTopicsDoesNotForbidATopicAgain() throws InterruptedException {
        cluster.keep("shop");
        update(FIRST, Errors.TOPIC_AUTHORIZATION_FAILED, 0);
        cluster.keep("orders");
        CompletableFuture<Integer> count = new CompletableFuture<>();
        Thread asking = asking(() -> cluster.partitionsOf("shop"), count);

        requireAnswerAboutOtherTopicsIsNone(asking, count);
    }

    private void requireAnswerAboutOtherTopicsIsNone(Thread asking, CompletableFuture<Integer> count)
            throws InterruptedException {
        update(cluster, "orders", SECOND, Errors.NONE, 1, true);
        await().until(() -> cluster.metadata().updateRequested() && isWaiting(asking) || count.isDone());
        assertThat(count).isNotDone();
        update(FIRST, 6);
        asking.join();

        assertThat(count).isCompletedWithValue(6);
    }

    /** With thousands of topics. */
    @Test
    void anAnswerAboutOtherTopicsHasNotAllTopicsAskedFor() throws InterruptedException {
        update(FIRST, 0);
        CompletableFuture<Integer> count = new CompletableFuture<>();
        Thread asking = asking(() -> cluster.partitionsOf("shop"), count);

        update(cluster, "orders", SECOND, Errors.NONE, 1, true);
        await().until(() -> cluster.metadata().updateRequested() && isWaiting(asking));

        assertThat(cluster.metadata().newMetadataRequestAndVersion(cluster.nowMillis()).isPartialUpdate)
                .isTrue();
        cluster.wakeAll();
        asking.join();
    }

    /** Or a topic that is missing would look like brokers that do not answer. */
    @Test
    void theBrokersAreAskedAgainForATopicThatTheyDidNotKnowWithoutAPause() throws InterruptedException {
        try (Cluster slow = unconnected(60_000, 30_000)) {
            slow.keep("shop");
            for (int i = 0; i < 20; i++) {
                update(slow, "shop", FIRST, Errors.UNKNOWN_TOPIC_OR_PARTITION, 0, false);
            }
            assertThat(slow.metadata().timeToNextUpdate(slow.nowMillis())).isGreaterThan(10_000);
            CompletableFuture<Integer> count = new CompletableFuture<>();

            Thread asking = asking(() -> slow.partitionsOf("shop"), count);

            assertThat(slow.metadata().timeToNextUpdate(slow.nowMillis()))
                    .as("no more than retry.backoff.ms")
                    .isLessThan(1000);
            slow.wakeAll();
            asking.join();
        }
    }

    /** Starts a thread that asks, and waits until it waits for the answer. */
    private static Thread asking(Callable<Integer> question, CompletableFuture<Integer> count) {
        Thread asking = new Thread(() -> {
            try {
                count.complete(question.call());
            } catch (Exception e) {
                count.completeExceptionally(e);
            }
        });
        asking.start();
        await().until(() -> isWaiting(asking) || count.isDone());
        return asking;
    }

    private static boolean isWaiting(Thread asking) {
        return asking.getState() == Thread.State.TIMED_WAITING;
    }

    /** It would be thrown out of the poll, before the answers that were read with it. */
    @Test
    void anAnswerAfterTheEndIsIgnored() {
        cluster.keep("shop");
        cluster.wakeAll();

        update(FIRST, 6);

        assertThat(cluster.knownLeaderOf(LAST)).isNull();
    }

    /** A topic may exist where none of the brokers answers. */
    @Test
    void aBrokerThatCannotBeReachedIsNoMissingTopic() {
        try (Cluster silent = unconnected(1)) {
            assertThatThrownBy(() -> silent.newestPartitionsOf("shop"))
                    .isInstanceOf(TimeoutException.class)
                    .hasMessageStartingWith(
                            "no broker of kafka.bootstrap.servers=127.0.0.1:1 can be reached within 1 ms: ");
        }
    }

    @Test
    void aPartitionIsMissingWhenMetadataThatWereAskedForBecauseOfItSaySo() {
        cluster.keep("shop");
        update(FIRST, 6);
        assertThat(cluster.leaderOf(LAST)).extracting(Node::id).isEqualTo(1);

        update(SECOND, 3);
        assertThat(cluster.leaderOf(LAST)).isNull();
        assertThat(cluster.leaderOf(LAST)).as("without other metadata").isNull();
        update(SECOND, 3); // perhaps the answer to an earlier request
        assertThat(cluster.leaderOf(LAST)).isNull();
        update(SECOND, 3);

        assertThatThrownBy(() -> cluster.leaderOf(LAST))
                .isInstanceOf(NoSuchPartitionException.class)
                .hasMessageContaining("topic shop has no partition 5, it has 3");
    }

    @Test
    void aPartitionThatComesBackIsNotMissing() {
        cluster.keep("shop");
        for (int i = 0; i < 5; i++) {
            update(FIRST, 3);
            assertThat(cluster.leaderOf(LAST)).isNull();
            update(FIRST, 6);
            assertThat(cluster.leaderOf(LAST)).isNotNull();
        }
    }

    /** It may have been deleted, and be created with as many. */
    @Test
    void aTopicThatIsUnknownHasNoMissingPartition() {
        cluster.keep("shop");
        for (int i = 0; i < 5; i++) {
            update(FIRST, 0);
            assertThat(cluster.leaderOf(LAST)).isNull();
        }
    }

    /** By the answer only that says so; whether it will be created is for the caller to wait for. */
    @Test
    void aTopicThatBrokersDoNotKnowIsDistinguishedFromBrokersThatDoNotAnswer() {
        CompletableFuture<Integer> count = CompletableFuture.supplyAsync(() -> cluster.partitionsOfMissing("shop"));

        await().until(() -> {
            update(FIRST, Errors.UNKNOWN_TOPIC_OR_PARTITION, 0);
            return count.isDone();
        });

        assertThatThrownBy(count::join)
                .hasCauseInstanceOf(TimeoutException.class)
                .hasRootCauseInstanceOf(UnknownTopicOrPartitionException.class);
    }

    /** Or an outage would count as a time in which the topic was missing. */
    @Test
    void brokersThatDoNotAnswerAnyMoreSayNothingOfATopicThatTheyDidNotKnow() throws InterruptedException {
        try (Cluster silent = unconnected(5_000)) { // in which the question is answered once
            CompletableFuture<Integer> count = new CompletableFuture<>();
            Thread asking = new Thread(() -> {
                try {
                    count.complete(silent.newestPartitionsOf("shop"));
                } catch (TimeoutException e) {
                    count.completeExceptionally(e);
                }
            });
            asking.start();
            await().until(() -> asking.getState() == Thread.State.TIMED_WAITING || count.isDone());
            update(silent, FIRST, Errors.UNKNOWN_TOPIC_OR_PARTITION, 0);
            asking.join();

            assertThatThrownBy(count::join)
                    .hasCauseInstanceOf(TimeoutException.class)
                    .hasRootCauseInstanceOf(TimeoutException.class)
                    .hasMessageContaining("no broker of kafka.bootstrap.servers=127.0.0.1:1 has answered");
        }
    }

    @Test
    void aTopicOfWhichNoLeaderIsKnownIsNotMissing() {
        CompletableFuture<Integer> count = CompletableFuture.supplyAsync(() -> cluster.partitionsOfMissing("shop"));
        await().until(() -> {
            update(FIRST, Errors.LEADER_NOT_AVAILABLE, 0);
            return cluster.metadata().containsTopic("shop");
        });
        assertThat(count).isNotDone();

        await().until(() -> {
            update(FIRST, 3);
            return count.isDone();
        });

        assertThat(count.join()).isEqualTo(3);
    }

    @Test
    void whatKeepsABatchFromBeingSentIsReported() {
        cluster.keep("shop");
        assertThat(cluster.obstacleTo(LAST)).as("no answer").isNull();
        update(FIRST, Errors.UNKNOWN_TOPIC_OR_PARTITION, 0);
        assertThat(cluster.obstacleTo(LAST)).isInstanceOf(UnknownTopicOrPartitionException.class);
        update(FIRST, 5);
        assertThat(cluster.obstacleTo(LAST)).isInstanceOf(LeaderNotAvailableException.class);
        update(FIRST, 6);
        assertThat(cluster.obstacleTo(LAST)).isNull();
    }

    private void update(Uuid topicId, int partitions) {
        update(topicId, Errors.NONE, partitions);
    }

    private void update(Uuid topicId, Errors error, int partitions) {
        update(cluster, topicId, error, partitions);
    }

    static void update(Cluster cluster, Uuid topicId, Errors error, int partitions) {
        update(cluster, "shop", topicId, error, partitions, false);
    }

    /** Has the brokers state the topic, with a leader that listens on the given port. */
    static void updateWithBrokerAt(int port, Cluster cluster, Uuid topicId, int partitions) {
        update(port, cluster, "shop", topicId, Errors.NONE, partitions, false);
    }

    private static void update(
            Cluster cluster, String topic, Uuid topicId, Errors error, int partitions, boolean isPartial) {
        update(1, cluster, topic, topicId, error, partitions, isPartial);
    }

    private static void update(
            int port, Cluster cluster, String topic, Uuid topicId, Errors error, int partitions, boolean isPartial) {
        update(Map.of(1, port), Collections.nCopies(partitions, 1), cluster, topic, topicId, error, isPartial);
    }

    /** States the port of each broker, and the leader of each partition. */
    static void updateWithLeaders(Map<Integer, Integer> ports, List<Integer> leaders, Cluster cluster, Uuid topicId) {
        update(ports, leaders, cluster, "shop", topicId, Errors.NONE, false);
    }

    private static void update(
            Map<Integer, Integer> ports,
            List<Integer> leaders,
            Cluster cluster,
            String topic,
            Uuid topicId,
            Errors error,
            boolean isPartial) {
        MetadataResponseData data = new MetadataResponseData()
                .setClusterId("cluster")
                .setControllerId(1)
                .setBrokers(new MetadataResponseBrokerCollection(ports.entrySet().stream()
                        .map(broker -> new MetadataResponseBroker()
                                .setNodeId(broker.getKey())
                                .setHost("127.0.0.1")
                                .setPort(broker.getValue()))
                        .iterator()));
        if (!leaders.isEmpty() || error != Errors.NONE) {
            data.setTopics(new MetadataResponseTopicCollection(List.of(new MetadataResponseTopic()
                            .setName(topic)
                            .setErrorCode(error.code())
                            .setTopicId(topicId)
                            .setPartitions(IntStream.range(0, leaders.size())
                                    .mapToObj(index -> partition(index, leaders.get(index)))
                                    .toList()))
                    .iterator()));
        }
        MetadataResponse response = new MetadataResponse(data, ApiKeys.METADATA.latestVersion());
        cluster.metadata().updateWithCurrentRequestVersion(response, isPartial, cluster.nowMillis());
    }

    private static MetadataResponsePartition partition(int index, int leader) {
        return new MetadataResponsePartition()
                .setPartitionIndex(index)
                .setLeaderId(leader)
                .setLeaderEpoch(0)
                .setReplicaNodes(List.of(leader))
                .setIsrNodes(List.of(leader))
                .setOfflineReplicas(List.of());
    }
}
