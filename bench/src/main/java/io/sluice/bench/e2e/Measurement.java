package io.sluice.bench.e2e;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The figures of one run of one bridge.
 *
 * @param run the number of the run in its cell, from 1
 * @param rows row changes of the workload
 * @param seconds from the first record in Kafka to the last
 * @param secondsFromStart from the start of the process to the last record
 * @param startCpuSeconds the processor time of the bridge's process from its start to the first row in Kafka
 * @param spent processor time of {@code bridge}, {@code source} and {@code broker} from the start of the bridge's process
 * @param secondHalf the figures of the second half of the rows
 * @param peakBytes the peak of the process's resident memory
 * @param cpuSecondsByThread the processor time of the bridge's threads, the largest first
 * @param records the number of records
 * @param recordBytes the bytes of their keys and values
 * @param fingerprint a hash over all rows that arrived
 * @param problem what is wrong with the rows that arrived; null if nothing is
 */
record Measurement(
        String bridge,
        String cell,
        int run,
        long rows,
        double seconds,
        double secondsFromStart,
        double startCpuSeconds,
        Map<String, Double> spent,
        SecondHalf secondHalf,
        long peakBytes,
        Map<String, Double> cpuSecondsByThread,
        long records,
        long recordBytes,
        String fingerprint,
        @Nullable String problem) {
    /** The name of the bridge's process. */
    static final String BRIDGE = "bridge";

    /**
     * The figures of the second half of the rows, when most of the code is compiled.
     *
     * @param rows the number of rows; 0 if all arrived at once
     * @param seconds from the last row of the first half to the last row of all
     * @param spent processor time of the processes meanwhile
     * @param cpuSecondsByThread processor time of the bridge's threads meanwhile
     */
    record SecondHalf(long rows, double seconds, Map<String, Double> spent, Map<String, Double> cpuSecondsByThread) {
        double rowsPerSecond() {
            return rows / Math.max(seconds, 0.001);
        }

        double cpuSecondsPerMillionRows() {
            return perMillionRows(spent.getOrDefault(BRIDGE, 0.0));
        }

        /** A processor time for a million rows; 0 without rows. */
        double perMillionRows(double cpuSeconds) {
            return rows == 0 ? 0 : cpuSeconds * 1e6 / rows;
        }
    }

    double rowsPerSecond() {
        return rows / Math.max(seconds, 0.001);
    }

    /** The processor time of the bridge's process for a million rows. */
    double cpuSecondsPerMillionRows() {
        return spent.getOrDefault(BRIDGE, 0.0) * 1e6 / rows;
    }

    double peakMebibytes() {
        return peakBytes / (double) (1 << 20);
    }
}
