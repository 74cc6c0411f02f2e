package io.sluice.bench.stage;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** Turns figures into a table, and into JSON. */
final class StageReport {
    private static final String HEAD = """
            | workload | from | form | rows/s | steady rows/s | of the limit | CPU s per M rows | steady CPU s per M rows | \
            binlog MiB/s | out MiB/s | RSS MiB | threads | rows arrived |
            | --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |
            """;

    private static final double MIN_SHOWN_SECONDS = 0.02;
    private static final double MIB = 1 << 20;

    private final Map<List<String>, List<StageFigures>> groups;
    private final List<StageFigures> figures;

    StageReport(List<StageFigures> figures) {
        this.figures = List.copyOf(figures);
        this.groups = figures.stream()
                .collect(Collectors.groupingBy(
                        one -> List.of(one.workload(), one.source(), one.form()),
                        LinkedHashMap::new,
                        Collectors.toList()));
    }

    /** Whether all rows arrived in all runs. */
    boolean isComplete() {
        return figures.stream().allMatch(one -> one.result().problem() == null);
    }

    /** A Markdown table with the median run of each, by rows per second, and the slowest and the fastest behind it. */
    String table() {
        StringBuilder text = new StringBuilder(HEAD);
        Map<String, Double> limits = new LinkedHashMap<>();
        groups.forEach((key, runs) -> {
            StageFigures median = median(runs);
            if (median.source().equals(StageSource.PULL.spelled())) {
                limits.put(median.workload(), median.result().rowsPerSecond());
            }
        });
        groups.forEach((key, runs) -> {
            StageFigures median = median(runs);
            boolean isLive = median.source().equals(StageSource.LIVE.spelled());
            Double limit = isLive ? limits.get(median.workload()) : null;
            text.append(row(
                    median,
                    range(runs),
                    limit == null
                            ? ""
                            : "%.0f %%".formatted(100 * median.result().rowsPerSecond() / limit),
                    problems(runs)));
        });
        return text.toString();
    }

    private static StageFigures median(List<StageFigures> runs) {
        return slowestFirst(runs).get(runs.size() / 2);
    }

    private static List<StageFigures> slowestFirst(List<StageFigures> runs) {
        List<StageFigures> sorted = new ArrayList<>(runs);
        sorted.sort(Comparator.comparingDouble(one -> one.result().rowsPerSecond()));
        return sorted;
    }

    private static String range(List<StageFigures> runs) {
        List<StageFigures> sorted = slowestFirst(runs);
        return runs.size() == 1
                ? ""
                : String.format(
                        Locale.ROOT,
                        " (%,.0f to %,.0f)",
                        sorted.get(0).result().rowsPerSecond(),
                        sorted.get(runs.size() - 1).result().rowsPerSecond());
    }

    private static String row(StageFigures run, String range, String ofLimit, String check) {
        StageResult result = run.result();
        return String.format(
                Locale.ROOT,
                "| %s | %s | %s | %,.0f%s | %,.0f | %s | %.2f | %.2f | %.0f | %.0f | %d | %d | %s |%n",
                run.workload(),
                run.source(),
                run.form(),
                result.rowsPerSecond(),
                range,
                result.steadyRowsPerSecond(),
                ofLimit,
                result.cpuSecondsPerMillionRows(),
                result.steadyCpuSecondsPerMillionRows(),
                result.binlogBytes() / MIB / Math.max(result.seconds(), 0.001),
                result.bytes() / MIB / Math.max(result.seconds(), 0.001),
                result.peakBytes() >> 20,
                result.threads(),
                check);
    }

    private static String problems(List<StageFigures> runs) {
        return runs.stream()
                .map(one -> one.result().problem())
                .filter(Objects::nonNull)
                .findFirst()
                .map(problem -> "WRONG: " + problem)
                .orElse("all");
    }

    /** What the threads spent, in the last run of each. */
    String threads() {
        StringBuilder text = new StringBuilder();
        groups.forEach((key, runs) -> {
            StageResult last = runs.get(runs.size() - 1).result();
            text.append(
                    String.format(Locale.ROOT, "%n%s: %.2f CPU s in all%n", String.join(" ", key), last.cpuSeconds()));
            last.cpuSecondsByThread().forEach((thread, seconds) -> {
                if (seconds >= MIN_SHOWN_SECONDS) {
                    text.append(String.format(Locale.ROOT, "%8.2f %s%n", seconds, thread));
                }
            });
        });
        return text.toString();
    }

    /** Writes all runs, each an object. */
    void writeJson(Path file) throws IOException {
        new ObjectMapper()
                .enable(SerializationFeature.INDENT_OUTPUT)
                .writeValue(file.toFile(), Map.of("runs", figures));
    }
}
