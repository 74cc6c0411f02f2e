package io.sluice.connector.api.route;

import io.sluice.protocol.pattern.MarkedSyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;

/** Reads the rules of a key, and collects problems of them, and doubts where they probably mean something else than intended. */
final class RuleReader {
    private final List<RuleProblem> problems = new ArrayList<>();
    private final List<RuleProblem> doubts = new ArrayList<>();

    /**
     * Reads all rules of a text; those that cannot be read are left out and reported.
     *
     * @param key whose text it is
     * @param text blank for none
     */
    <R extends Rule> List<R> read(String key, String text, BiFunction<RuleCutter, RuleSpan, R> reader) {
        RuleCutter cutter = new RuleCutter(text);
        List<R> rules = new ArrayList<>();
        List<RuleDoubts.Read> all = new ArrayList<>();
        for (RuleSpan rule : cutter.rules()) {
            try {
                R read = reader.apply(cutter, rule);
                rules.add(read);
                all.add(new RuleDoubts.Read(rule.strip(), read));
                doubt(key, cutter, rule, read);
            } catch (MarkedSyntaxException e) {
                problem(key, rule, e);
            }
        }
        for (RuleDoubts.Doubt unreached : RuleDoubts.ofUnreached(all)) {
            doubt(key, unreached.span(), 0, unreached.what());
        }
        return List.copyOf(rules);
    }

    /** Reports something about a rule. */
    void problem(String key, RuleSpan rule, MarkedSyntaxException e) {
        problems.add(problemOf(key, rule, e));
    }

    private void doubt(String key, RuleCutter cutter, RuleSpan rule, Rule read) {
        String text = rule.text();
        if (hasBlanksForCanal(key, cutter, rule)) {
            doubt(key, rule, 0, "canal does not strip the blanks, so this rule has no effect there");
        }
        if (read instanceof KeyRule named && named.isNameWithoutSchema()) {
            doubt(key, rule, 0, "no table has this name: a table is named with its schema, as schema.table");
        }
        if (cutter.hasUncutComma(rule)) {
            doubt(
                    key,
                    rule,
                    0,
                    "a comma in brackets is a sign like others, and separates nothing; alternatives have |");
        }
        RuleDoubts.Doubt ofMatch = RuleDoubts.ofMatch(read.names(), read);
        if (ofMatch != null) {
            doubt(key, rule, ofMatch.span().from() - rule.from(), ofMatch.what());
        }
        if (!read.match().isBounded()) {
            doubt(
                    key,
                    rule,
                    0,
                    "the time to match it against a long name may grow without bounds, and the instance stops if it does: write"
                            + " it with fewer repetitions in a row, such as .* and \\w+, or with more text between them");
        }
        if (text.contains("\\\\")) {
            int at = text.indexOf("\\\\");
            doubt(key, rule, at, "this backslash is literal: one is enough here, two are for properties files");
        }
        if (text.toLowerCase(Locale.ROOT).contains("$null$")) {
            doubt(
                    key,
                    rule,
                    text.indexOf('$'),
                    "there is no such keyword: it is read as the name of a column, which no table has");
        }
    }

    /** canal strips blanks from topics with their tables, and from nothing else. */
    private static boolean hasBlanksForCanal(String key, RuleCutter cutter, RuleSpan rule) {
        if (key.equals(RoutingRules.TOPIC_RULES)) {
            RuleSpan bare = rule.strip();
            return cutter.firstColon(rule) < 0 && !bare.equals(rule);
        }
        return !key.equals(RoutingRules.MESSAGE_KEY) && rule.text().matches("(?s)\\s.*|.*\\s|.*\\s[:^].*|.*[:^]\\s.*");
    }

    private void doubt(String key, RuleSpan rule, int offset, String what) {
        doubts.add(problemOf(key, rule, new MarkedSyntaxException(rule.list(), rule.from() + offset, what)));
    }

    private static RuleProblem problemOf(String key, RuleSpan rule, MarkedSyntaxException e) {
        String text = rule.strip().text();
        MarkedSyntaxException named =
                new MarkedSyntaxException(rule.list(), e.index(), e.what() + ", in the rule " + text);
        return new RuleProblem(key, text, e.index() + 1, named.getMessage());
    }

    List<RuleProblem> problems() {
        return List.copyOf(problems);
    }

    List<RuleProblem> doubts() {
        return List.copyOf(doubts);
    }
}
