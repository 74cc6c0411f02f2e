package io.sluice.connector.api.route;

/**
 * Why something is so.
 *
 * @param key the key that is the reason; empty if none is
 * @param rule the rule in it, without blanks around it; empty if the key has no rules or none is for the table
 * @param column where the rule is in the key's text, from 1; 0 if there is none
 * @param sentence the explanation
 */
public record Reason(String key, String rule, int column, String sentence) {
    static Reason of(String key, RuleSpan span, String sentence) {
        return new Reason(key, span.text(), span.column(), sentence);
    }

    static Reason of(String key, String sentence) {
        return new Reason(key, "", 0, sentence);
    }
}
