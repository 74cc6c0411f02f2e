package io.sluice.bench.chart;

import java.util.List;

/**
 * A bar with what stands at both its ends.
 *
 * @param name before it
 * @param low how far it is solid, 0 or more
 * @param high how far it goes on pale; not below {@code low}
 * @param label behind it
 */
public record Bar(String name, Paint paint, double low, double high, List<Mark> marks, String label) {
    public Bar {
        if (low < 0 || high < low) {
            throw new IllegalArgumentException("a bar from %s to %s".formatted(low, high));
        }
        marks = List.copyOf(marks);
    }

    /** The largest value in it. */
    double largest() {
        return Math.max(high, marks.stream().mapToDouble(Mark::value).max().orElse(0));
    }
}
