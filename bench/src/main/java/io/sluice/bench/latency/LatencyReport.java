package io.sluice.bench.latency;

import io.sluice.bench.latency.Moments.Span;
import java.util.List;
import java.util.Locale;

/** Formats figures as a table in Markdown. */
final class LatencyReport {
    private static final String HEAD = """
            | format | load | rows/s | transactions | p50 ms | p99 ms | p99.9 ms | max ms | from when due: p50 | p99 | p99.9 \
            | from OK: p50 | p99 | MySQL: p50 | p99 | CPU s | CPU s per M rows | broker CPU s | check |
            | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: \
            | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |
            """;

    private final List<Figures> figures;

    LatencyReport(List<Figures> figures) {
        this.figures = List.copyOf(figures);
    }

    /** Returns whether every row arrived once. */
    boolean isComplete() {
        return figures.stream().allMatch(one -> one.moments().wrongTransactions() == 0);
    }

    /** A table with a line for each load. */
    String table() {
        StringBuilder text = new StringBuilder(HEAD);
        figures.forEach(one -> text.append(line(one)));
        return text.toString();
    }

    private static String line(Figures one) {
        Schedule schedule = one.moments().schedule();
        int wrong = one.moments().wrongTransactions();
        StringBuilder line = new StringBuilder("| %s | %s | %,.0f | %,d "
                .formatted(
                        one.format().spelled(),
                        schedule.name(),
                        one.moments().achievedRowsPerSecond(),
                        schedule.transactions() - schedule.leadIn()));
        append(line, one, Span.SENT_TO_READABLE, 50, 99, 99.9, 100);
        append(line, one, Span.DUE_TO_READABLE, 50, 99, 99.9);
        append(line, one, Span.COMMITTED_TO_READABLE, 50, 99);
        append(line, one, Span.SENT_TO_COMMITTED, 50, 99);
        return line.append(String.format(
                        Locale.ROOT,
                        "| %.2f | %.1f | %.2f ",
                        one.cpuSeconds(),
                        one.cpuSecondsPerMillionRows(),
                        one.brokerCpuSeconds()))
                .append(wrong == 0 ? "| ok |\n" : "| WRONG: %d transactions |%n".formatted(wrong))
                .toString();
    }

    private static void append(StringBuilder line, Figures one, Span span, double... percentiles) {
        for (double millis : one.millis(span, percentiles)) {
            line.append(String.format(Locale.ROOT, "| %.1f ", millis));
        }
    }
}
