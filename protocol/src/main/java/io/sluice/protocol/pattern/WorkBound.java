package io.sluice.protocol.pattern;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Computes how many characters a match looks at in the worst case, over all names up to a length.
 *
 * <p>The matcher backtracks: its work is the number of ways in which a part of the expression matches a part of the name. Here
 * every set is taken to match every character, and a literal text every position that it does not overlap itself at. What that
 * gives is never less than the work for a real name, and may be much more. Two things keep it close for expressions in use:
 * after a run of a set, a literal that is not in the set ends the run at one position only; and a {@code .*} at the end of an
 * expression matches at the first try.
 *
 * <p>For one computation by one thread.
 */
final class WorkBound {
    /** A character beyond the basic plane is two, and each of them is looked at. */
    private static final int LOOKS_PER_SET = 2;

    /** What a step of the computation costs for each position of the name, for {@link MatchBudget}. */
    private static final int LOOKS_PER_POSITION = 8;

    /** What the computation itself may take: some 50 ms. */
    private static final int MAX_STEPS = 50_000;

    private final int length;
    private final double limit;
    private double looks;
    private int steps;

    private WorkBound(int length, double limit) {
        this.length = length;
        this.limit = limit;
    }

    /** The limit was exceeded, or the computation takes too long. */
    private static final class ExceededException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        ExceededException() {
            super(null, null, false, false);
        }
    }

    /**
     * How many ways of matching reach a position.
     *
     * @param at for each position an upper bound of those that reach it
     * @param upTo for each position an upper bound of those that reach it or one before it
     * @param run what was repeated just before; null if that is not known
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Arrivals(
            double[] at, double[] upTo, @Nullable Run run) {
        double total() {
            return upTo[upTo.length - 1];
        }
    }

    /**
     * A run of single characters that may end anywhere.
     *
     * @param single what each of them is
     * @param startsUpTo as {@link Arrivals#upTo}, of where the run begins
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Run(Shape single, double[] startsUpTo) {}

    /**
     * The worst case for a list of expressions of which the first that matches is taken.
     *
     * @param length of the longest name
     * @param limit what is more is {@link Double#POSITIVE_INFINITY}
     */
    static double of(List<Shape> parts, int length, double limit) {
        WorkBound bound = new WorkBound(length, limit);
        try {
            for (Shape part : parts) {
                List<Shape> alternatives = part instanceof Shape.Choice choice ? choice.alternatives() : List.of(part);
                for (Shape alternative : alternatives) {
                    bound.whole(alternative);
                }
            }
            return bound.looks;
        } catch (ExceededException e) {
            return Double.POSITIVE_INFINITY;
        } finally {
            MatchBudget.spend((double) LOOKS_PER_POSITION * bound.steps * length);
        }
    }

    private void whole(Shape shape) {
        List<Shape> items = new ArrayList<>(shape instanceof Shape.Sequence all ? all.items() : List.of(shape));
        while (!items.isEmpty() && items.get(items.size() - 1) instanceof Shape.Place place && place.atEnd()) {
            items.remove(items.size() - 1);
            spend(place.looks());
        }
        boolean takesRest = !items.isEmpty()
                && items.get(items.size() - 1) instanceof Shape.Repeat last
                && last.max() == Shape.UNBOUNDED
                && last.min() <= 1
                && last.body() instanceof Shape.OneOf one
                && one.set().equals(Shape.OneOf.ANY);
        if (takesRest) {
            items.remove(items.size() - 1);
        }
        Arrivals arrivals = start();
        for (Shape item : items) {
            arrivals = after(item, arrivals);
        }
        spend(LOOKS_PER_SET * arrivals.total());
        if (takesRest) {
            spend(LOOKS_PER_SET * (length + 1.0));
        }
    }

    private Arrivals start() {
        double[] at = new double[length + 1];
        double[] upTo = new double[length + 1];
        at[0] = 1;
        Arrays.fill(upTo, 1);
        return new Arrivals(at, upTo, null);
    }

    private void spend(double more) {
        looks += more;
        if (looks > limit) {
            throw new ExceededException();
        }
    }

    private Arrivals after(Shape shape, Arrivals before) {
        steps++;
        if (steps > MAX_STEPS) {
            throw new ExceededException();
        }
        if (shape instanceof Shape.Text text) {
            return afterText(text, before);
        } else if (shape instanceof Shape.OneOf one) {
            spend((double) LOOKS_PER_SET * one.alternatives() * before.total());
            return shifted(before, 1, startsOf(before.run(), shape));
        } else if (shape instanceof Shape.Sequence sequence) {
            Arrivals arrivals = before;
            for (Shape item : sequence.items()) {
                arrivals = after(item, arrivals);
            }
            return arrivals;
        } else if (shape instanceof Shape.Choice choice) {
            return afterChoice(choice, before);
        } else if (shape instanceof Shape.Repeat repeat) {
            return afterRepeat(repeat, before);
        } else if (shape instanceof Shape.Look look) {
            spend(before.total() * fromOneStart(look.body()) * (look.behind() ? length + 1.0 : 1.0));
            return before;
        } else if (shape instanceof Shape.Place place) {
            spend(before.total() * place.looks());
            return before;
        }
        spend(before.total() * LOOKS_PER_SET * (length + 1.0)); // a reference to a group: one text, of any length
        return new Arrivals(before.upTo(), before.upTo(), null);
    }

    /** What a shape looks at from one position. */
    private double fromOneStart(Shape shape) {
        double outer = looks;
        looks = 0;
        after(shape, start());
        double inner = looks;
        looks = outer;
        return inner;
    }

    private Arrivals afterText(Shape.Text shape, Arrivals before) {
        String text = shape.text();
        spend((Math.min(text.length(), length) + 1.0) * before.total());
        if (text.length() > length) {
            return new Arrivals(new double[length + 1], new double[length + 1], null);
        }
        int period = periodOf(text);
        double[] apart = new double[length + 1]; // the most that positions hold which are a period apart
        for (int i = 0; i <= length; i++) {
            double chosen = before.at()[i] + (i >= period ? apart[i - period] : 0);
            apart[i] = Math.max(i > 0 ? apart[i - 1] : 0, chosen);
        }
        double[] starts = startsOf(before.run(), shape);
        for (int i = 0; starts != null && i <= length; i++) {
            apart[i] = Math.min(apart[i], starts[i]);
        }
        return shifted(before, text.length(), apart);
    }

    /** The distance at which a text may overlap itself. */
    private static int periodOf(String text) {
        int period = 1;
        while (!text.startsWith(text.substring(period))) {
            period++;
        }
        return period;
    }

    /** Where the runs began of which each ends at one position at most if this follows; null if that is not so. */
    private static double @Nullable [] startsOf(@Nullable Run run, Shape next) {
        return run != null && exclude(run.single(), next) ? run.startsUpTo() : null;
    }

    /** Whether two shapes never begin with the same character; one of them must be literal to tell. */
    private static boolean exclude(Shape one, Shape other) {
        if (one instanceof Shape.Text text && other instanceof Shape.OneOf set) {
            return !set.contains(text.text().codePointAt(0));
        } else if (one instanceof Shape.OneOf && other instanceof Shape.Text) {
            return exclude(other, one);
        }
        return one instanceof Shape.Text text
                && other instanceof Shape.Text next
                && text.text().codePointAt(0) != next.text().codePointAt(0);
    }

    /**
     * What arrives some characters later.
     *
     * @param most for each position how many at most continue from it or one before it; null for all that arrive
     */
    private Arrivals shifted(Arrivals before, int by, double @Nullable [] most) {
        double[] at = new double[length + 1];
        double[] upTo = new double[length + 1];
        for (int i = 0; i + by <= length; i++) {
            double sum = before.upTo()[i];
            upTo[i + by] = most == null ? sum : Math.min(sum, most[i]);
            at[i + by] = Math.min(before.at()[i], upTo[i + by]);
        }
        return new Arrivals(at, upTo, null);
    }

    private Arrivals afterChoice(Shape.Choice choice, Arrivals before) {
        Arrivals sum = null;
        for (Shape alternative : choice.alternatives()) {
            Arrivals one = after(alternative, before);
            sum = sum == null ? one : sum(sum, one);
        }
        if (sum == null) {
            return before;
        }
        boolean oneOnly = choice.alternatives().stream().allMatch(WorkBound::isFixed)
                && ShapeBuilder.excludeEachOther(choice.alternatives());
        if (!oneOnly) {
            return sum;
        }
        int shortest = choice.minLength();
        for (int i = 0; i <= length; i++) {
            sum.upTo()[i] = i < shortest ? 0 : Math.min(sum.upTo()[i], before.upTo()[i - shortest]);
            sum.at()[i] = Math.min(sum.at()[i], sum.upTo()[i]);
        }
        return sum;
    }

    /** Whether it matches in one way at most from any position. */
    private static boolean isFixed(Shape shape) {
        return shape instanceof Shape.Text
                || shape instanceof Shape.OneOf
                || shape instanceof Shape.Place
                || shape instanceof Shape.Sequence sequence
                        && sequence.items().stream().allMatch(WorkBound::isFixed);
    }

    private Arrivals sum(Arrivals one, Arrivals other) {
        double[] at = new double[length + 1];
        double[] upTo = new double[length + 1];
        for (int i = 0; i <= length; i++) {
            at[i] = one.at()[i] + other.at()[i];
            upTo[i] = one.upTo()[i] + other.upTo()[i];
        }
        return new Arrivals(at, upTo, null);
    }

    private Arrivals afterRepeat(Shape.Repeat repeat, Arrivals before) {
        Arrivals arrivals = before;
        for (int i = 0; i < repeat.min() && arrivals.total() > 0; i++) {
            arrivals = after(repeat.body(), arrivals);
        }
        int more = Math.min(repeat.max() - repeat.min(), length + 1); // each of them takes a character
        if (more == 0 || arrivals.total() == 0) {
            return arrivals;
        }
        if (repeat.body().isSingle()) {
            return afterRun(repeat.body(), more, arrivals);
        }
        Arrivals all = arrivals;
        for (int i = 0; i < more && arrivals.total() > 0; i++) {
            arrivals = after(repeat.body(), arrivals);
            all = sum(all, arrivals);
        }
        return all;
    }

    /** A run of up to so many single characters. */
    private Arrivals afterRun(Shape single, int most, Arrivals before) {
        double characters = 0;
        double window = 0;
        double[] at = new double[length + 1];
        double[] upTo = new double[length + 1];
        for (int i = 0; i <= length; i++) {
            characters += before.upTo()[i];
            window += before.at()[i] - (i > most ? before.at()[i - most - 1] : 0);
            at[i] = Math.min(before.upTo()[i], Math.max(window, 0));
            upTo[i] = at[i] + (i > 0 ? upTo[i - 1] : 0);
        }
        int alternatives = single instanceof Shape.OneOf one ? one.alternatives() : 1;
        spend(LOOKS_PER_SET * alternatives * (before.total() + Math.min(characters, before.total() * most)));
        return new Arrivals(at, upTo, new Run(single, before.upTo()));
    }
}
