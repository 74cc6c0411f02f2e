package io.sluice.bench.stage;

import org.jspecify.annotations.Nullable;

/**
 * The figures of one run.
 *
 * @param rows row changes
 * @param seconds from the start of reading to the last row
 * @param cpuSeconds processor time of the process since its start
 * @param halfRows rows of the second half
 * @param halfSeconds from the first half to the last row
 * @param halfCpuSeconds processor time meanwhile
 * @param problem what is wrong with the rows that arrived; null if nothing is, or they were not checked
 */
record StageResult(
        long rows,
        double seconds,
        double cpuSeconds,
        long halfRows,
        double halfSeconds,
        double halfCpuSeconds,
        long peakBytes,
        @Nullable String problem) {
    double rowsPerSecond() {
        return rows / Math.max(seconds, 0.001);
    }

    double halfRowsPerSecond() {
        return halfRows / Math.max(halfSeconds, 0.001);
    }
}
