package io.sluice.connector.api.route;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds rules that can match nothing, or that are never reached. */
final class RuleDoubts {
    /** How many pairs of rules are compared at most: there may be thousands of each. */
    private static final int MAX_PAIRS = 200_000;

    /** What matches all tables, and all schemas. */
    private static final List<String> EVERYTHING = List.of(".*", ".*\\..*", ".+", ".+\\..+", ".*\\..+", ".+\\..*");

    private RuleDoubts() {}

    /**
     * A doubt.
     *
     * @param span where it is
     */
    record Doubt(RuleSpan span, String what) {}

    /**
     * A rule that was read.
     *
     * @param span the rule
     */
    record Read(RuleSpan span, Rule rule) {}

    /** Why the names that a rule is for cannot be, or are probably not meant; null if there is no reason. */
    static @Nullable Doubt ofMatch(RuleSpan match, Rule rule) {
        String text = match.text();
        boolean isExpression = rule.match() instanceof NameMatch.Expression;
        int before = -1; // the sign before, -1 at a beginning
        int at = 0;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '\\') {
                before = c;
                at += 2;
                continue;
            }
            if (text.startsWith("(?", at)) { // and a sign that says of which kind the parentheses are
                before = '(';
                at += 3;
                continue;
            }
            int next = at + 1 < text.length() ? text.charAt(at + 1) : -1;
            if (c == '$' && isExpression && next >= 0 && "|)$".indexOf(next) < 0) {
                return doubt(
                        match,
                        at,
                        "$ is the end of a name here, and more follows, so it matches nothing: the sign itself is \\$");
            }
            if (c == '^' && before >= 0 && "|(^".indexOf(before) < 0) {
                return doubt(
                        match,
                        at,
                        "^ is the beginning of a name here, and more is before it, so it matches nothing: the sign itself is \\^");
            }
            if (c == ':' && !(rule instanceof CountRule) || c == '/' && rule instanceof TopicRule) {
                return doubt(
                        match,
                        at,
                        (rule instanceof TopicRule
                                                ? "a topic ends at the first colon, and %s is in what is matched"
                                                : "columns begin after the last colon, and %s is in what is matched")
                                        .formatted(c)
                                + ": if tables have it in their names, write \\" + c);
            }
            if (c == '.'
                    && rule instanceof TopicRule
                    && rule.match() instanceof NameMatch.Expression expression
                    && !expression.isOfTables()
                    && next >= 0
                    && "*+?{|)$".indexOf(next) < 0
                    && at > 0) {
                return doubt(match, at, "without an escaped dot it is for schemas only: for tables the dot is \\.");
            }
            before = c;
            at = c == '[' ? afterBracket(text, at) : at + 1;
        }
        return null;
    }

    private static Doubt doubt(RuleSpan match, int at, String what) {
        return new Doubt(match.sub(match.from() + at, match.to()), what);
    }

    /** Past a set of characters, which is closed: the expression was read. */
    private static int afterBracket(String text, int start) {
        int at = start + 1;
        if (at < text.length() && text.charAt(at) == '^') {
            at++;
        }
        for (at++; at < text.length(); at++) { // the first one may be a bracket
            char c = text.charAt(at);
            if (c == '\\') {
                at++;
            } else if (c == ']') {
                return at + 1;
            }
        }
        return text.length();
    }

    /** The first rules all of whose names an earlier one takes. */
    static List<Doubt> ofUnreached(List<Read> rules, int most) {
        List<Doubt> doubts = new ArrayList<>();
        int pairs = 0;
        for (int i = 1; i < rules.size() && doubts.size() < most; i++) {
            for (int earlier = 0; earlier < i; earlier++) {
                if (++pairs > MAX_PAIRS) {
                    return doubts;
                }
                if (takes(rules.get(earlier).rule(), rules.get(i).rule())) {
                    doubts.add(new Doubt(
                            rules.get(i).span(),
                            "it is never used, since all that it is for goes by the earlier rule "
                                    + rules.get(earlier).span().text()));
                    break;
                }
            }
        }
        return doubts;
    }

    private static boolean takes(Rule earlier, Rule later) {
        if (earlier instanceof TopicRule first && later instanceof TopicRule second) {
            return takesTopics(first, second);
        }
        return later.match() instanceof NameMatch.Name name
                ? matches(earlier.match(), name.name())
                : isSame(earlier.match(), later.match()) || isEverything(earlier.match());
    }

    /** All rules are tried on the table first, then all on the schema. */
    private static boolean takesTopics(TopicRule earlier, TopicRule later) {
        boolean takesTables = isOfTables(earlier.match());
        return later.match() instanceof NameMatch.Name name
                ? isOfTables(name) == takesTables && matches(earlier.match(), name.name())
                : isSame(earlier.match(), later.match())
                        || isEverything(earlier.match()) && (takesTables || !isOfTables(later.match()));
    }

    private static boolean isOfTables(NameMatch match) {
        return match instanceof NameMatch.Name name
                ? name.name().indexOf('.') >= 0
                : match instanceof NameMatch.Expression expression && expression.isOfTables();
    }

    private static boolean matches(NameMatch earlier, String name) {
        return earlier.isBounded() && earlier.matches(name);
    }

    private static boolean isSame(NameMatch earlier, NameMatch later) {
        return earlier instanceof NameMatch.Expression one
                && later instanceof NameMatch.Expression other
                && one.text().equalsIgnoreCase(other.text());
    }

    private static boolean isEverything(NameMatch match) {
        return match instanceof NameMatch.Expression expression && EVERYTHING.contains(expression.text());
    }
}
