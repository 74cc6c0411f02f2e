package io.sluice.bench.e2e;

import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Samples of processor times in seconds by name, interpolated linearly between them. For one thread. */
final class CpuSamples {
    private final NavigableMap<Long, Map<String, Double>> spentByMillis = new TreeMap<>();

    /**
     * Adds a sample; names that it does not have were not running yet.
     *
     * @param millis since the epoch
     */
    void add(long millis, Map<String, Double> spent) {
        spentByMillis.put(millis, spent);
    }

    /** The processor time between two moments; before the first and after the last sample none is spent. */
    Map<String, Double> between(long fromMillis, long toMillis) {
        Map<String, Double> spent = new TreeMap<>(at(toMillis));
        // Times never fall, but interpolated ones are rounded.
        at(fromMillis).forEach((name, seconds) -> spent.merge(name, seconds, (to, from) -> Math.max(0, to - from)));
        return spent;
    }

    private Map<String, Double> at(long millis) {
        Map.Entry<Long, Map<String, Double>> before = spentByMillis.floorEntry(millis);
        Map.Entry<Long, Map<String, Double>> after = spentByMillis.ceilingEntry(millis);
        if (before == null || after == null || before.getKey().equals(after.getKey())) {
            return (before == null ? after : before).getValue();
        }
        double share = (double) (millis - before.getKey()) / (after.getKey() - before.getKey());
        Map<String, Double> spent = new HashMap<>();
        before.getValue().forEach((name, seconds) -> spent.put(name, seconds * (1 - share)));
        after.getValue().forEach((name, seconds) -> spent.merge(name, seconds * share, Double::sum));
        return spent;
    }
}
