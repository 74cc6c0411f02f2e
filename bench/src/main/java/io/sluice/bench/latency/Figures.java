package io.sluice.bench.latency;

import io.sluice.bench.e2e.Format;
import io.sluice.bench.latency.Moments.Span;
import java.util.EnumMap;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * The figures of one schedule.
 *
 * @param rowsPerSecond committed rows per second
 * @param cpuSeconds processor time of the server's process, including the lead-in
 * @param brokerCpuSeconds processor time of the broker's process meanwhile
 * @param cpuRows the rows, including those of the lead-in
 * @param micros the spans of the transactions after the lead-in
 * @param wrongTransactions the number of transactions of which not every row arrived once
 */
record Figures(
        Format format,
        Schedule schedule,
        double rowsPerSecond,
        double cpuSeconds,
        double brokerCpuSeconds,
        long cpuRows,
        Map<Span, Histogram> micros,
        int wrongTransactions) {
    static Figures of(Format format, Moments moments, double cpuSeconds, double brokerCpuSeconds) {
        Map<Span, Histogram> micros = new EnumMap<>(Span.class);
        for (Span span : Span.values()) {
            micros.put(span, moments.micros(span));
        }
        Schedule schedule = moments.schedule();
        return new Figures(
                format,
                schedule,
                moments.achievedRowsPerSecond(),
                cpuSeconds,
                brokerCpuSeconds,
                schedule.rowsBefore(schedule.transactions()),
                micros,
                moments.wrongTransactions());
    }

    /** A percentile, or the maximum at 100, in milliseconds. */
    double millis(Span span, double percentile) {
        return histogram(span).getValueAtPercentile(percentile) / 1000.0;
    }

    Histogram histogram(Span span) {
        Histogram histogram = micros.get(span);
        if (histogram == null) {
            throw new IllegalStateException("no figures for " + span);
        }
        return histogram;
    }
}
