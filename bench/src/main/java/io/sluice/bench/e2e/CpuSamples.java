package io.sluice.bench.e2e;

import java.util.Map;
import java.util.TreeMap;

/** Samples of the processes' processor time, interpolated linearly between them. For one thread. */
final class CpuSamples {
    private final TreeMap<Long, CpuSeconds> spentByMillis = new TreeMap<>();

    /**
     * Starts with a first sample.
     *
     * @param startMillis when the bridge was started, since the epoch
     * @param spent the processor time at that moment
     */
    CpuSamples(long startMillis, CpuSeconds spent) {
        spentByMillis.put(startMillis, spent);
    }

    /**
     * Adds a sample.
     *
     * @param millis since the epoch
     */
    void add(long millis, CpuSeconds spent) {
        spentByMillis.put(millis, spent);
    }

    /** The processor time at a moment; before the first and after the last sample that of the nearest. */
    CpuSeconds at(long millis) {
        Map.Entry<Long, CpuSeconds> before = spentByMillis.floorEntry(millis);
        Map.Entry<Long, CpuSeconds> after = spentByMillis.ceilingEntry(millis);
        if (before == null || after == null) {
            Map.Entry<Long, CpuSeconds> nearest = before == null ? after : before;
            return nearest == null ? CpuSeconds.NONE : nearest.getValue();
        }
        if (before.getKey().equals(after.getKey())) {
            return before.getValue();
        }
        double share = (double) (millis - before.getKey()) / (after.getKey() - before.getKey());
        return before.getValue().plus(after.getValue().minus(before.getValue()).times(share));
    }
}
