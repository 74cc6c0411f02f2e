package io.sluice.protocol.pattern;

/** The rounds that the matcher makes without taking a character, as of a repetition of what may be empty: it looks at no character in them. */
final class IdleRounds {
    private IdleRounds() {}

    /** How many rounds of a repetition the matcher makes at most without taking a character. */
    static double of(Shape shape) {
        if (shape instanceof Shape.Sequence sequence) {
            return sequence.items().stream().mapToDouble(IdleRounds::of).max().orElse(1);
        } else if (shape instanceof Shape.Choice choice) {
            return choice.alternatives().stream()
                    .mapToDouble(IdleRounds::of)
                    .max()
                    .orElse(1);
        } else if (shape instanceof Shape.Look look) {
            return of(look.body());
        } else if (shape instanceof Shape.Repeat repeat) {
            return of(repeat.body()) * (repeat.body().minLength() == 0 ? Math.max(1, repeat.min()) : 1);
        }
        return 1;
    }
}
