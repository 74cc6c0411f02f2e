package io.sluice.connector.api.route;

import io.sluice.format.split.RowKey;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The rules that count for a table.
 *
 * @param topic the topic's name as the broker gets it
 * @param topicRule names it; null if it is the one of what no rule is for
 * @param bySchema whether that rule is for the table's schema
 * @param hashRule chooses its partitions; null if none does
 * @param countRule says how many there are; null if none does
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

    /** Whether the broker is to say how many partitions there are. */
    boolean asksBroker(RoutingRules rules) {
        return rules.isHashed() && rules.texts().askBroker() && countRule == null;
    }

    /**
     * How many partitions there are.
     *
     * @param told what the broker says, if it was asked
     */
    int count(RuleTexts texts, OptionalInt told) {
        if (countRule != null) {
            return countRule.count();
        }
        return Math.max(1, told.orElse(texts.partitions().orElse(1)));
    }

    /** How many partitions the rules say that there are, whether rows are spread over them or not; empty if they do not. */
    OptionalInt stated(RuleTexts texts) {
        return countRule == null ? texts.partitions() : OptionalInt.of(countRule.count());
    }

    /** The route to so many partitions. */
    Route route(RoutingRules rules, String schema, String table, int count) {
        RuleTexts texts = rules.texts();
        Partitioning partitioning;
        if (!rules.isHashed()) {
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
