package io.sluice.testkit.kafka;

import io.sluice.testkit.process.Polling;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Three Kafka brokers in processes of their own, numbered 1 to 3, each of which is also a controller: two of them are enough to elect leaders.
 * Topics have three replicas, two of which must be in sync, unless they are made otherwise. Leaders move only when a broker fails, or a test
 * moves them. For one thread at a time.
 */
public final class KafkaCluster implements AutoCloseable {
    /** The numbers of the brokers. */
    public static final List<Integer> NODES = List.of(1, 2, 3);

    private static final Logger LOG = LoggerFactory.getLogger(KafkaCluster.class);
    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final int STARTS = 3;
    private static final Map<String, String> IN_SYNC = Map.of("min.insync.replicas", "2");

    private final List<KafkaServer> members;
    private final Set<Integer> paused = new HashSet<>();

    private KafkaCluster(List<KafkaServer> members) {
        this.members = members;
    }

    /** Starts a cluster, and returns when each broker answers. */
    public static KafkaCluster start() {
        return start(Map.of());
    }

    /**
     * Starts a cluster, and returns when each broker answers.
     *
     * @param gates the port of 127.0.0.1 that clients of the second listener of a broker are sent to, by its number
     */
    public static KafkaCluster start(Map<Integer, Integer> gates) {
        List<KafkaOptions> options = NODES.stream()
                .map(node -> optionsOfMember().viaGate(gates.getOrDefault(node, 0)))
                .toList();
        for (int attempt = 1; ; attempt++) {
            KafkaCluster cluster = new KafkaCluster(KafkaServer.prepareMembers(options));
            try {
                cluster.join();
                return cluster;
            } catch (RuntimeException e) {
                cluster.close();
                if (attempt == STARTS || cluster.members.stream().noneMatch(KafkaServer::isAnyPortTaken)) {
                    throw e;
                }
                LOG.debug("the cluster did not start, trying other ports", e);
            }
        }
    }

    private static KafkaOptions optionsOfMember() {
        String all = Integer.toString(NODES.size());
        return KafkaOptions.defaults()
                .with("default.replication.factor", all)
                .with("offsets.topic.replication.factor", all)
                .with("transaction.state.log.replication.factor", all)
                .with("transaction.state.log.min.isr", "2")
                .with("auto.create.topics.enable", "false")
                .with("auto.leader.rebalance.enable", "false");
    }

    private void join() {
        List<CompletableFuture<Void>> starts = members.stream()
                .map(member -> CompletableFuture.runAsync(member::join, run -> new Thread(run).start()))
                .toList();
        try {
            CompletableFuture.allOf(starts.toArray(CompletableFuture[]::new)).join();
        } catch (CompletionException e) {
            throw new IllegalStateException("the cluster did not start", e.getCause());
        }
    }

    /** Hosts and ports of all brokers; the same for the cluster's whole life. */
    public String bootstrapServers() {
        return bootstrapServers(members);
    }

    private static String bootstrapServers(List<KafkaServer> of) {
        return of.stream().map(KafkaServer::bootstrapServers).collect(Collectors.joining(","));
    }

    /** A broker, to be stopped, killed and started again. */
    public KafkaServer broker(int node) {
        return members.get(node - 1);
    }

    /** Freezes a broker: its connections stay open, and nothing answers. */
    public void pause(int node) {
        paused.add(node);
        broker(node).pause();
    }

    /** Continues a paused broker. */
    public void resume(int node) {
        broker(node).resume();
        paused.remove(node);
    }

    /** Continues all brokers that are paused, and starts those that do not run. */
    public void restore() {
        List.copyOf(paused).forEach(this::resume);
        for (KafkaServer member : members) {
            if (!member.isRunning()) {
                member.restart();
            }
        }
    }

    /** Reads the topics. */
    public KafkaReader reader() {
        return new KafkaReader(bootstrapServers());
    }

    /** Makes a topic whose partitions have the given leaders, in their order, and all brokers as replicas, two of which must be in sync. */
    public void createTopic(String topic, List<Integer> leaders) {
        createTopic(topic, leaders, NODES.size());
    }

    /** Makes such a topic with fewer replicas. The others are the brokers after the leader; after the last one comes the first. */
    public void createTopic(String topic, List<Integer> leaders, int replicas) {
        Map<Integer, List<Integer>> assignments = new HashMap<>();
        for (int partition = 0; partition < leaders.size(); partition++) {
            assignments.put(partition, replicasFrom(leaders.get(partition), replicas));
        }
        try (Admin admin = admin()) {
            KafkaServer.get(admin.createTopics(List.of(new NewTopic(topic, assignments).configs(IN_SYNC)))
                    .all());
            awaitInSync(admin, topic);
            for (int partition = 0; partition < leaders.size(); partition++) {
                electPreferred(admin, topic, partition, leaders.get(partition));
            }
        }
    }

    private static List<Integer> replicasFrom(int leader, int replicas) {
        return IntStream.range(0, replicas)
                .map(i -> (leader - 1 + i) % NODES.size() + 1)
                .boxed()
                .toList();
    }

    /** Deletes a topic; a moment later the brokers do not have it any more. */
    public void deleteTopic(String topic) {
        try (Admin admin = admin()) {
            KafkaServer.get(admin.deleteTopics(List.of(topic)).all());
        }
    }

    /** Adds a partition to a topic, with the given leader. */
    public void addPartition(String topic, int leader) {
        try (Admin admin = admin()) {
            int count = partitionsOf(admin, topic).size();
            NewPartitions added = NewPartitions.increaseTo(count + 1, List.of(replicasFrom(leader, NODES.size())));
            KafkaServer.get(admin.createPartitions(Map.of(topic, added)).all());
        }
    }

    /** The number of the broker that leads a partition; 0 if none does. */
    public int leaderOf(String topic, int partition) {
        try (Admin admin = admin()) {
            return leaderOf(admin, topic, partition);
        }
    }

    private static int leaderOf(Admin admin, String topic, int partition) {
        return partitionsOf(admin, topic).stream()
                .filter(next -> next.partition() == partition)
                .map(TopicPartitionInfo::leader)
                .filter(leader -> leader != null && !leader.isEmpty())
                .mapToInt(Node::id)
                .findFirst()
                .orElse(0);
    }

    private static List<TopicPartitionInfo> partitionsOf(Admin admin, String topic) {
        try {
            return Optional.ofNullable(
                            KafkaServer.get(admin.describeTopics(List.of(topic)).allTopicNames())
                                    .get(topic))
                    .map(TopicDescription::partitions)
                    .orElse(List.of());
        } catch (IllegalStateException e) { // a broker that does not know the topic yet, or does not answer
            LOG.debug("topic {} is not described: {}", topic, e.getMessage());
            return List.of();
        }
    }

    /** Waits until a broker leads a partition for which the condition holds. */
    public void awaitLeader(String topic, int partition, IntPredicate isExpected) {
        try (Admin admin = admin()) {
            require(
                    Polling.await(TIMEOUT, () -> {
                        int leader = leaderOf(admin, topic, partition);
                        return leader > 0 && isExpected.test(leader);
                    }),
                    "partition %d of %s does not get the leader".formatted(partition, topic));
        }
    }

    /** Waits until all replicas of a topic are in sync. */
    public void awaitInSync(String topic) {
        try (Admin admin = admin()) {
            awaitInSync(admin, topic);
        }
    }

    private static void awaitInSync(Admin admin, String topic) {
        require(
                Polling.await(TIMEOUT, () -> isInSync(admin, topic)),
                "not all replicas of %s are in sync".formatted(topic));
    }

    private static boolean isInSync(Admin admin, String topic) {
        List<TopicPartitionInfo> partitions = partitionsOf(admin, topic);
        return !partitions.isEmpty()
                && partitions.stream()
                        .allMatch(next -> next.isr().size() == next.replicas().size());
    }

    /** Has another one of its replicas lead a partition, while all brokers run. */
    public void moveLeader(String topic, int partition, int leader) {
        TopicPartition moved = new TopicPartition(topic, partition);
        try (Admin admin = admin()) {
            awaitInSync(admin, topic);
            List<Integer> replicas = partitionsOf(admin, topic).get(partition).replicas().stream()
                    .map(Node::id)
                    .sorted(Comparator.comparing(node -> node != leader))
                    .toList();
            reassign(admin, moved, replicas);
            electPreferred(admin, topic, partition, leader);
        }
    }

    /** Has the first one of its replicas lead a partition, if it does not. */
    private static void electPreferred(Admin admin, String topic, int partition, int leader) {
        TopicPartition moved = new TopicPartition(topic, partition);
        require(
                Polling.await(TIMEOUT, () -> {
                    boolean leads = leaderOf(admin, topic, partition) == leader;
                    if (!leads) {
                        var unused = KafkaServer.get(admin.electLeaders(ElectionType.PREFERRED, Set.of(moved))
                                .partitions()); // what the answer states of the partition is seen by the next question
                    }
                    return leads;
                }),
                "broker %d does not become the leader of %s".formatted(leader, moved));
    }

    /** Moves a partition to other brokers, of which the first one leads it, and returns when it is nowhere else. */
    public void reassign(String topic, int partition, List<Integer> replicas) {
        TopicPartition moved = new TopicPartition(topic, partition);
        try (Admin admin = admin()) {
            reassign(admin, moved, replicas);
        }
        awaitLeader(topic, partition, replicas::contains);
    }

    private static void reassign(Admin admin, TopicPartition moved, List<Integer> replicas) {
        KafkaServer.get(
                admin.alterPartitionReassignments(Map.of(moved, Optional.of(new NewPartitionReassignment(replicas))))
                        .all());
        require(
                Polling.await(
                        TIMEOUT,
                        () -> KafkaServer.get(admin.listPartitionReassignments(Set.of(moved))
                                        .reassignments())
                                .isEmpty()),
                "%s is not moved to %s".formatted(moved, replicas));
    }

    /** The offset after the last record of a partition that all replicas in sync have. */
    public long endOf(String topic, int partition) {
        try (Admin admin = admin()) {
            return endOf(admin, topic, partition);
        }
    }

    private static long endOf(Admin admin, String topic, int partition) {
        TopicPartition asked = new TopicPartition(topic, partition);
        return KafkaServer.get(
                        admin.listOffsets(Map.of(asked, OffsetSpec.latest())).partitionResult(asked))
                .offset();
    }

    /** Waits until all replicas in sync have the records of a partition up to an offset. */
    public void awaitEnd(String topic, int partition, long offset) {
        try (Admin admin = admin()) {
            require(
                    Polling.await(TIMEOUT, () -> endOf(admin, topic, partition) >= offset),
                    "partition %d of %s does not get offset %d".formatted(partition, topic, offset));
        }
    }

    private static void require(boolean isReached, String failure) {
        if (!isReached) {
            throw new IllegalStateException(failure + " in time");
        }
    }

    /** A new administration client, to be closed by the caller, which begins with the brokers that answer. */
    public Admin admin() {
        List<KafkaServer> answering = new ArrayList<>(members);
        answering.removeIf(member -> !member.isRunning() || paused.contains(member.nodeId()));
        return Admin.create(Map.of(
                AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrapServers(answering),
                AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG,
                paused.isEmpty() ? 30_000 : 2_000, // another broker is asked then
                AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                60_000));
    }

    /** Ends all brokers at once, and deletes their data. */
    @Override
    public void close() {
        members.forEach(KafkaServer::close);
    }
}
