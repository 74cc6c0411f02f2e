package io.sluice.protocol.pattern;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Builds the {@link Shape} of one expression while {@link PatternSyntax} translates it. */
final class ShapeBuilder {
    /** What a pair of parentheses does. */
    enum Group {
        PLAIN,
        LOOK_AHEAD,
        LOOK_BEHIND
    }

    private static final class Open {
        private final Group group;
        private final List<Shape> alternatives = new ArrayList<>();
        private List<Shape> items = new ArrayList<>();

        Open(Group group) {
            this.group = group;
        }
    }

    private final Deque<Open> open = new ArrayDeque<>(List.of(new Open(Group.PLAIN)));

    void text(int character) {
        add(new Shape.Text(Character.toString(character)));
    }

    /** One character of a set, in Java's syntax. */
    void oneOf(String set) {
        add(new Shape.OneOf(set, 1));
    }

    void place(int looks, boolean atEnd) {
        add(new Shape.Place(looks, atEnd));
    }

    void reference() {
        add(new Shape.Reference());
    }

    void open(Group group) {
        open.push(new Open(group));
    }

    void close() {
        Open closed = open.pop();
        Shape shape = shapeOf(closed);
        switch (closed.group) {
            case PLAIN -> add(shape);
            case LOOK_AHEAD -> add(new Shape.Look(shape, false));
            case LOOK_BEHIND -> add(new Shape.Look(shape, true));
        }
    }

    void or() {
        Open current = open.element();
        current.alternatives.add(sequence(current.items));
        current.items = new ArrayList<>();
    }

    /** Repeats the last element; at the beginning of an expression that is the anchor before it. */
    void repeat(int min, int max) {
        List<Shape> items = open.element().items;
        Shape body = items.isEmpty() ? new Shape.Place(0, false) : items.remove(items.size() - 1);
        add(new Shape.Repeat(body, min, max));
    }

    Shape build() {
        return shapeOf(open.element());
    }

    private void add(Shape shape) {
        open.element().items.add(shape);
    }

    private static Shape shapeOf(Open group) {
        Shape last = sequence(group.items);
        if (group.alternatives.isEmpty()) {
            return last;
        }
        List<Shape> all = new ArrayList<>(group.alternatives);
        all.add(last);
        return excludeEachOther(all) && all.stream().allMatch(Shape::isSingle) ? union(all) : new Shape.Choice(all);
    }

    /** Joins literal characters that follow each other. */
    private static Shape sequence(List<Shape> items) {
        List<Shape> joined = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        for (Shape item : items) {
            if (item instanceof Shape.Text literal) {
                text.append(literal.text());
                continue;
            }
            flush(text, joined);
            joined.add(item);
        }
        flush(text, joined);
        return joined.size() == 1 ? joined.get(0) : new Shape.Sequence(joined);
    }

    private static void flush(StringBuilder text, List<Shape> to) {
        if (!text.isEmpty()) {
            to.add(new Shape.Text(text.toString()));
            text.setLength(0);
        }
    }

    private static Shape union(List<Shape> singles) {
        StringBuilder set = new StringBuilder("[");
        int alternatives = 0;
        for (Shape single : singles) {
            if (single instanceof Shape.OneOf one) {
                set.append(one.set());
                alternatives += one.alternatives();
            } else if (single instanceof Shape.Text text) {
                set.append("\\x{%x}".formatted(text.text().codePointAt(0)));
                alternatives++;
            }
        }
        return new Shape.OneOf(set.append(']').toString(), alternatives);
    }

    /** Whether at most one of the alternatives can match at a position, since their first characters differ. */
    static boolean excludeEachOther(List<Shape> alternatives) {
        Set<Integer> literals = new TreeSet<>();
        Shape.OneOf set = null;
        for (Shape alternative : alternatives) {
            Shape first = alternative instanceof Shape.Sequence sequence
                            && !sequence.items().isEmpty()
                    ? sequence.items().get(0)
                    : alternative;
            if (first instanceof Shape.Text text) {
                if (!literals.add(text.text().codePointAt(0))) {
                    return false;
                }
            } else if (first instanceof Shape.OneOf one
                    && set == null
                    && !one.set().equals(Shape.OneOf.ANY)) {
                set = one;
            } else {
                return false;
            }
        }
        Shape.OneOf only = set;
        return only == null || literals.stream().noneMatch(only::contains);
    }
}
