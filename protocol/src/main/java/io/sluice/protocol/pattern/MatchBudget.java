package io.sluice.protocol.pattern;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Limits the work that one thread spends on expressions, for all of them together, reading, judging and matching, and on the lists that
 * they are in.
 *
 * <p>A single match is limited by {@link #MAX_LOOKS}. That is not enough for a request with texts of a configuration, which may
 * have thousands of rules and ask for thousands of names. Within a budget, everything that this package does on the thread is charged to it,
 * and what others {@link #spend} on texts; what exceeds it ends with an {@link ExpensivePatternException}. Equal texts are read {@link
 * #once} within it.
 */
public final class MatchBudget {
    /**
     * How often a match may look at a character of the name: about a tenth of a second. Thousands of plain expressions in one
     * list need a hundredth of it.
     */
    static final int MAX_LOOKS = 20_000_000;

    /** About a second, of compiled code. Thousands of plain rules and a thousand names need less. */
    private static final long LOOKS = 10L * MAX_LOOKS;

    private static final ThreadLocal<MatchBudget> CURRENT = new ThreadLocal<>();

    private double left = LOOKS;
    private boolean isCharged = true;

    /** By text: what was read within this budget, or why it cannot be read. Keys of a map are comparable, so that equal hash codes do no harm. */
    private final Map<Kind, Map<String, Object>> known = new HashMap<>();

    private MatchBudget() {}

    /** Of what kind something is that was read. */
    private record Kind(Class<?> type, String name) {}

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
        return current == null || !current.isCharged ? Double.POSITIVE_INFINITY : current.left;
    }

    /**
     * Reads a text, or returns what was read of an equal text before, if that was within the current budget: a configuration has many
     * instances of equal texts.
     *
     * @param type of what is read, which is immutable
     * @param kind distinguishes what has the same type, and is read otherwise
     * @param text what it is read from
     * @throws MarkedSyntaxException if that is thrown by the reading, now or before
     */
    public static <T> T once(Class<T> type, String kind, String text, Supplier<T> reading) {
        MatchBudget current = CURRENT.get();
        if (current == null) {
            return reading.get();
        }
        Map<String, Object> all = current.known.computeIfAbsent(new Kind(type, kind), name -> new HashMap<>());
        Object known = all.get(text);
        if (known instanceof MarkedSyntaxException e) {
            throw e;
        }
        if (known != null) {
            return type.cast(known);
        }
        try {
            T read = reading.get();
            all.put(text, read);
            return read;
        } catch (MarkedSyntaxException e) {
            all.put(text, e);
            throw e;
        }
    }

    /** Does something without charging the current budget, such as reading texts that a caller has not sent. */
    public static void uncharged(Runnable work) {
        MatchBudget current = CURRENT.get();
        if (current == null || !current.isCharged) {
            work.run();
            return;
        }
        current.isCharged = false;
        try {
            work.run();
        } finally {
            current.isCharged = true;
        }
    }

    /**
     * Charges work; does nothing without a budget.
     *
     * @param looks how often it may look at a character in the time that the work takes, which is about 5 ns each
     * @throws ExpensivePatternException if that is more than is left
     */
    public static void spend(double looks) {
        MatchBudget current = CURRENT.get();
        if (current == null || !current.isCharged) {
            return;
        }
        current.left -= looks;
        if (current.left < 0) {
            current.left = 0;
            throw new UsedUpException(null);
        }
    }
}
