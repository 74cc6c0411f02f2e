package io.sluice.connector.pulsar;

import io.sluice.protocol.time.Time;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** For how long another producer has been seen where one of this connection should be, by partition. Thread-safe. */
final class TakenPartitions {
    /** After a longer time without a check, what happened meanwhile is not known, so with a longer back-off between attempts none is ever seen for long. */
    static final Duration LONGEST_GAP = Duration.ofSeconds(90);

    private final Time time;
    private final Map<String, Taken> taken = new ConcurrentHashMap<>();

    /** Between two checks that are not too far apart, another producer was there. */
    private record Taken(long sinceNanos, long lastNanos) {
        Taken seen(long now) {
            return new Taken(now - lastNanos > LONGEST_GAP.toNanos() ? now : sinceNanos, now);
        }
    }

    /** None is known to be taken. */
    TakenPartitions(Time time) {
        this.time = time;
    }

    /** Notes that another producer is there; returns for how long it has been seen there, zero the first time. */
    Duration seen(String partition) {
        long now = time.nanos();
        Taken seen =
                taken.compute(partition, (name, before) -> before == null ? new Taken(now, now) : before.seen(now));
        return Duration.ofNanos(now - seen.sinceNanos());
    }

    /** Notes that none is there any more. */
    void free(String partition) {
        taken.remove(partition);
    }
}
