package io.sluice.bench.e2e;

import java.util.Map;
import java.util.TreeMap;

/** The number of rows in Kafka over time, by the broker's clock, over all topics and partitions. For one thread. */
final class AppendTimes {
    private final TreeMap<Long, Long> rowsByMillis = new TreeMap<>();
    private long firstMillis = Long.MAX_VALUE;

    /** A moment and the number of rows that had arrived by then. */
    record Moment(long millis, long rows) {}

    /**
     * Adds a record.
     *
     * @param millis when it was appended, since the epoch
     * @param rows the number of rows in it; a record without rows does not count for the end
     */
    void add(long millis, long rows) {
        firstMillis = Math.min(firstMillis, millis);
        if (rows > 0) {
            rowsByMillis.merge(millis, rows, Long::sum);
        }
    }

    /** When the first record was appended; fails if there is none. */
    long firstMillis() {
        return Math.min(firstMillis, last().millis);
    }

    /** When the last row was appended; fails if there is none. */
    Moment last() {
        return whenAtLeast(Long.MAX_VALUE);
    }

    /** The first moment at which this many rows had arrived; the last moment if fewer arrived. */
    Moment whenAtLeast(long rows) {
        long sum = 0;
        long millis = 0;
        for (Map.Entry<Long, Long> entry : rowsByMillis.entrySet()) {
            sum += entry.getValue();
            millis = entry.getKey();
            if (sum >= rows) {
                break;
            }
        }
        if (sum == 0) {
            throw new IllegalStateException("no row arrived");
        }
        return new Moment(millis, sum);
    }
}
