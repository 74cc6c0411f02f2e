package io.sluice.bench.chart;

import java.util.List;

/**
 * Groups of bars on one scale.
 *
 * @param subtitle says what the numbers are
 * @param legend what the paints mean, in their order
 */
public record BarChart(String title, String subtitle, List<Legend> legend, List<BarGroup> groups) {
    public BarChart {
        legend = List.copyOf(legend);
        groups = List.copyOf(groups);
    }

    /**
     * What a paint means.
     *
     * @param isLine whether it is the paint of marks rather than of bars
     */
    public record Legend(Paint paint, boolean isLine, String text) {}

    /** The whole document. */
    public String svg() {
        return new ChartSvg(this).write();
    }

    double largest() {
        return groups.stream()
                .flatMap(group -> group.bars().stream())
                .mapToDouble(Bar::largest)
                .max()
                .orElse(0);
    }
}
