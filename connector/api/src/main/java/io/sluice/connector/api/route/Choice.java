package io.sluice.connector.api.route;

import io.sluice.format.split.RowKey;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The rules that apply to a table.
 *
 * @param topic the topic's name as the broker gets it
 * @param topicRule names it; null if it is the default topic
 * @param bySchema whether that rule is for the table's schema
 * @param hashRule chooses its partitions; null if none does
 * @param countRule determines how many there are; null if none does
 * @param messageKey the columns of the messages' key; null if they have none
 * @param keyRule chooses those; null if none does
 */
record Choice(
        String topic,
        @Nullable TopicRule topicRule,
        boolean bySchema,
        @Nullable KeyRule hashRule,
        @Nullable CountRule countRule,
        @Nullable RowKey messageKey,
        @Nullable KeyRule keyRule) {
    /** Chooses the rules for a table, without asking the broker. */
    @FunctionalInterface
    interface Chooser {
        /** Both names may be empty. */
        Choice choose(String schema, String table);
    }

    /** Whether the broker is asked how many partitions there are. */
    boolean asksBroker(RuleTexts texts) {
        return texts.isHashed() && texts.askBroker() && countRule == null;
    }

    /**
     * How many partitions there are.
     *
     * @param answer the broker's number, if it was asked
     */
    int count(RuleTexts texts, OptionalInt answer) {
        if (countRule != null) {
            return countRule.count();
        }
        return Math.max(1, answer.orElse(texts.partitions().orElse(1)));
    }

    /** The number of partitions by the rules, whether or not rows are spread over them; empty if the rules have none. */
    OptionalInt stated(RuleTexts texts) {
        return countRule == null ? texts.partitions() : OptionalInt.of(countRule.count());
    }

    /** The route to so many partitions. */
    Route route(RuleTexts texts, String schema, String table, int count) {
        Partitioning partitioning;
        if (!texts.isHashed()) {
            partitioning = new Partitioning.One(texts.partition());
        } else if (hashRule == null) {
            partitioning = new Partitioning.ByTable(0, count);
        } else if (hashRule.key() == null) {
            partitioning = new Partitioning.ByTable(Partitioning.partition(table.hashCode(), count), count);
        } else {
            int seed = texts.hashSchema() ? schema.hashCode() : 0;
            partitioning = new Partitioning.ByKey(hashRule.key(), seed, count);
        }
        return new Route(topic, partitioning, messageKey);
    }
}
