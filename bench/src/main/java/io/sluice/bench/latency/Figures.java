package io.sluice.bench.latency;

import io.sluice.bench.e2e.Format;
import io.sluice.bench.latency.Moments.Span;
import java.util.EnumMap;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * What came of one schedule.
 *
 * @param rowsPerSecond how many rows were committed in a second
 * @param cpuSeconds what the server's process spent, the lead-in included
 * @param brokerCpuSeconds what the broker's process spent meanwhile
 * @param cpuRows the rows that they spent that for
 * @param micros the spans of the transactions that count
 * @param wrongTransactions how many did not arrive with each row once
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
