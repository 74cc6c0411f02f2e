package io.sluice.bench.e2e;

import java.util.List;

/**
 * What another bridge was measured to take, before and elsewhere.
 *
 * @param bridge its name
 * @param settings {@code shipped}, or {@code best} for the best that was found
 * @param cpuSeconds for a million rows, of the whole run: the least and the most
 * @param rowsPerSecond the least and the most
 */
record Reference(
        String workload,
        String form,
        String layout,
        String bridge,
        String settings,
        List<Double> cpuSeconds,
        List<Double> rowsPerSecond) {
    double leastCpuSeconds() {
        return cpuSeconds.get(0);
    }

    double mostRowsPerSecond() {
        return rowsPerSecond.get(1);
    }

    boolean isShipped() {
        return settings.equals("shipped");
    }

    boolean isCanal() {
        return bridge.equals("canal");
    }
}
