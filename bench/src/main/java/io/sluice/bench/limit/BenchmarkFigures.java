package io.sluice.bench.limit;

/**
 * What Kafka's own benchmark says of records of a workload's size.
 *
 * @param rows row changes that so many records of the workload have
 * @param records how many it sent
 * @param recordBytes how large each was
 * @param recordsPerSecond by its own count, from its start to the last answer of the broker
 */
public record BenchmarkFigures(long rows, long records, long recordBytes, double recordsPerSecond) {
    public double rowsPerSecond() {
        return recordsPerSecond * rows / records;
    }

    public double mebibytesPerSecond() {
        return recordsPerSecond * recordBytes / (1 << 20);
    }
}
