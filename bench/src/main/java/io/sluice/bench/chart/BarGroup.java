package io.sluice.bench.chart;

import java.util.List;

/** Bars that belong together, below each other. */
public record BarGroup(String title, String subtitle, List<Bar> bars) {
    public BarGroup {
        bars = List.copyOf(bars);
    }
}
