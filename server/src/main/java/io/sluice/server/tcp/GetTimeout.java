package io.sluice.server.tcp;

import io.sluice.protocol.packet.Get;
import io.sluice.server.pull.BatchWait;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Reads how long a get waits. */
final class GetTimeout {
    private static final TimeUnit[] UNITS = TimeUnit.values(); // the wire counts them as Java does, from nanoseconds on

    private GetTimeout() {}

    /**
     * Below zero a get does not wait; zero, also for a field that is absent, is without limit, which here is {@code longest};
     * else it is so many units, of which an unknown one is a millisecond.
     */
    static BatchWait of(Get get, Duration longest) {
        if (get.getTimeout() < 0) {
            return BatchWait.NONE;
        }
        if (get.getTimeout() == 0) {
            return BatchWait.forFull(longest);
        }
        int unit = get.getUnit();
        TimeUnit known = unit >= 0 && unit < UNITS.length ? UNITS[unit] : TimeUnit.MILLISECONDS;
        long nanos = Math.min(known.toNanos(get.getTimeout()), longest.toNanos());
        return BatchWait.forFull(Duration.ofNanos(nanos));
    }
}
