package io.sluice.bench.e2e;

import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/** What each part of our server spends on processors in a case, over the whole run, as a table in Markdown. */
final class ThreadsTable {
    private static final String HEAD = """
            | workload | form | layout | compression | reader | encoders, converters | sender | Kafka's thread | garbage collector | \
            JVM's compilers | start | rest | all |
            | --- | --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
            """;

    /** By the names of {@link ProcessUsage#cpuSecondsByThread}, in the order of the columns. */
    private static final List<Predicate<String>> PARTS = List.of(
            name -> name.endsWith("-reader"),
            name -> name.startsWith("encoder-") || name.startsWith("converter-"),
            name -> name.startsWith("sender-"),
            name -> name.startsWith("kafka-producer"),
            name -> name.startsWith("GC ") || name.equals("VM Thread"),
            name -> name.startsWith("CN Compiler"),
            name -> name.equals("java"));

    private ThreadsTable() {}

    static String of(List<CellFigures> cells) {
        StringBuilder text = new StringBuilder(HEAD);
        cells.forEach(cell -> text.append(row(cell.ours())));
        return text.toString();
    }

    private static String row(Measurement ours) {
        StringBuilder row = new StringBuilder(
                "| %s | %s | %s | %s |".formatted(ours.workload(), ours.form(), ours.layout(), ours.compression()));
        double rest = ours.spent().bridge();
        for (Predicate<String> part : PARTS) {
            double seconds = secondsOf(ours, part);
            rest -= seconds;
            row.append(cell(ours, seconds));
        }
        return row.append(cell(ours, Math.max(rest, 0)))
                .append(cell(ours, ours.spent().bridge()))
                .append('\n')
                .toString();
    }

    private static double secondsOf(Measurement ours, Predicate<String> part) {
        return ours.cpuSecondsByThread().entrySet().stream()
                .filter(thread -> part.test(thread.getKey()))
                .mapToDouble(thread -> thread.getValue())
                .sum();
    }

    private static String cell(Measurement ours, double seconds) {
        return String.format(Locale.ROOT, " %.2f |", seconds * 1e6 / ours.rows());
    }
}
