package io.sluice.bench.limit;

/**
 * What it took to pull a workload's binlog and throw it away.
 *
 * @param rows row changes in it
 * @param bytes all events
 * @param seconds from the request to the last event
 */
public record PullFigures(long rows, long bytes, double seconds) {
    public double rowsPerSecond() {
        return rows / Math.max(seconds, 0.001);
    }

    public double mebibytesPerSecond() {
        return bytes / Math.max(seconds, 0.001) / (1 << 20);
    }
}
