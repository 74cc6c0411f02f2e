package io.sluice.bench.e2e;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one run of one bridge took.
 *
 * @param rows row changes of the workload
 * @param seconds from the first record in Kafka to the last
 * @param secondsFromStart from the start of the process to the last record
 * @param processors how many the machine has for all processes
 * @param spent on processors from the start of the bridge's process on
 * @param steady what the rows took after the first quarter
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
        int processors,
        CpuSeconds spent,
        Steady steady,
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
     * @param spent on processors in that time
     */
    record Steady(long rows, double seconds, CpuSeconds spent) {
        double rowsPerSecond() {
            return rows / Math.max(seconds, 0.001);
        }

        /** What the bridge's process spent for so many rows. */
        double cpuSecondsPerMillionRows() {
            return perMillionRows().bridge();
        }

        /** What was spent for so many rows; nothing if there were none. */
        CpuSeconds perMillionRows() {
            return rows == 0 ? CpuSeconds.NONE : spent.times(1e6 / rows);
        }
    }

    double rowsPerSecond() {
        return rows / Math.max(seconds, 0.001);
    }

    double rowsPerSecondFromStart() {
        return rows / Math.max(secondsFromStart, 0.001);
    }

    /** What the bridge's process spent for so many rows. */
    double cpuSecondsPerMillionRows() {
        return spent.bridge() * 1e6 / rows;
    }
}
