package io.sluice.bench.e2e;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one run of one bridge took.
 *
 * @param rows row changes of the workload
 * @param seconds from the first record in Kafka to the last
 * @param secondsFromStart from the start of the process to the last record
 * @param cpuSeconds that the bridge's process spent, from its start on
 * @param steady the same of the rows after the first quarter
 * @param sourceCpuSeconds that MySQL spent meanwhile
 * @param brokerCpuSeconds that Kafka spent meanwhile
 * @param peakBytes the most memory the bridge's process had resident
 * @param cpuSecondsByThread what the bridge's threads spent, the largest first, and a second of waiting included
 * @param records how many came
 * @param recordBytes their keys and values
 * @param problem what is wrong with what came; null if it is what the workload changed
 */
record Measurement(
        String bridge,
        String workload,
        String form,
        String layout,
        String compression,
        long rows,
        double seconds,
        double secondsFromStart,
        double cpuSeconds,
        Steady steady,
        double sourceCpuSeconds,
        double brokerCpuSeconds,
        long peakBytes,
        Map<String, Double> cpuSecondsByThread,
        long records,
        long recordBytes,
        @Nullable String problem) {
    /**
     * What the rows took that came when the JVM was warm.
     *
     * @param rows how many they are; 0 if all came at once
     * @param seconds from the last row before them to the last of them
     * @param cpuSeconds that the bridge's process spent in that time
     */
    record Steady(long rows, double seconds, double cpuSeconds) {
        double rowsPerSecond() {
            return rows / Math.max(seconds, 0.001);
        }

        double cpuSecondsPerMillionRows() {
            return rows == 0 ? 0 : cpuSeconds * 1e6 / rows;
        }
    }

    double rowsPerSecond() {
        return rows / Math.max(seconds, 0.001);
    }

    double rowsPerSecondFromStart() {
        return rows / Math.max(secondsFromStart, 0.001);
    }

    double cpuSecondsPerMillionRows() {
        return cpuSeconds * 1e6 / rows;
    }
}
