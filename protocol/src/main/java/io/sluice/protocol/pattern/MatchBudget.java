package io.sluice.protocol.pattern;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Limits the work that one thread spends on expressions, for all of them together, reading, judging and matching, and on the lists that
 * they are in.
 *
 * <p>A single match is limited by {@link NamePatterns#MAX_LOOKS}. That is not enough for a request with texts of a configuration, which may
 * have thousands of rules and ask for thousands of names. Within a budget, everything that this package does on the thread is charged to it,
 * and what others {@link #spend} on texts; what exceeds it ends with an {@link ExpensivePatternException}.
 */
public final class MatchBudget {
    /** About a second, of compiled code. Thousands of plain rules and a thousand names need less. */
    private static final long LOOKS = 10L * NamePatterns.MAX_LOOKS;

    private static final ThreadLocal<MatchBudget> CURRENT = new ThreadLocal<>();

    private double left = LOOKS;

    private MatchBudget() {}

    /** The budget of the thread is used up. */
    static final class UsedUpException extends ExpensivePatternException {
        private static final long serialVersionUID = 1L;

        UsedUpException(@Nullable Throwable cause) {
            super(
                    "it takes too long to match all expressions of these texts against all names: send fewer of them, let placeholders"
                            + " stand for less, or write the expressions with fewer repetitions, such as .* and \\w+",
                    cause);
        }
    }

    /**
     * Does something within a budget of its own.
     *
     * @throws ExpensivePatternException if it takes more
     */
    public static <T> T within(Supplier<T> work) {
        MatchBudget outer = CURRENT.get();
        CURRENT.set(new MatchBudget());
        try {
            return work.get();
        } finally {
            if (outer == null) {
                CURRENT.remove();
            } else {
                CURRENT.set(outer);
            }
        }
    }

    /** What is left, in looks at a character; infinite without a budget. */
    static double left() {
        MatchBudget current = CURRENT.get();
        return current == null ? Double.POSITIVE_INFINITY : current.left;
    }

    /**
     * Charges work; does nothing without a budget.
     *
     * @param looks how often it may look at a character in the time that the work takes, which is about 5 ns each
     * @throws ExpensivePatternException if that is more than is left
     */
    public static void spend(double looks) {
        MatchBudget current = CURRENT.get();
        if (current == null) {
            return;
        }
        current.left -= looks;
        if (current.left < 0) {
            current.left = 0;
            throw new UsedUpException(null);
        }
    }
}
