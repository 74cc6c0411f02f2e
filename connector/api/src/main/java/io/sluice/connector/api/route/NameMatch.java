package io.sluice.connector.api.route;

import io.sluice.protocol.pattern.MarkedSyntaxException;
import io.sluice.protocol.pattern.NamePatterns;
import io.sluice.protocol.pattern.PatternJudge;
import java.util.Locale;

/** Which names a rule is for. Immutable. */
sealed interface NameMatch {
    /** The signs by which canal knows an expression. A dot is none: {@code shop.orders} is a name. */
    String SIGNS = "*?+|(){}[]\\$^";

    /** The longest names of a schema and a table, and a dot, where a character may be two. */
    int MAX_NAME_LENGTH = 257;

    /** Whether the time to match a long name is bounded for certain. */
    boolean isBounded();

    /** Whether the rule is for a name. */
    boolean matches(String name);

    /** One name, whatever its case. */
    record Name(String name) implements NameMatch {
        @Override
        public boolean matches(String other) {
            return name.equalsIgnoreCase(other);
        }

        @Override
        public boolean isBounded() {
            return true;
        }
    }

    /** The names that an expression matches as a whole, in lower case. */
    record Expression(String text, NamePatterns patterns) implements NameMatch {
        @Override
        public boolean matches(String name) {
            return patterns.matches(name.toLowerCase(Locale.ROOT));
        }

        @Override
        public boolean isBounded() {
            return PatternJudge.isBounded(patterns, MAX_NAME_LENGTH);
        }

        /** Whether it is an expression for tables with their schemas; else it is for schemas. canal distinguishes them by the escaped dot. */
        boolean isOfTables() {
            return text.contains("\\.");
        }
    }

    /**
     * Reads the part of a rule before or after a colon.
     *
     * @throws MarkedSyntaxException if it is an expression that cannot be read, or takes too long for an ordinary name
     */
    static NameMatch read(RuleSpan span) {
        String text = span.text();
        if (text.chars().noneMatch(c -> SIGNS.indexOf(c) >= 0)) {
            return new Name(text);
        }
        if (text.contains("${")) {
            int at = span.from() + text.indexOf("${");
            throw new MarkedSyntaxException(
                    span.list(), at, "${schema} and ${table} have a meaning in a topic's name only");
        }
        NamePatterns patterns;
        try {
            patterns = NamePatterns.parse(text);
        } catch (MarkedSyntaxException e) {
            throw new MarkedSyntaxException(span.list(), span.from() + e.index(), e.what());
        }
        PatternJudge.tooExpensiveFor(patterns).ifPresent(name -> {
            throw span.wrong(
                    ("this takes too long to match against a name such as %s: the time for many repetitions, as in .*.*.* or"
                                    + " (a+)+, grows without bounds; write it with fewer")
                            .formatted(name));
        });
        return new Expression(text, patterns);
    }
}
