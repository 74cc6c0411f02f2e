package io.sluice.bench.chart;

import java.util.List;

/**
 * Lines over one axis, from 0 upwards, so that what grows is seen to grow and what does not is flat.
 *
 * @param title what is shown
 * @param unit of the values
 * @param xLabel what the places on the axis are
 * @param logarithmic whether each tenfold step of the axis is as wide; its places must be above 0 then
 * @param lines at least one, each with at least one point
 */
public record LineChart(String title, String unit, String xLabel, boolean logarithmic, List<Line> lines) {
    public LineChart {
        lines = List.copyOf(lines);
        if (lines.stream().noneMatch(line -> !line.points().isEmpty())) {
            throw new IllegalArgumentException("a chart without a point: " + title);
        }
    }

    /**
     * One line.
     *
     * @param points from left to right
     */
    public record Line(String name, List<Point> points) {
        public Line {
            points = List.copyOf(points);
        }
    }

    /** A value and where it stands. */
    public record Point(double x, double value) {}

    /** The places that have a point in any line, from left to right. */
    double[] places() {
        return lines.stream()
                .flatMap(line -> line.points().stream())
                .mapToDouble(Point::x)
                .distinct()
                .sorted()
                .toArray();
    }

    /** Where a place is on the axis, 0 to 1. */
    double share(double place) {
        double[] places = places();
        double first = scaled(places[0]);
        double last = scaled(places[places.length - 1]);
        return last == first ? 0.5 : (scaled(place) - first) / (last - first);
    }

    private double scaled(double place) {
        return logarithmic ? Math.log10(place) : place;
    }

    /** The top of the chart: the smallest of 1, 2, 2.5, 5 times a power of ten that no value exceeds. */
    double top() {
        double largest = lines.stream()
                .flatMap(line -> line.points().stream())
                .mapToDouble(Point::value)
                .max()
                .orElse(1);
        if (largest <= 0) {
            return 1;
        }
        double power = Math.pow(10, Math.floor(Math.log10(largest)));
        for (double step : new double[] {1, 2, 2.5, 5}) {
            if (largest <= step * power) {
                return step * power;
            }
        }
        return 10 * power;
    }
}
