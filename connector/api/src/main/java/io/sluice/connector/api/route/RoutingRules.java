package io.sluice.connector.api.route;

import io.sluice.format.split.RowKey;
import io.sluice.protocol.pattern.MarkedSyntaxException;
import io.sluice.protocol.pattern.MatchBudget;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The rules by which tables go to topics, and rows to partitions of them: those of canal, and those of Sluice. Read once; immutable.
 *
 * <pre>
 *   dynamicTopic:               [topic:]match             match of schema.table, or of the schema
 *   partitionHash:              match[:column^column]     match of schema.table
 *   dynamicTopicPartitionNum:   match:number              match of the topic
 *   messageKey:                 match:column^column       match of schema.table
 * </pre>
 *
 * <p>The rules of a key are separated by commas or semicolons, and the first that matches counts. A match without signs of
 * expressions is a name.
 */
public final class RoutingRules {
    /** What it costs to try a rule that is a name; expressions are charged besides. */
    private static final int LOOKS_PER_RULE = 2;

    private final RuleTexts texts;
    private final List<TopicRule> topicRules;
    private final List<KeyRule> hashRules;
    private final List<CountRule> countRules;
    private final List<KeyRule> keyRules;
    private final @Nullable RowKey keyOfAll;
    private final List<RuleProblem> problems;
    private final List<RuleProblem> doubts;

    private RoutingRules(RuleTexts texts) {
        RuleReader reader = new RuleReader();
        this.texts = texts;
        this.topicRules = reader.read(RuleKeys.TOPIC_RULES, texts.topicRules(), TopicRule::read);
        this.hashRules = reader.read(RuleKeys.HASH_RULES, texts.hashRules(), KeyRule::read);
        this.countRules = reader.read(RuleKeys.COUNT_RULES, texts.countRules(), CountRule::read);
        String word = texts.keyRules().strip().toLowerCase(Locale.ROOT);
        this.keyOfAll = word.equals("pk") || word.equals(KeyRule.PRIMARY) ? RowKey.PRIMARY : null;
        this.keyRules = keyOfAll != null || word.equals("none")
                ? List.of()
                : reader.read(RuleKeys.MESSAGE_KEY, texts.keyRules(), RoutingRules::keyRule);
        this.problems = reader.problems();
        this.doubts = reader.doubts();
    }

    private static KeyRule keyRule(RuleCutter cutter, RuleSpan span) {
        KeyRule rule = KeyRule.read(cutter, span);
        if (rule.key() == null) {
            throw new MarkedSyntaxException(
                    span.list(), rule.span().to(), "a rule of keys names columns, or $pk$, after a colon");
        }
        return rule;
    }

    /** Reads rules; those that cannot be read are left out, and are among the {@link #problems}. */
    public static RoutingRules read(RuleTexts texts) {
        return new RoutingRules(texts);
    }

    /** All that is wrong; empty if the rules can be used. */
    public List<RuleProblem> problems() {
        return problems;
    }

    /** Rules that can be read, but probably mean something else than intended. */
    public List<RuleProblem> doubts() {
        return doubts;
    }

    /** The text that they were read from. */
    public RuleTexts texts() {
        return texts;
    }

    /** Whether everything goes to one partition of one topic, without keys. */
    public boolean isFixed() {
        return !isDynamic() && !isHashed() && keyOfAll == null && keyRules.isEmpty();
    }

    /** Whether there are rules for topics. */
    public boolean isDynamic() {
        return texts.isDynamic();
    }

    /** Whether there are rules for partitions. */
    public boolean isHashed() {
        return texts.isHashed();
    }

    /** Whether there are rules by which rows go to partitions by the values of columns. */
    public boolean hashesRows() {
        return hashRules.stream().anyMatch(rule -> rule.key() != null);
    }

    /** Whether messages have keys. */
    public boolean hasMessageKeys() {
        return keyOfAll != null || !keyRules.isEmpty();
    }

    /** Whether a rule for partitions or for keys of messages names columns, which need not be those of the primary key. */
    public boolean namesColumns() {
        return Stream.concat(hashRules.stream(), keyRules.stream())
                .map(KeyRule::key)
                .anyMatch(key -> key != null && !key.primary());
    }

    /** The topics whose names do not depend on the table, each with the reason why it is used. */
    public List<NamedTopic> namedTopics() {
        List<NamedTopic> topics = new ArrayList<>();
        topics.add(new NamedTopic(sent(texts.topic()), Reason.of(RuleKeys.TOPIC, "")));
        for (TopicRule rule : topicRules) {
            TopicTemplate topic = rule.topic();
            if (topic != null && topic.isFixed()) {
                topics.add(
                        new NamedTopic(sent(topic.topicOf("", "")), Reason.of(RuleKeys.TOPIC_RULES, rule.span(), "")));
            }
        }
        return topics;
    }

    /**
     * A topic whose name is known before any table is.
     *
     * @param topic the name as the broker gets it
     * @param reason the key and the rule that name it
     */
    public record NamedTopic(String topic, Reason reason) {}

    /** Makes a router that awaits topics that are unavailable. */
    public Router router(TopicPartitions broker) {
        return router(broker, UnavailableTopics.AWAITED);
    }

    /**
     * Makes a router.
     *
     * @param broker asked for numbers of partitions if the rules require it, again at each call
     * @param unavailable what becomes of rows if it has no such topic
     */
    public Router router(TopicPartitions broker, UnavailableTopics unavailable) {
        return new RuleRouter(texts, isFixed(), this::choose, broker, unavailable);
    }

    /** Chooses the rules for a table, without asking the broker. */
    Choice choose(String schema, String table) {
        boolean named = !schema.isEmpty() && !table.isEmpty();
        TopicRule topicRule = null;
        String topic = texts.topic();
        boolean bySchema = false;
        if (named) {
            topicRule = first(topicRules, rule -> rule.matchesTable(schema, table));
            bySchema = topicRule == null;
            topicRule = bySchema ? first(topicRules, rule -> rule.matchesSchema(schema)) : topicRule;
            if (topicRule != null) {
                topic = topicRule.topicOf(schema, table, bySchema ? schema : schema + "." + table);
            }
        }
        String sent = sent(topic);
        KeyRule hashRule = named ? first(hashRules, rule -> rule.matches(schema, table)) : null;
        KeyRule keyRule = named ? first(keyRules, rule -> rule.matches(schema, table)) : null;
        CountRule countRule = first(countRules, rule -> rule.match().matches(sent));
        RowKey messageKey = keyRule != null ? keyRule.key() : named ? keyOfAll : null;
        return new Choice(sent, topicRule, bySchema, hashRule, countRule, messageKey, keyRule);
    }

    private static <R> @Nullable R first(List<R> rules, Predicate<R> wanted) {
        MatchBudget.spend(LOOKS_PER_RULE * (double) rules.size());
        for (R rule : rules) {
            if (wanted.test(rule)) {
                return rule;
            }
        }
        return null;
    }

    private String sent(String topic) {
        return isDynamic() ? topic.replace('.', '_') : topic;
    }

    /** Explains where a table's entries go, and why. */
    public Explanation explain(String schema, String table, TopicPartitions broker) {
        return new Explainer(texts, broker).explain(choose(schema, table), schema, table);
    }
}
