package io.sluice.connector.kafka.produce;

import org.apache.kafka.common.utils.Time;

/**
 * The time by which Kafka's client measures durations: the wall clock at the start, and from then on a monotonic one. After the wall clock
 * was set back by some time, the client would ask for no metadata for so long.
 */
final class MonotonicTime implements Time {
    private static final long MILLI = 1_000_000;

    private final io.sluice.protocol.time.Time time;
    private final long originMillis;
    private final long originNanos;

    MonotonicTime(io.sluice.protocol.time.Time time) {
        this.time = time;
        this.originMillis = time.millis();
        this.originNanos = time.nanos();
    }

    @Override
    public long milliseconds() {
        return originMillis + (time.nanos() - originNanos) / MILLI;
    }

    @Override
    public long nanoseconds() {
        return time.nanos();
    }

    @Override
    public void sleep(long millis) {
        Time.SYSTEM.sleep(millis);
    }
}
