package io.sluice.connector.api.route;

/**
 * One rule of {@code canal.mq.dynamicTopicPartitionNum}.
 *
 * @param span the rule
 * @param names the text of the topics that it is for
 * @param match which topics it is for
 * @param count how many partitions they have, at least 1
 */
record CountRule(RuleSpan span, RuleSpan names, NameMatch match, int count) implements Rule {
    /** Reads one, which is not empty. */
    static CountRule read(RuleCutter cutter, RuleSpan rule) {
        int colon = cutter.lastColon(rule);
        if (colon < 0) {
            throw rule.strip().wrong("a rule is topic:number, but there is no colon");
        }
        RuleSpan name = rule.sub(rule.from(), colon).strip();
        if (name.isEmpty()) {
            throw name.wrong("there is no topic before the colon");
        }
        RuleSpan number = rule.sub(colon + 1, rule.to()).strip();
        if (!number.text().matches("0*[1-9]\\d{0,5}")) {
            throw number.wrong("the number of partitions must be a whole number from 1 to 999999");
        }
        return new CountRule(rule.strip(), name, NameMatch.read(name), Integer.parseInt(number.text()));
    }
}
