package io.sluice.bench.e2e;

import com.google.errorprone.annotations.FormatMethod;
import io.sluice.bench.chart.Bar;
import io.sluice.bench.chart.BarChart;
import io.sluice.bench.chart.BarChart.Legend;
import io.sluice.bench.chart.BarGroup;
import io.sluice.bench.chart.Mark;
import io.sluice.bench.chart.Paint;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Draws the cases, each with our server's bars above those of the others. */
final class Pictures {
    private static final double GOAL_STEADY = 10;

    private final Map<String, List<CellFigures>> groups = new LinkedHashMap<>();

    /** Makes those of some cases; those that differ by compression only become one group. */
    Pictures(List<CellFigures> cells) {
        for (CellFigures cell : cells) {
            Measurement ours = cell.ours();
            groups.computeIfAbsent(
                            String.join(" ", ours.workload(), ours.form(), ours.layout()), key -> new ArrayList<>())
                    .add(cell);
        }
    }

    /** Rows per second. */
    BarChart rows() {
        return new BarChart(
                "Changes from MySQL to Kafka: rows per second",
                "MySQL, Kafka and the bridge on one machine of %d cores. Longer is better."
                        .formatted(Runtime.getRuntime().availableProcessors()),
                List.of(
                        new Legend(Paint.MAIN, false, "Sluice"),
                        new Legend(Paint.SECOND, false, "Sluice with lz4"),
                        new Legend(Paint.OTHER, false, "others (pale: up to)"),
                        new Legend(Paint.LIMIT, true, "the machine's limit for these very records")),
                groups.values().stream().map(cells -> group(cells, true)).toList());
    }

    /** CPU seconds for a million rows. */
    BarChart cpu() {
        return new BarChart(
                "Changes from MySQL to Kafka: CPU seconds of the bridge per million rows",
                "Solid: after the first quarter of the rows. Pale: with the start of the JVM. Of others: the range of whole"
                        + " runs. Shorter is better.",
                List.of(
                        new Legend(Paint.MAIN, false, "Sluice"),
                        new Legend(Paint.SECOND, false, "Sluice with lz4"),
                        new Legend(Paint.OTHER, false, "others"),
                        new Legend(Paint.LIMIT, true, "Kafka's producer alone"),
                        new Legend(Paint.GOAL, true, "a tenth of canal's best")),
                groups.values().stream().map(cells -> group(cells, false)).toList());
    }

    private static BarGroup group(List<CellFigures> cells, boolean isSpeed) {
        List<Bar> bars = new ArrayList<>();
        cells.forEach(cell -> bars.add(isSpeed ? ourSpeed(cell) : ourCpu(cell)));
        CellFigures first = cells.get(0);
        for (Measurement one : first.peers()) {
            bars.add(isSpeed ? speed(one) : cpu(one));
        }
        for (Reference one : first.references()) {
            if (first.peers().stream().noneMatch(peer -> peer.bridge().equalsIgnoreCase(name(one)))) {
                bars.add(isSpeed ? speed(one) : cpu(one));
            }
        }
        Measurement ours = first.ours();
        return new BarGroup(ours.workload() + ", " + ours.form(), layout(ours.layout()), bars);
    }

    private static String layout(String spelled) {
        return switch (spelled) {
            case "1x1" -> "1 topic, 1 partition";
            case "1x3" -> "3 partitions by key";
            default -> "topics by table";
        };
    }

    private static Bar ourSpeed(CellFigures cell) {
        double value = cell.ours().rowsPerSecond();
        Limits limits = cell.limits();
        String label = thousands(value);
        List<Mark> marks = List.of();
        if (limits != null) {
            label += format(", %.0f %% of the limit", 100 * value / limits.rowsPerSecond());
            marks = List.of(new Mark(Paint.LIMIT, limits.rowsPerSecond()));
        }
        return new Bar(ourName(cell), ourPaint(cell), value, value, marks, label);
    }

    private static Bar ourCpu(CellFigures cell) {
        double steady = cell.ours().steady().cpuSecondsPerMillionRows();
        double whole = cell.ours().cpuSecondsPerMillionRows();
        List<Mark> marks = new ArrayList<>();
        if (cell.limits() != null) {
            marks.add(new Mark(Paint.LIMIT, cell.limits().producer().steadyCpuSecondsPerMillionRows()));
        }
        if (!cell.isCompressed() && cell.canalsLeastCpuSeconds() > 0) {
            marks.add(new Mark(Paint.GOAL, cell.canalsLeastCpuSeconds() / GOAL_STEADY));
        }
        return new Bar(
                ourName(cell),
                ourPaint(cell),
                steady,
                Math.max(steady, whole),
                marks,
                format("%.1f, whole run %.1f", steady, whole));
    }

    private static Bar speed(Measurement one) {
        double value = one.rowsPerSecond();
        return new Bar(one.bridge(), Paint.OTHER, value, value, List.of(), thousands(value));
    }

    private static Bar cpu(Measurement one) {
        double steady = one.steady().cpuSecondsPerMillionRows();
        double whole = one.cpuSecondsPerMillionRows();
        return new Bar(
                one.bridge(),
                Paint.OTHER,
                steady,
                Math.max(steady, whole),
                List.of(),
                format("%.1f, whole run %.1f", steady, whole));
    }

    private static Bar speed(Reference one) {
        double low = one.rowsPerSecond().get(0);
        double high = one.mostRowsPerSecond();
        String range = low == high ? "" : format("%,.0f–", low / 1000);
        return new Bar(name(one), Paint.OTHER, low, high, List.of(), range + thousands(high));
    }

    private static Bar cpu(Reference one) {
        double low = one.leastCpuSeconds();
        double high = one.cpuSeconds().get(1);
        String range = low == high ? "" : format("%.1f–", low);
        return new Bar(name(one), Paint.OTHER, low, high, List.of(), range + format("%.1f", high));
    }

    private static String name(Reference one) {
        return one.isCanal() && !one.isShipped() ? "canal-best" : one.bridge();
    }

    private static String ourName(CellFigures cell) {
        return cell.isCompressed() ? "Sluice, " + cell.ours().compression() : "Sluice";
    }

    private static Paint ourPaint(CellFigures cell) {
        return cell.isCompressed() ? Paint.SECOND : Paint.MAIN;
    }

    private static String thousands(double value) {
        return format("%,.0f k", value / 1000);
    }

    @FormatMethod
    private static String format(String form, Object... values) {
        return String.format(Locale.ROOT, form, values);
    }
}
