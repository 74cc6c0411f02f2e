package io.sluice.protocol.pattern;

/** Computes how deep the matcher's calls nest in the worst case: each element that has matched stays on the stack. */
final class RecursionBound {
    /** The repetition of a group has calls of its own in each round. */
    private static final int CALLS_PER_ROUND = 5;

    private RecursionBound() {}

    /** The number of nested calls at most, for names up to a length. */
    static double of(Shape shape, int length) {
        if (shape instanceof Shape.Sequence sequence) {
            return 1
                    + sequence.items().stream()
                            .mapToDouble(item -> of(item, length))
                            .sum();
        } else if (shape instanceof Shape.Choice choice) {
            return 3
                    + choice.alternatives().stream()
                            .mapToDouble(alternative -> of(alternative, length))
                            .max()
                            .orElse(0);
        } else if (shape instanceof Shape.Look look) {
            return 2 + of(look.body(), length);
        } else if (shape instanceof Shape.Repeat repeat) {
            return afterRepeat(repeat, length);
        }
        return 2;
    }

    private static double afterRepeat(Shape.Repeat repeat, int length) {
        Shape body = repeat.body();
        if (body.isSingle() && !(body instanceof Shape.OneOf one && one.alternatives() > 1)) {
            return 3;
        }
        double rounds = Math.min(repeat.max(), length / Math.max(1.0, body.minLength()) + 1);
        return 2 + rounds * (CALLS_PER_ROUND + of(body, length));
    }
}
