package io.sluice.protocol.pattern;

import java.util.List;
import java.util.regex.Pattern;

/** The structure of an expression, as far as the effort of matching depends on it. Immutable. */
sealed interface Shape {
    /** The maximum of a repetition that has none. */
    int UNBOUNDED = Integer.MAX_VALUE;

    /** A run of literal characters; not empty. */
    record Text(String text) implements Shape {}

    /**
     * One character of a set.
     *
     * @param set the set in Java's syntax
     * @param alternatives how many sets the matcher tries for one character
     */
    record OneOf(String set, int alternatives) implements Shape {
        static final String ANY = ".";

        boolean contains(int character) {
            return Pattern.compile(set, Pattern.DOTALL)
                    .matcher(Character.toString(character))
                    .matches();
        }
    }

    /**
     * A condition on a position, such as {@code ^} or {@code \b}; it takes no character.
     *
     * @param looks how many characters it looks at
     * @param atEnd whether it always holds at the end of the name
     */
    record Place(int looks, boolean atEnd) implements Shape {}

    /** What a group matched before, again. */
    record Reference() implements Shape {}

    /** One after the other. */
    record Sequence(List<Shape> items) implements Shape {
        public Sequence {
            items = List.copyOf(items);
        }
    }

    /** A choice of several. */
    record Choice(List<Shape> alternatives) implements Shape {
        public Choice {
            alternatives = List.copyOf(alternatives);
        }
    }

    /** A shape that is repeated, from {@code min} to {@code max} times. */
    record Repeat(Shape body, int min, int max) implements Shape {}

    /** Look-ahead or look-behind, positive or negative. */
    record Look(Shape body, boolean behind) implements Shape {}

    /** Whether it is one character, whatever it matches. */
    default boolean isSingle() {
        return this instanceof OneOf || this instanceof Text text && text.text().length() == 1;
    }

    /** The length of the shortest text that it may match. */
    default int minLength() {
        if (this instanceof Text text) {
            return text.text().length();
        } else if (this instanceof OneOf) {
            return 1;
        } else if (this instanceof Sequence sequence) {
            return saturated(
                    sequence.items().stream().mapToLong(Shape::minLength).sum());
        } else if (this instanceof Choice choice) {
            return choice.alternatives().stream()
                    .mapToInt(Shape::minLength)
                    .min()
                    .orElse(0);
        } else if (this instanceof Repeat repeat) {
            return saturated((long) repeat.min() * repeat.body().minLength());
        }
        return 0;
    }

    private static int saturated(long length) {
        return (int) Math.min(length, Integer.MAX_VALUE);
    }
}
