package io.sluice.bench.stage;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one run took.
 *
 * @param rows row changes that were read and confirmed, of all instances
 * @param firstSeconds from the start of the reading until the first were confirmed
 * @param seconds from the start of the reading until the last was
 * @param cpuSeconds that the process spent on processors, from its own start on
 * @param readCpuSeconds that it spent from the start of the reading on, without compiling our code
 * @param steadyRows the rows behind the first quarter
 * @param steadySeconds from the end of the first quarter to the end
 * @param steadyCpuSeconds that the process spent meanwhile
 * @param peakBytes the most memory it had resident
 * @param threads how many threads it had at the end
 * @param cpuSecondsByThread what groups of them spent
 * @param messages what came to the sink
 * @param bytes their values
 * @param binlogBytes the binlog that they came from, times the instances
 * @param problem what is wrong with what came; null if nothing is, or nobody looked
 */
record StageResult(
        long rows,
        double firstSeconds,
        double seconds,
        double cpuSeconds,
        double readCpuSeconds,
        long steadyRows,
        double steadySeconds,
        double steadyCpuSeconds,
        long peakBytes,
        int threads,
        Map<String, Double> cpuSecondsByThread,
        long messages,
        long bytes,
        long binlogBytes,
        @Nullable String problem) {
    double rowsPerSecond() {
        return rows / Math.max(seconds, 0.001);
    }

    double steadyRowsPerSecond() {
        return steadyRows / Math.max(steadySeconds, 0.001);
    }

    double cpuSecondsPerMillionRows() {
        return cpuSeconds * 1e6 / Math.max(rows, 1);
    }

    /** What a row cost once reading had begun; compiling is not in it, which a long run pays once. */
    double cpuNanosPerRow() {
        return readCpuSeconds * 1e9 / Math.max(rows, 1);
    }

    double steadyCpuSecondsPerMillionRows() {
        return steadyCpuSeconds * 1e6 / Math.max(steadyRows, 1);
    }

    /** The same with what a check has found. */
    StageResult with(@Nullable String found) {
        return new StageResult(
                rows,
                firstSeconds,
                seconds,
                cpuSeconds,
                readCpuSeconds,
                steadyRows,
                steadySeconds,
                steadyCpuSeconds,
                peakBytes,
                threads,
                cpuSecondsByThread,
                messages,
                bytes,
                binlogBytes,
                found);
    }
}
