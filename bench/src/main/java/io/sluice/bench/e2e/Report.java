package io.sluice.bench.e2e;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Turns measurements into a table. */
final class Report {
    private static final String HEAD = """
            | workload | form | layout | compression | bridge | rows/s | ratio | rows/s with start | rows/s steady | \
            CPU s per M rows | steady | CPU s | RSS MiB | broker CPU s | MySQL CPU s | records | MiB | check |
            | --- | --- | --- | --- | --- | ---: | ---: | ---: | ---: | \
            ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |
            """;

    private static final double MIN_SHOWN_SECONDS = 0.05;

    private final List<Measurement> measurements;

    Report(Results results) {
        this.measurements = results.runs();
    }

    /** Whether all rows arrived in all runs. */
    boolean isComplete() {
        return measurements.stream().allMatch(one -> one.problem() == null);
    }

    /** A Markdown table with the median run of each, by rows per second, and the slowest and the fastest behind it. */
    String table() {
        Map<List<String>, List<Measurement>> groups = new LinkedHashMap<>();
        for (Measurement one : measurements) {
            groups.computeIfAbsent(
                            List.of(one.workload(), one.form(), one.layout(), one.compression(), one.bridge()),
                            key -> new ArrayList<>())
                    .add(one);
        }
        Map<List<String>, Double> firstOf = new LinkedHashMap<>();
        StringBuilder text = new StringBuilder(HEAD);
        groups.forEach((key, runs) -> {
            List<Measurement> slowestFirst = new ArrayList<>(runs);
            slowestFirst.sort(Comparator.comparingDouble(Measurement::rowsPerSecond));
            Measurement median = slowestFirst.get(slowestFirst.size() / 2);
            double first = firstOf.computeIfAbsent(key.subList(0, 4), none -> median.rowsPerSecond());
            String range = runs.size() == 1
                    ? ""
                    : " (%,.0f to %,.0f)"
                            .formatted(
                                    slowestFirst.get(0).rowsPerSecond(),
                                    slowestFirst.get(slowestFirst.size() - 1).rowsPerSecond());
            text.append(row(median, range, median.rowsPerSecond() / first, problems(runs)));
        });
        return text.toString();
    }

    private static String row(Measurement run, String range, double ratio, String check) {
        return String.format(
                Locale.ROOT,
                "| %s | %s | %s | %s | %s | %,.0f%s | %.2f | %,.0f | %,.0f | %.2f | %.2f | %.1f | %d | %.1f | %.1f | %,d | %d | %s |%n",
                run.workload(),
                run.form(),
                run.layout(),
                run.compression(),
                run.bridge(),
                run.rowsPerSecond(),
                range,
                ratio,
                run.rowsPerSecondFromStart(),
                run.steady().rowsPerSecond(),
                run.cpuSecondsPerMillionRows(),
                run.steady().cpuSecondsPerMillionRows(),
                run.spent().bridge(),
                run.peakBytes() >> 20,
                run.spent().broker(),
                run.spent().source(),
                run.records(),
                run.recordBytes() >> 20,
                check);
    }

    private static String problems(List<Measurement> runs) {
        return runs.stream()
                .map(Measurement::problem)
                .filter(problem -> problem != null)
                .findFirst()
                .map(problem -> "WRONG: " + problem)
                .orElse("ok");
    }

    /** What the threads of each bridge spent, in the last run of each. */
    String threads() {
        Map<String, Measurement> last = new LinkedHashMap<>();
        for (Measurement one : measurements) {
            last.put(
                    "%s %s %s %s %s"
                            .formatted(one.workload(), one.form(), one.layout(), one.compression(), one.bridge()),
                    one);
        }
        StringBuilder text = new StringBuilder();
        last.forEach((name, run) -> {
            text.append(String.format(
                    Locale.ROOT, "%n%s: %.1f CPU s in all%n", name, run.spent().bridge()));
            run.cpuSecondsByThread().forEach((thread, seconds) -> {
                if (seconds >= MIN_SHOWN_SECONDS) {
                    text.append(String.format(Locale.ROOT, "%8.2f %s%n", seconds, thread));
                }
            });
        });
        return text.toString();
    }
}
