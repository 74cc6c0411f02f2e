package io.sluice.connector.api.deliver;

import io.sluice.protocol.time.Time;
import java.time.Duration;

/** Time that passes only when the test says so. For one thread. */
final class HandClock implements Time {
    private long nanos;

    /** Lets so much time pass at once. */
    void pass(Duration time) {
        nanos += time.toNanos();
    }

    @Override
    public long nanos() {
        return nanos;
    }

    @Override
    public long millis() {
        return nanos / 1_000_000;
    }
}
