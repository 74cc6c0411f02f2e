package io.sluice.connector.api.route;

import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;

/** Texts of rules by the last part of their keys. */
final class Texts {
    private Texts() {}

    /** Those of some keys and their values, one after the other; the topic is {@code dft.topic}. */
    static RuleTexts of(String... keysAndValues) {
        Map<String, String> values = new TreeMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            values.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        RuleTexts texts = new RuleTexts(
                values.getOrDefault("topic", "dft.topic"),
                Integer.parseInt(values.getOrDefault("partition", "0")),
                values.getOrDefault("dynamicTopic", ""),
                values.getOrDefault("partitionHash", ""),
                Boolean.parseBoolean(values.getOrDefault("database.hash", "true")),
                values.containsKey("partitionsNum")
                        ? OptionalInt.of(Integer.parseInt(values.get("partitionsNum")))
                        : OptionalInt.empty(),
                values.getOrDefault("dynamicTopicPartitionNum", ""),
                Boolean.parseBoolean(values.getOrDefault("enableDynamicQueuePartition", "false")),
                values.getOrDefault("messageKey", ""));
        for (String key : values.keySet()) {
            if (!"topic partition dynamicTopic partitionHash database.hash partitionsNum dynamicTopicPartitionNum"
                    .concat(" enableDynamicQueuePartition messageKey ")
                    .contains(key)) {
                throw new IllegalArgumentException(key);
            }
        }
        return texts;
    }

    static Router router(String... keysAndValues) {
        return RoutingRules.read(of(keysAndValues)).router(TopicPartitions.UNKNOWN);
    }
}
