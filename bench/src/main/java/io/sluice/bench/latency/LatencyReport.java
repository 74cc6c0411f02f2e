package io.sluice.bench.latency;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.sluice.bench.latency.Moments.Span;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Turns figures into a table, and into JSON. */
final class LatencyReport {
    private static final String HEAD = """
            | form | load | rows/s | transactions | p50 ms | p99 ms | p99.9 ms | max ms | from when due: p50 | p99 | p99.9 \
            | from OK: p50 | p99 | MySQL: p50 | p99 | CPU s | CPU s per M rows | broker CPU s | check |
            | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: \
            | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |
            """;

    private static final double[] PERCENTILES = {1, 5, 10, 25, 50, 75, 90, 95, 98, 99, 99.5, 99.9, 99.95, 99.99, 100};

    private final List<Figures> figures;

    LatencyReport(List<Figures> figures) {
        this.figures = List.copyOf(figures);
    }

    /** Whether every row arrived, and once. */
    boolean isComplete() {
        return figures.stream().allMatch(one -> one.wrongTransactions() == 0);
    }

    /** A Markdown table with a line for each load. */
    String table() {
        StringBuilder text = new StringBuilder(HEAD);
        figures.forEach(one -> text.append(line(one)));
        return text.toString();
    }

    private static String line(Figures one) {
        StringBuilder line = new StringBuilder("| %s | %s | %,.0f | %,d "
                .formatted(
                        one.form().spelled(),
                        one.schedule().name(),
                        one.rowsPerSecond(),
                        one.histogram(Span.SENT_TO_READABLE).getTotalCount()));
        append(line, one, Span.SENT_TO_READABLE, 50, 99, 99.9, 100);
        append(line, one, Span.DUE_TO_READABLE, 50, 99, 99.9);
        append(line, one, Span.COMMITTED_TO_READABLE, 50, 99);
        append(line, one, Span.SENT_TO_COMMITTED, 50, 99);
        return line.append(String.format(
                        Locale.ROOT,
                        "| %.2f | %.1f | %.2f ",
                        one.cpuSeconds(),
                        one.cpuSeconds() * 1e6 / one.cpuRows(),
                        one.brokerCpuSeconds()))
                .append(
                        one.wrongTransactions() == 0
                                ? "| ok |\n"
                                : "| WRONG: %d transactions |%n".formatted(one.wrongTransactions()))
                .toString();
    }

    private static void append(StringBuilder line, Figures one, Span span, double... percentiles) {
        for (double percentile : percentiles) {
            line.append(String.format(Locale.ROOT, "| %.1f ", one.millis(span, percentile)));
        }
    }

    /** Writes all figures, with the points of their curves in milliseconds. */
    void writeJson(Path file) throws IOException {
        List<Map<String, Object>> all = new ArrayList<>();
        for (Figures one : figures) {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("form", one.form().spelled());
            fields.put("load", one.schedule().name());
            fields.put("rowsPerSecond", one.rowsPerSecond());
            fields.put("rowsPerTransaction", one.schedule().rowsPerTransaction());
            fields.put("cpuSeconds", one.cpuSeconds());
            fields.put("brokerCpuSeconds", one.brokerCpuSeconds());
            fields.put("cpuRows", one.cpuRows());
            fields.put("wrongTransactions", one.wrongTransactions());
            for (Span span : Span.values()) {
                Map<String, Double> curve = new LinkedHashMap<>();
                for (double percentile : PERCENTILES) {
                    curve.put(Double.toString(percentile), one.millis(span, percentile));
                }
                fields.put(span.name().toLowerCase(Locale.ROOT), curve);
            }
            all.add(fields);
        }
        new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValue(file.toFile(), Map.of("loads", all));
    }
}
