package io.sluice.server.metrics;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.UnknownSnapshot;
import io.prometheus.metrics.model.snapshots.UnknownSnapshot.UnknownDataPointSnapshot;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Gathers values under the names of their metrics, for one scrape. */
final class Families {
    private final Map<String, GaugeSnapshot.Builder> gauges = new TreeMap<>();
    private final Map<String, CounterSnapshot.Builder> counters = new TreeMap<>();
    private final Map<String, InfoSnapshot.Builder> infos = new TreeMap<>();
    private final Map<String, UnknownSnapshot.Builder> untyped = new TreeMap<>();
    private final Map<String, HistogramSnapshot.Builder> histograms = new TreeMap<>();

    /** Adds a value that may fall. */
    void gauge(String name, String help, Number value, String... labels) {
        gauges.computeIfAbsent(name, first -> GaugeSnapshot.builder().name(name).help(help))
                .dataPoint(GaugeDataPointSnapshot.builder()
                        .labels(Labels.of(labels))
                        .value(value.doubleValue())
                        .build());
    }

    /** Adds a sum that only grows; the format puts {@code _total} after its name. */
    void counter(String name, String help, Number value, String... labels) {
        counters.computeIfAbsent(
                        name, first -> CounterSnapshot.builder().name(name).help(help))
                .dataPoint(CounterDataPointSnapshot.builder()
                        .labels(Labels.of(labels))
                        .value(value.doubleValue())
                        .build());
    }

    /** Adds what does not change while the process runs, as labels of a 1; the format puts {@code _info} after its name. */
    void info(String name, String help, String... labels) {
        infos.computeIfAbsent(name, first -> InfoSnapshot.builder().name(name).help(help))
                .dataPoint(InfoSnapshot.InfoDataPointSnapshot.builder()
                        .labels(Labels.of(labels))
                        .build());
    }

    /** Adds a sum under a name of canal, which has no {@code _total} after it: the format does not allow it for a counter. */
    void canalCounter(String name, String help, Number value, String... labels) {
        untyped.computeIfAbsent(
                        name, first -> UnknownSnapshot.builder().name(name).help(help))
                .dataPoint(UnknownDataPointSnapshot.builder()
                        .labels(Labels.of(labels))
                        .value(value.doubleValue())
                        .build());
    }

    void histogram(String name, String help, HistogramDataPointSnapshot.Builder value, String... labels) {
        histograms
                .computeIfAbsent(
                        name, first -> HistogramSnapshot.builder().name(name).help(help))
                .dataPoint(value.labels(Labels.of(labels)).build());
    }

    /** All that was added. */
    MetricSnapshots build() {
        MetricSnapshots.Builder all = MetricSnapshots.builder();
        for (Map<String, ? extends MetricSnapshot.Builder<?>> builders :
                List.of(gauges, counters, infos, untyped, histograms)) {
            builders.values().forEach(builder -> all.metricSnapshot(builder.build()));
        }
        return all.build();
    }
}
