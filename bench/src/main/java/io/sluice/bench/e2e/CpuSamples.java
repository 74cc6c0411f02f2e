package io.sluice.bench.e2e;

import java.util.Map;
import java.util.TreeMap;

/** What a process had spent at some moments, and so roughly at any moment between them. For one thread. */
final class CpuSamples {
    private final TreeMap<Long, Double> secondsByMillis = new TreeMap<>();

    /** Makes one of a process that had spent nothing when it was started. */
    CpuSamples(long startMillis) {
        secondsByMillis.put(startMillis, 0.0);
    }

    /**
     * Adds a sample.
     *
     * @param millis since the epoch
     * @param cpuSeconds since the process was started
     */
    void add(long millis, double cpuSeconds) {
        secondsByMillis.put(millis, cpuSeconds);
    }

    /** The CPU seconds at a moment: on the line between the samples around it; beyond the ends, those of the nearest. */
    double at(long millis) {
        Map.Entry<Long, Double> before = secondsByMillis.floorEntry(millis);
        Map.Entry<Long, Double> after = secondsByMillis.ceilingEntry(millis);
        if (before == null || after == null) {
            return (before == null ? secondsByMillis.firstEntry() : secondsByMillis.lastEntry()).getValue();
        }
        if (before.getKey().equals(after.getKey())) {
            return before.getValue();
        }
        double share = (double) (millis - before.getKey()) / (after.getKey() - before.getKey());
        return before.getValue() + share * (after.getValue() - before.getValue());
    }
}
