package io.sluice.bench.e2e;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.regex.Pattern;

/** Formats measurements as one table in Markdown: medians, spread, and ratios to the first bridge. */
final class Report {
    private static final String HEAD = """
            | cell | bridge | rows/s | ratio | second half | ratio | CPU s per M rows | ratio | second half | ratio | CPU s at start | ratio | RSS MiB | ratio | check |
            | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |
            """;

    private static final List<Column> COLUMNS = List.of(
            new Column("%,.0f", Measurement::rowsPerSecond),
            new Column("%,.0f", one -> one.secondHalf().rowsPerSecond()),
            new Column("%.2f", Measurement::cpuSecondsPerMillionRows),
            new Column("%.2f", one -> one.secondHalf().cpuSecondsPerMillionRows()),
            new Column("%.2f", Measurement::startCpuSeconds),
            new Column("%.0f", Measurement::peakMebibytes));

    /** Patterns of threads' names by role; the first role that matches counts. */
    private static final Map<String, Pattern> ROLES = roles(
            "reader", ".*-reader",
            "encoders", "encoder-.*",
            "converters", "converter-.*",
            "sender", "sender-.*",
            "kafka", "kafka-.*",
            "GC", "(GC|G1) .*",
            "compilers", ".*CompilerThre.*",
            "others", ".*");

    private final List<Measurement> measurements;
    private final Map<String, Map<String, List<Measurement>>> runsByCell = new LinkedHashMap<>();

    private record Column(String format, ToDoubleFunction<Measurement> figure) {}

    Report(List<Measurement> measurements) {
        this.measurements = List.copyOf(measurements);
        for (Measurement one : measurements) {
            runsByCell
                    .computeIfAbsent(one.cell(), cell -> new LinkedHashMap<>())
                    .computeIfAbsent(one.bridge(), bridge -> new ArrayList<>())
                    .add(one);
        }
    }

    /** Returns whether all rows arrived correctly in all runs. */
    boolean isCorrect() {
        return measurements.stream().allMatch(one -> one.problem() == null);
    }

    /** A line for each cell and bridge; at the end the geometric means of the ratios over all cells. */
    String table() {
        StringBuilder text = new StringBuilder(HEAD);
        Map<String, List<double[]>> ratiosByBridge = new LinkedHashMap<>();
        runsByCell.forEach((cell, bridges) -> {
            List<Measurement> first = bridges.values().iterator().next();
            bridges.forEach((bridge, runs) -> {
                boolean isFirst = runs == first;
                text.append("| %s | %s |".formatted(cell, bridge));
                double[] ratios = new double[COLUMNS.size()];
                for (int i = 0; i < ratios.length; i++) {
                    ratios[i] = ratio(COLUMNS.get(i).figure(), first, runs);
                    text.append(figures(COLUMNS.get(i), runs)).append(isFirst ? "  |" : format(" %.3f |", ratios[i]));
                }
                text.append(" %s |\n".formatted(check(runs)));
                if (!isFirst) {
                    ratiosByBridge
                            .computeIfAbsent(bridge, name -> new ArrayList<>())
                            .add(ratios);
                }
            });
        });
        ratiosByBridge.forEach((bridge, ratios) -> {
            text.append("| all, geometric mean | %s |".formatted(bridge));
            for (int i = 0; i < COLUMNS.size(); i++) {
                int column = i;
                double logarithm = ratios.stream()
                        .mapToDouble(one -> Math.log(one[column]))
                        .average()
                        .orElse(0);
                text.append(format("  | %.3f |", Math.exp(logarithm)));
            }
            text.append("  |\n");
        });
        return text.toString();
    }

    private static Map<String, Pattern> roles(String... rolesAndNames) {
        Map<String, Pattern> roles = new LinkedHashMap<>();
        for (int i = 0; i < rolesAndNames.length; i += 2) {
            roles.put(rolesAndNames[i], Pattern.compile(rolesAndNames[i + 1]));
        }
        return roles;
    }

    /** The processor time of a bridge's threads in the second half, for a million rows: medians by role. */
    String threadTable() {
        StringBuilder text = new StringBuilder("| cell | bridge | " + String.join(" | ", ROLES.keySet()) + " |\n")
                .append("| --- | --- |")
                .append(" ---: |".repeat(ROLES.size()))
                .append('\n');
        runsByCell.forEach((cell, bridges) -> bridges.forEach((bridge, runs) -> {
            text.append("| %s | %s |".formatted(cell, bridge));
            for (String role : ROLES.keySet()) {
                double[] sorted = runs.stream()
                        .mapToDouble(one -> cpuSeconds(one.secondHalf(), role))
                        .sorted()
                        .toArray();
                text.append(format(" %.2f |", median(sorted)));
            }
            text.append('\n');
        }));
        return text.toString();
    }

    private static double cpuSeconds(Measurement.SecondHalf half, String role) {
        return half.perMillionRows(half.cpuSecondsByThread().entrySet().stream()
                .filter(thread -> role.equals(roleOf(thread.getKey())))
                .mapToDouble(Map.Entry::getValue)
                .sum());
    }

    private static String roleOf(String thread) {
        return ROLES.entrySet().stream()
                .filter(role -> role.getValue().matcher(thread).matches())
                .findFirst()
                .map(Map.Entry::getKey)
                .orElse("others");
    }

    /** The median, and the smallest and the largest figure if there are several. */
    private static String figures(Column column, List<Measurement> runs) {
        double[] sorted = runs.stream().mapToDouble(column.figure()).sorted().toArray();
        String median = format(" " + column.format(), median(sorted));
        return sorted.length == 1
                ? median + " |"
                : median
                        + format(
                                " (%s to %s) |".formatted(column.format(), column.format()),
                                sorted[0],
                                sorted[sorted.length - 1]);
    }

    /** The median over the ratios of runs with the same number, which were made one right after the other. */
    private static double ratio(ToDoubleFunction<Measurement> figure, List<Measurement> first, List<Measurement> runs) {
        double[] ratios = new double[Math.min(first.size(), runs.size())];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = figure.applyAsDouble(runs.get(i)) / figure.applyAsDouble(first.get(i));
        }
        Arrays.sort(ratios);
        return median(ratios);
    }

    private static double median(double[] sorted) {
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    private static String check(List<Measurement> runs) {
        return runs.stream()
                .map(Measurement::problem)
                .filter(Objects::nonNull)
                .findFirst()
                .map(problem -> "WRONG: " + problem)
                .orElse("ok");
    }
}
