package io.sluice.connector.api.route;

/**
 * A problem of a rule.
 *
 * @param key the key that it is under, such as {@code canal.mq.dynamicTopic}
 * @param rule the rule as written, without blanks around it
 * @param column where in the key's text the problem is, from 1
 * @param problem the description, the rule, and a mark below the position
 */
public record RuleProblem(String key, String rule, int column, String problem) {}
