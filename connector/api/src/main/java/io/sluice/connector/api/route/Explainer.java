package io.sluice.connector.api.route;

import io.sluice.format.split.RowKey;
import java.util.OptionalInt;

/** Explains in words why the rules choose a route. */
final class Explainer {
    private final RuleTexts texts;
    private final TopicPartitions broker;

    Explainer(RuleTexts texts, TopicPartitions broker) {
        this.texts = texts;
        this.broker = broker;
    }

    /** Explains where the entries of a table go, and why, by the rules that were chosen for it. */
    Explanation explain(Choice choice, String schema, String table) {
        OptionalInt answer = choice.asksBroker(texts) ? broker.of(choice.topic()) : OptionalInt.empty();
        Route route = choice.route(texts, schema, table, choice.count(texts, answer));
        return new Explanation(
                route,
                topic(choice, schema, table),
                partition(choice, schema, table),
                count(choice, answer),
                messageKey(choice));
    }

    private Reason topic(Choice choice, String schema, String table) {
        TopicRule rule = choice.topicRule();
        String replaced = texts.isDynamic() && hadDots(choice, schema, table) ? "; '.' becomes '_'" : "";
        if (rule == null) {
            boolean nameless = schema.isEmpty() || table.isEmpty();
            String why = !texts.isDynamic()
                    ? "there are no rules for topics"
                    : nameless ? "the rules are for entries with a schema and a table" : "no rule is for this table";
            return Reason.of(RuleKeys.TOPIC, why + replaced);
        }
        String matched = choice.bySchema() ? "the schema " + schema : "the table " + schema + "." + table;
        String named = rule.topic() == null
                ? "its name is the topic's"
                : rule.topic().isFixed() ? "the rule names the topic" : "the rule is a template for the topic";
        return Reason.of(RuleKeys.TOPIC_RULES, rule.span(), "matches " + matched + "; " + named + replaced);
    }

    private boolean hadDots(Choice choice, String schema, String table) {
        TopicRule rule = choice.topicRule();
        String name = rule == null
                ? texts.topic()
                : rule.topicOf(schema, table, choice.bySchema() ? schema : schema + "." + table);
        return name.indexOf('.') >= 0;
    }

    private Reason partition(Choice choice, String schema, String table) {
        KeyRule rule = choice.hashRule();
        if (!texts.isHashed()) {
            return Reason.of(RuleKeys.PARTITION, "there are no rules for partitions");
        }
        if (rule == null) {
            return Reason.of(RuleKeys.HASH_RULES, "no rule is for this table: partition 0");
        }
        RowKey key = rule.key();
        if (key == null) {
            String sentence =
                    "names no columns: rows go by the hash of the table's name, %d".formatted(table.hashCode());
            return Reason.of(RuleKeys.HASH_RULES, rule.span(), sentence);
        }
        String seed = texts.hashSchema()
                ? "that of the schema's name, %d".formatted(schema.hashCode())
                : "0 (canal.mq.database.hash = false)";
        return Reason.of(
                RuleKeys.HASH_RULES,
                rule.span(),
                "each row goes by the hash of %s, which begins with %s".formatted(columns(key), seed));
    }

    private Reason count(Choice choice, OptionalInt answer) {
        CountRule rule = choice.countRule();
        if (!texts.isHashed()) {
            return Reason.of("", "");
        }
        if (rule != null) {
            return Reason.of(RuleKeys.COUNT_RULES, rule.span(), "matches the topic " + choice.topic());
        }
        if (answer.isPresent()) {
            return Reason.of("canal.mq.enableDynamicQueuePartition", "the broker has so many");
        }
        String asked = choice.asksBroker(texts) ? ", unless the broker knows the topic (it was not asked)" : "";
        return texts.partitions().isPresent()
                ? Reason.of("canal.mq.partitionsNum", "no rule is for this topic" + asked)
                : Reason.of("", "no number is configured, so 1" + asked);
    }

    private static Reason messageKey(Choice choice) {
        KeyRule rule = choice.keyRule();
        RowKey key = choice.messageKey();
        if (key == null) {
            return Reason.of("", "none");
        }
        return rule == null
                ? Reason.of(RuleKeys.MESSAGE_KEY, columns(key))
                : Reason.of(RuleKeys.MESSAGE_KEY, rule.span(), columns(key));
    }

    private static String columns(RowKey key) {
        return key.primary() ? "the primary key" : String.join(", ", key.columns());
    }
}
