package io.sluice.connector.kafka.probe;

import static io.sluice.connector.kafka.probe.AdminAnswers.counted;
import static io.sluice.connector.kafka.probe.AdminAnswers.explained;
import static io.sluice.connector.kafka.probe.AdminAnswers.get;

import io.sluice.connector.api.probe.Findings;
import io.sluice.connector.api.probe.TopicNeed;
import io.sluice.connector.kafka.settings.KafkaSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.DescribeConfigsOptions;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/**
 * Asks the brokers about the topics that messages go to: partitions, leaders, replicas, rights and limits, and whether missing topics would be created.
 * For one thread.
 */
final class TopicProbe {
    private final Admin admin;
    private final KafkaSettings settings;
    private final int limitMillis;
    private final Findings findings;

    /**
     * Makes a probe.
     *
     * @param admin is closed by the caller
     * @param limitMillis of each question
     */
    TopicProbe(Admin admin, KafkaSettings settings, int limitMillis, Findings findings) {
        this.admin = admin;
        this.settings = settings;
        this.limitMillis = limitMillis;
        this.findings = findings;
    }

    /**
     * Tries all topics.
     *
     * @param broker is asked what it does with topics that do not exist
     */
    void run(List<TopicNeed> needs, Node broker) throws InterruptedException {
        Map<String, TopicDescription> described = new TreeMap<>();
        List<TopicNeed> missing = new ArrayList<>();
        describe(needs, described, missing);
        Map<String, Config> configs = configs(described.keySet());
        for (TopicNeed need : needs) {
            TopicDescription topic = described.get(need.topic());
            if (topic != null) {
                judge(need, topic, configs.get(need.topic()));
            }
        }
        if (!missing.isEmpty()) {
            judgeMissing(missing, broker);
        }
    }

    private void describe(List<TopicNeed> needs, Map<String, TopicDescription> described, List<TopicNeed> missing)
            throws InterruptedException {
        Map<String, KafkaFuture<TopicDescription>> answers = admin.describeTopics(
                        needs.stream().map(TopicNeed::topic).toList(),
                        new DescribeTopicsOptions().timeoutMs(limitMillis).includeAuthorizedOperations(true))
                .topicNameValues();
        for (TopicNeed need : needs) {
            try {
                described.put(need.topic(), get(answers.get(need.topic())));
            } catch (UnknownTopicOrPartitionException e) {
                missing.add(need);
            } catch (InvalidTopicException e) {
                findings.failed(
                        subject(need),
                        "no topic can have that name: " + e.getMessage(),
                        "change canal.mq.topic or canal.mq.dynamicTopic");
            } catch (AuthorizationException e) {
                findings.failed(
                        subject(need),
                        "the user may not see it: " + e.getMessage(),
                        "grant Describe and Write on the topic");
            } catch (KafkaException e) {
                findings.unknown(subject(need), explained(e), "");
            }
        }
    }

    /** The configurations that the user may read; a topic without one is not in the map. */
    private Map<String, Config> configs(Set<String> topics) throws InterruptedException {
        Map<String, Config> configs = new TreeMap<>();
        Map<ConfigResource, KafkaFuture<Config>> answers = admin.describeConfigs(
                        topics.stream()
                                .map(topic -> new ConfigResource(ConfigResource.Type.TOPIC, topic))
                                .toList(),
                        new DescribeConfigsOptions().timeoutMs(limitMillis))
                .values();
        for (Map.Entry<ConfigResource, KafkaFuture<Config>> answer : answers.entrySet()) {
            try {
                configs.put(answer.getKey().name(), get(answer.getValue()));
            } catch (KafkaException e) {
                // reported as unknown limits
            }
        }
        return configs;
    }

    private void judge(TopicNeed need, TopicDescription topic, @Nullable Config config) {
        int partitions = topic.partitions().size();
        Set<AclOperation> allowed = topic.authorizedOperations();
        if (partitions < need.partitions()) {
            findings.failed(
                    subject(need),
                    "it has %s, but messages go to %d".formatted(counted(partitions, "partition"), need.partitions()),
                    "add partitions to the topic (which changes where keys go), or lower canal.mq.partition,"
                            + " canal.mq.partitionsNum or canal.mq.dynamicTopicPartitionNum");
        } else if (allowed != null && !allowed.contains(AclOperation.WRITE) && !allowed.contains(AclOperation.ALL)) {
            findings.failed(subject(need), "the user may not write to it", "grant Write on the topic");
        } else {
            findings.ok(
                    subject(need),
                    "it has %s, of which %d %s needed%s"
                            .formatted(
                                    counted(partitions, "partition"),
                                    need.partitions(),
                                    need.partitions() == 1 ? "is" : "are",
                                    allowed == null ? "" : ", and the user may write to it"));
        }
        judgeLeaders(need, topic, config);
        if (config == null) {
            findings.unknown(
                    subject(need) + ": limits",
                    "the user may not read its configuration, so max.message.bytes is not known",
                    "grant DescribeConfigs on the topic to have it compared with kafka.max.request.size");
        } else {
            judgeLimits(need, config);
        }
    }

    private void judgeLeaders(TopicNeed need, TopicDescription topic, @Nullable Config config) {
        List<Integer> leaderless = topic.partitions().stream()
                .filter(partition -> partition.leader() == null)
                .map(TopicPartitionInfo::partition)
                .toList();
        if (!leaderless.isEmpty()) {
            findings.failed(
                    subject(need) + ": leaders",
                    "partitions without a leader: " + leaderless,
                    "start the brokers that have these partitions");
        }
        Optional<Long> least = number(config, "min.insync.replicas");
        List<Integer> thin = topic.partitions().stream()
                .filter(partition -> partition.leader() != null
                        && least.isPresent()
                        && partition.isr().size() < least.get())
                .map(TopicPartitionInfo::partition)
                .toList();
        if (!thin.isEmpty() && settings.waitsForAllReplicas()) {
            findings.failed(
                    subject(need) + ": replicas",
                    "partitions with less than min.insync.replicas=%d replicas in sync: %s"
                            .formatted(least.get(), thin),
                    "start the brokers that have these replicas; until then nothing is accepted with acks=all");
        }
    }

    private void judgeLimits(TopicNeed need, Config config) {
        Optional<Long> largest = number(config, "max.message.bytes");
        String subject = subject(need) + ": limits";
        if (largest.isPresent()) {
            if (settings.maxRequestBytes() > largest.get()) {
                findings.warning(
                        subject,
                        "max.message.bytes=%d is less than kafka.max.request.size=%d: a message between both is rejected"
                                .formatted(largest.get(), settings.maxRequestBytes()),
                        "raise max.message.bytes of the topic, or lower kafka.max.request.size, so that larger messages are"
                                + " split where that is possible");
            } else {
                findings.ok(
                        subject,
                        "max.message.bytes=%d, kafka.max.request.size=%d"
                                .formatted(largest.get(), settings.maxRequestBytes()));
            }
        }
        ConfigEntry cleanup = config.get("cleanup.policy");
        if (cleanup != null && String.valueOf(cleanup.value()).contains("compact") && !need.keyed()) {
            findings.failed(
                    subject(need) + ": cleanup.policy",
                    "the topic is compacted (cleanup.policy=%s) and rejects messages without a key"
                            .formatted(cleanup.value()),
                    "set canal.mq.messageKey, or cleanup.policy=delete of the topic");
        }
    }

    private void judgeMissing(List<TopicNeed> missing, Node broker) throws InterruptedException {
        Optional<Config> config = brokerConfig(broker);
        Optional<String> automatic =
                config.map(found -> found.get("auto.create.topics.enable")).map(ConfigEntry::value);
        Optional<Long> standard = number(config.orElse(null), "num.partitions");
        Map<String, KafkaFuture<Void>> trials = admin.createTopics(
                        missing.stream()
                                .map(need -> new NewTopic(need.topic(), Optional.empty(), Optional.empty()))
                                .toList(),
                        new CreateTopicsOptions().timeoutMs(limitMillis).validateOnly(true))
                .values();
        for (TopicNeed need : missing) {
            String rejection = rejection(trials.get(need.topic()));
            String create = "create it with at least " + counted(need.partitions(), "partition");
            if (automatic.isEmpty()) {
                findings.unknown(
                        subject(need),
                        "it does not exist, and the user may not read auto.create.topics.enable of the brokers"
                                + (rejection.isEmpty() ? "" : "; it may not create the topic either: " + rejection),
                        create);
            } else if (!Boolean.parseBoolean(automatic.get())) {
                findings.failed(
                        subject(need),
                        "it does not exist, and the brokers create none by themselves (auto.create.topics.enable=false)",
                        create);
            } else if (!rejection.isEmpty()) {
                findings.failed(
                        subject(need),
                        "it does not exist, and the brokers would not create it for this user: " + rejection,
                        create + ", or grant Create on it");
            } else if (standard.isPresent() && standard.get() < need.partitions()) {
                findings.failed(
                        subject(need),
                        "it does not exist, and would be created with num.partitions=%d, but messages go to %d"
                                .formatted(standard.get(), need.partitions()),
                        create);
            } else {
                findings.warning(
                        subject(need),
                        "it does not exist; the brokers create it with the first message, with %s"
                                .formatted(standard.map(count -> counted(count, "partition"))
                                        .orElse("their number of partitions")),
                        create + " if its settings matter");
            }
        }
    }

    /** Why a topic would not be created; empty if it would be. */
    private String rejection(@Nullable KafkaFuture<Void> trial) throws InterruptedException {
        try {
            get(trial);
            return "";
        } catch (TopicExistsException e) {
            return "";
        } catch (KafkaException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private Optional<Config> brokerConfig(Node broker) throws InterruptedException {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.BROKER, broker.idString());
        try {
            return Optional.ofNullable(
                    get(admin.describeConfigs(List.of(resource), new DescribeConfigsOptions().timeoutMs(limitMillis))
                                    .all())
                            .get(resource));
        } catch (KafkaException e) {
            return Optional.empty();
        }
    }

    private static Optional<Long> number(@Nullable Config config, String name) {
        ConfigEntry entry = config == null ? null : config.get(name);
        String value = entry == null ? null : entry.value();
        try {
            return value == null ? Optional.empty() : Optional.of(Long.parseLong(value));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static String subject(TopicNeed need) {
        return "topic " + need.topic();
    }
}
