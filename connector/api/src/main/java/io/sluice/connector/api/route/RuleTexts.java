package io.sluice.connector.api.route;

import java.util.OptionalInt;

/**
 * The configuration of routes, as text. Blank where nothing is configured.
 *
 * @param topic the topic of tables that no rule is for; {@code canal.mq.topic}
 * @param partition the partition of everything if there are no rules for partitions; {@code canal.mq.partition}
 * @param topicRules {@code canal.mq.dynamicTopic}
 * @param hashRules {@code canal.mq.partitionHash}
 * @param hashSchema whether the schema's name is part of the hash of a row; {@code canal.mq.database.hash}
 * @param partitions how many a topic has that no rule is for; {@code canal.mq.partitionsNum}
 * @param countRules {@code canal.mq.dynamicTopicPartitionNum}
 * @param askBroker whether the broker is asked how many partitions a topic has that no rule is for
 * @param keyRules {@code canal.mq.messageKey}
 */
public record RuleTexts(
        String topic,
        int partition,
        String topicRules,
        String hashRules,
        boolean hashSchema,
        OptionalInt partitions,
        String countRules,
        boolean askBroker,
        String keyRules) {
    /** Whether there are rules for topics. */
    boolean isDynamic() {
        return !topicRules.isBlank();
    }

    /** Whether there are rules for partitions. */
    boolean isHashed() {
        return !hashRules.isBlank();
    }

    /** Everything to one partition of one topic. */
    public static RuleTexts fixed(String topic, int partition) {
        return new RuleTexts(topic, partition, "", "", true, OptionalInt.empty(), "", false, "");
    }
}
