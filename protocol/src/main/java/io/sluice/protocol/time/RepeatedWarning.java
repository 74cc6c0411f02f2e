package io.sluice.protocol.time;

import java.time.Duration;

/** Decides when a warning of something that may happen with each event is logged: the first time, then at most once in ten minutes. For one thread. */
public final class RepeatedWarning {
    private static final Duration INTERVAL = Duration.ofMinutes(10);

    private final Time time;
    private long count;
    private long loggedNanos;

    public RepeatedWarning(Time time) {
        this.time = time;
    }

    /**
     * Counts one more.
     *
     * @return how many there were since the start; 0 if that is not to be logged now
     */
    public long count() {
        long now = time.nanos();
        boolean isLogged = count == 0 || now - loggedNanos >= INTERVAL.toNanos();
        count++;
        if (!isLogged) {
            return 0;
        }
        loggedNanos = now;
        return count;
    }
}
