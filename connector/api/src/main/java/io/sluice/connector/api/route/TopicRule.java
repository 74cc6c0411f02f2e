package io.sluice.connector.api.route;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One rule of {@code canal.mq.dynamicTopic}.
 *
 * @param span the rule
 * @param topic the part before the colon; null if there is none, so that the name that matched is the topic's
 * @param names the text of what it is for
 * @param match what it is for
 */
record TopicRule(RuleSpan span, @Nullable TopicTemplate topic, RuleSpan names, NameMatch match) implements Rule {
    /** Reads one, which is not empty. */
    static TopicRule read(RuleCutter cutter, RuleSpan rule) {
        int colon = cutter.firstColon(rule);
        RuleSpan name = rule.sub(colon < 0 ? rule.from() : colon + 1, rule.to()).strip();
        TopicTemplate topic = colon < 0
                ? null
                : TopicTemplate.read(rule.sub(rule.from(), colon).strip());
        if (name.isEmpty()) {
            throw name.wrong("there is no table after the colon");
        }
        return new TopicRule(rule.strip(), topic, name, NameMatch.read(name));
    }

    /** Whether it is for a table as such. */
    boolean matchesTable(String schema, String table) {
        boolean applies = !(match instanceof NameMatch.Expression expression) || expression.isOfTables();
        return applies && match.matches(schema + "." + table);
    }

    /** Whether it is for all tables of a schema. */
    boolean matchesSchema(String schema) {
        boolean applies = !(match instanceof NameMatch.Expression expression) || !expression.isOfTables();
        return applies && match.matches(schema);
    }

    /**
     * The topic of a table that it is for.
     *
     * @param matched the name that matched: of the table with its schema, or of the schema
     */
    String topicOf(String schema, String table, String matched) {
        return topic == null ? matched.toLowerCase(Locale.ROOT) : topic.topicOf(schema, table);
    }
}
