package io.sluice.connector.api.route;

/**
 * Something that is wrong with a rule.
 *
 * @param key the key that it is under, such as {@code canal.mq.dynamicTopic}
 * @param rule the rule as written, without blanks around it
 * @param column where in the key's text something is wrong, from 1
 * @param problem what is wrong, which rule it is, and a mark below the place
 */
public record RuleProblem(String key, String rule, int column, String problem) {}
