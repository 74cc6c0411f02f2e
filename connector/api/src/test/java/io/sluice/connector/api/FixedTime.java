package io.sluice.connector.api;

import io.sluice.protocol.time.Time;
import java.time.Duration;

/** Time that does not pass. */
public record FixedTime(long nanos, long millis) implements Time {
    @Override
    public void sleep(Duration length) {
        throw new UnsupportedOperationException("this time does not pass");
    }
}
