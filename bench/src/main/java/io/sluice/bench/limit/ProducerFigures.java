package io.sluice.bench.limit;

/**
 * What it took Kafka's producer to send a workload's records.
 *
 * @param rows row changes in them
 * @param records how many there are
 * @param bytes their keys and values
 * @param seconds from the first record in Kafka to the last, by the broker's clock
 * @param cpuSeconds that the producer's process spent, from its start on
 * @param steadyShare the part of the records that came after the first quarter of them, 0 to 1
 * @param steadySeconds the same as {@code seconds} for those
 * @param steadyCpuSeconds what was spent in that time
 */
public record ProducerFigures(
        long rows,
        long records,
        long bytes,
        double seconds,
        double cpuSeconds,
        double steadyShare,
        double steadySeconds,
        double steadyCpuSeconds) {
    public double rowsPerSecond() {
        return rows / Math.max(seconds, 0.001);
    }

    public double mebibytesPerSecond() {
        return bytes / Math.max(seconds, 0.001) / (1 << 20);
    }

    public double cpuSecondsPerMillionRows() {
        return cpuSeconds * 1e6 / rows;
    }

    /** The same of the records after the first quarter; 0 if all came at once. */
    public double steadyCpuSecondsPerMillionRows() {
        return steadyShare == 0 ? 0 : steadyCpuSeconds * 1e6 / (rows * steadyShare);
    }
}
