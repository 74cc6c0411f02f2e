package io.sluice.bench.latency;

import io.sluice.bench.latency.Moments.Span;
import io.sluice.bench.record.Format;
import java.util.stream.DoubleStream;
import org.HdrHistogram.Histogram;

/**
 * The figures of one schedule.
 *
 * @param cpuSeconds processor time of the server's process, including the lead-in
 * @param brokerCpuSeconds processor time of the broker's process meanwhile
 */
record Figures(Format format, Moments moments, double cpuSeconds, double brokerCpuSeconds) {
    /** Percentiles of the transactions after the lead-in in milliseconds; the maximum at 100. */
    double[] millis(Span span, double... percentiles) {
        Histogram histogram = moments.micros(span);
        return DoubleStream.of(percentiles)
                .map(percentile -> histogram.getValueAtPercentile(percentile) / 1000.0)
                .toArray();
    }

    double cpuSecondsPerMillionRows() {
        return cpuSeconds
                * 1e6
                / moments.schedule().rowsBefore(moments.schedule().transactions());
    }
}
