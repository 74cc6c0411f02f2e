package io.sluice.connector.api.route;

import io.sluice.protocol.pattern.MarkedSyntaxException;
import io.sluice.protocol.pattern.MatchBudget;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;

/** Reads the rules of a key, and collects problems of them, and doubts where they probably mean something else than intended. */
final class RuleReader {
    /** Far more than a configuration has, and few enough that a text which is nothing but commas does no harm. */
    static final int MAX_RULES = 100_000;

    /** The problems, and the doubts, of one key: more are of no use, and each quotes a part of the text. */
    private static final int MAX_REPORTED = 100;

    /** What reading a rule costs, besides its expression; with its memory, so that a text which was sent has not too many. */
    private static final int LOOKS_TO_READ = 1_000;

    /** What a rule costs that was read before, for another instance: it is asked for its topic. */
    private static final int LOOKS_IF_KNOWN = 100;

    /** A problem, or a doubt, that is reported. */
    private static final int LOOKS_TO_REPORT = 1_000;

    /** For each there may be a column. */
    private static final int LOOKS_PER_CHARACTER = 20;

    private final List<RuleProblem> problems = new ArrayList<>();
    private final List<RuleProblem> doubts = new ArrayList<>();
    private int problemsLeft;
    private int doubtsLeft;

    /** What was read of a text. */
    private record ReadRules(List<? extends Rule> rules, List<RuleProblem> problems, List<RuleProblem> doubts) {}

    /**
     * Reads all rules of a text; those that cannot be read are left out and reported, up to a hundred. Too many rules are a problem, and
     * none of them is read. Within a {@link MatchBudget}, equal texts of a key are read once.
     *
     * @param key whose text it is
     * @param text blank for none
     * @param reader the one of the key
     */
    @SuppressWarnings("unchecked") // a key has one reader
    <R extends Rule> List<R> read(String key, String text, BiFunction<RuleCutter, RuleSpan, R> reader) {
        ReadRules read = MatchBudget.once(ReadRules.class, key, text, () -> {
            RuleReader own = new RuleReader();
            List<R> rules = own.readAll(key, text, reader);
            return new ReadRules(rules, own.problems(), own.doubts());
        });
        int reported = read.problems.size() + read.doubts.size();
        MatchBudget.spend(LOOKS_IF_KNOWN * (double) read.rules.size() + LOOKS_TO_REPORT * (double) reported);
        problems.addAll(read.problems);
        doubts.addAll(read.doubts);
        return (List<R>) read.rules;
    }

    private <R extends Rule> List<R> readAll(String key, String text, BiFunction<RuleCutter, RuleSpan, R> reader) {
        RuleCutter cutter = new RuleCutter(text);
        List<R> rules = new ArrayList<>();
        List<RuleDoubts.Read> all = new ArrayList<>();
        problemsLeft = MAX_REPORTED;
        doubtsLeft = MAX_REPORTED;
        List<RuleSpan> spans = cutter.rules(MAX_RULES + 1);
        if (spans.size() > MAX_RULES) {
            RuleSpan last = spans.get(MAX_RULES);
            problem(key, last, last.wrong("more than %d rules are not read".formatted(MAX_RULES)));
            return List.of();
        }
        for (RuleSpan rule : spans) {
            MatchBudget.spend(LOOKS_TO_READ + LOOKS_PER_CHARACTER * (double) rule.length());
            try {
                R read = reader.apply(cutter, rule);
                rules.add(read);
                all.add(new RuleDoubts.Read(rule.strip(), read));
                doubt(key, cutter, rule, read);
            } catch (MarkedSyntaxException e) {
                problem(key, rule, e);
            }
        }
        for (RuleDoubts.Doubt unreached : RuleDoubts.ofUnreached(all, doubtsLeft)) {
            doubt(key, unreached.span(), 0, unreached.what());
        }
        return List.copyOf(rules);
    }

    private void problem(String key, RuleSpan rule, MarkedSyntaxException e) {
        if (problemsLeft-- > 0) {
            problems.add(problemOf(key, rule, e));
        }
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
        if (key.equals(RuleKeys.TOPIC_RULES)) {
            RuleSpan bare = rule.strip();
            return cutter.firstColon(rule) < 0 && !bare.equals(rule);
        }
        return !key.equals(RuleKeys.MESSAGE_KEY) && rule.text().matches("(?s)\\s.*|.*\\s|.*\\s[:^].*|.*[:^]\\s.*");
    }

    private void doubt(String key, RuleSpan rule, int offset, String what) {
        if (doubtsLeft-- > 0) {
            doubts.add(problemOf(key, rule, new MarkedSyntaxException(rule.list(), rule.from() + offset, what)));
        }
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
