package io.sluice.protocol.pattern;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Decides whether a list of expressions is safe: whether matching ends soon for every name up to a length.
 *
 * <p>A list of unknown origin is accepted if an upper bound of the effort is within {@link MatchBudget#MAX_LOOKS}. That is
 * stricter than necessary: an expression may be rejected that is expensive only in theory. As the bound is computed, and the
 * matcher is Java's, some names are matched as well. An operator's own list is rejected only if ordinary names are too
 * expensive.
 */
public final class PatternJudge {
    /** Some thousand names of tables. */
    public static final int MAX_LENGTH = 65_536;

    private static final int MAX_PARTS = 4_096;
    private static final int MAX_REPETITIONS = 4_096;
    private static final int MAX_SETS = 1_024;
    private static final int MAX_COUNT = 1_000;

    /** Frames of the matcher take some 100 bytes, of a stack of 1 MiB. */
    private static final int MAX_CALLS = 4_000;

    private static final int MAX_IDLE_ROUNDS = 10_000_000;

    private static final List<String> ORDINARY_NAMES = List.of(
            "test.t1",
            "shop.orders",
            "canal_test.order_items",
            "shop_production.customer_orders_2024",
            "db_0012.t_order_detail_00012345678901");

    private final String list;
    private final int nameLength;
    private final NamePatterns patterns;

    private PatternJudge(String list, int nameLength) {
        this.list = list;
        this.nameLength = nameLength;
        this.patterns = NamePatterns.parse(list);
    }

    /**
     * Reads a list.
     *
     * @param nameLength of the longest name
     * @param names that it will have to match, in lower case; as many are tried as there is time for
     * @throws MarkedSyntaxException if one of its expressions cannot be read
     * @throws UnsafePatternException if matching could take too long
     */
    public static NamePatterns accept(String list, int nameLength, List<String> names) {
        if (list.length() > MAX_LENGTH) {
            throw new UnsafePatternException("the list of expressions has %d characters, at most %d are allowed"
                    .formatted(list.length(), MAX_LENGTH));
        }
        // Before they are translated: a set of characters takes a while.
        requireAtMost(MAX_SETS, list.chars().filter(c -> c == '[').count(), "sets of characters in brackets");
        PatternJudge judge = new PatternJudge(list, nameLength);
        judge.requireBoundedSize();
        judge.requireBoundedEffort();
        judge.tryOut(names);
        return judge.patterns;
    }

    /** Whether no name up to a length exceeds {@link MatchBudget#MAX_LOOKS}; false if that is not known. */
    public static boolean isBounded(NamePatterns patterns, int nameLength) {
        return WorkBound.of(patterns.shapes(), nameLength, MatchBudget.MAX_LOOKS) <= MatchBudget.MAX_LOOKS;
    }

    /** An ordinary name that a list is too expensive for; empty if there is none. */
    public static Optional<String> tooExpensiveFor(NamePatterns patterns) {
        // A round that takes no character is not counted by the matcher, which therefore would not end.
        if (patterns.shapes().stream().anyMatch(shape -> IdleRounds.of(shape) > MAX_IDLE_ROUNDS)) {
            return Optional.of(ORDINARY_NAMES.get(0));
        }
        return ORDINARY_NAMES.stream()
                .filter(name -> isTooExpensive(patterns, name))
                .findFirst();
    }

    private static boolean isTooExpensive(NamePatterns patterns, String name) {
        try {
            patterns.matches(name);
            return false;
        } catch (MatchBudget.UsedUpException e) {
            throw e;
        } catch (ExpensivePatternException e) {
            return true;
        }
    }

    private static void requireAtMost(int most, long count, String what) {
        if (count > most) {
            throw new UnsafePatternException(
                    "the list of expressions has %d %s, at most %d are allowed".formatted(count, what, most));
        }
    }

    private void requireBoundedSize() {
        Size size = new Size();
        patterns.shapes().forEach(size::add);
        requireAtMost(MAX_PARTS, patterns.parts().size() + size.alternatives, "alternatives");
        requireAtMost(MAX_REPETITIONS, size.repetitions, "repetitions");
        if (size.count > MAX_COUNT) {
            throw new UnsafePatternException(
                    "a repetition of %d times is not allowed, at most %d times are".formatted(size.count, MAX_COUNT));
        }
    }

    private void requireBoundedEffort() {
        for (int i = 0; i < patterns.shapes().size(); i++) {
            Shape shape = patterns.shapes().get(i);
            if (RecursionBound.of(shape, nameLength) > MAX_CALLS) {
                throw new UnsafePatternException(
                        "the expression %s is rejected: it has too many elements, or repeats groups with too many"
                                        .formatted(shown(patterns.parts().get(i).text()))
                                + "; write it with fewer, or split it at commas");
            }
            if (WorkBound.of(List.of(shape), nameLength, MatchBudget.MAX_LOOKS) > MatchBudget.MAX_LOOKS) {
                throw new UnsafePatternException(
                        ("the expression %s is rejected: the time to match it against a long name could grow without bounds;"
                                        + " write it with fewer repetitions in a row, such as .* and \\w+, or with more text"
                                        + " between them")
                                .formatted(shown(patterns.parts().get(i).text())));
            }
        }
        if (WorkBound.of(patterns.shapes(), nameLength, MatchBudget.MAX_LOOKS) > MatchBudget.MAX_LOOKS) {
            throw new UnsafePatternException(
                    "the time to match the %d expressions together against a long name is too long;"
                                    .formatted(patterns.parts().size())
                            + " write fewer, or with fewer repetitions");
        }
    }

    private void tryOut(List<String> names) {
        List<String> all = new ArrayList<>(trialNames());
        all.addAll(names);
        long looks = 0;
        for (String name : all) {
            try {
                looks += patterns.looks(name, MatchBudget.MAX_LOOKS);
            } catch (ExpensivePatternException e) {
                throw new UnsafePatternException(e.getMessage());
            }
            if (looks > MatchBudget.MAX_LOOKS) {
                return; // the trials have taken as long as one match may
            }
        }
    }

    /** Long names on which repetitions have much to do. */
    private List<String> trialNames() {
        String characters = list.toLowerCase(Locale.ROOT).replaceAll("[\\\\\\[\\](){}*+?|^$,]", "");
        List<String> names = new ArrayList<>();
        for (String unit :
                List.of("a", "_", ".", "1", "a_", "ab1_", "\u4e2d", characters.isEmpty() ? "x" : characters)) {
            String half = unit.repeat(nameLength / unit.length() / 2 + 1);
            String name = half.substring(0, nameLength / 2) + "." + half;
            names.add(name.substring(0, nameLength));
        }
        return names;
    }

    private static String shown(String expression) {
        return expression.length() <= 100 ? expression : expression.substring(0, 100) + "...";
    }

    /** Counts what an expression consists of. */
    private static final class Size {
        private int alternatives;
        private int repetitions;
        private int count;

        private void add(Shape shape) {
            if (shape instanceof Shape.Sequence sequence) {
                sequence.items().forEach(this::add);
            } else if (shape instanceof Shape.Choice choice) {
                alternatives += choice.alternatives().size() - 1;
                choice.alternatives().forEach(this::add);
            } else if (shape instanceof Shape.Repeat repeat) {
                repetitions++;
                count = Math.max(count, Math.max(repeat.min(), repeat.max() == Shape.UNBOUNDED ? 0 : repeat.max()));
                add(repeat.body());
            } else if (shape instanceof Shape.Look look) {
                add(look.body());
            }
        }
    }
}
