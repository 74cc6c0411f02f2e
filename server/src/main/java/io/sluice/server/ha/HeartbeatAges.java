package io.sluice.server.ha;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.protocol.time.Time;
import io.sluice.server.ha.Heartbeats.Beat;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * The ages of heartbeats, by when this server first saw each: the heartbeat, and each request before it, is at least that old.
 *
 * <p>Thread-safe.
 */
public final class HeartbeatAges {
    /** A server that owns something writes its heartbeat every few seconds; one that does not has no use for it. */
    private static final Duration UNUSED = Duration.ofMinutes(10);

    private final Time time;

    @GuardedBy("this") private final Map<String, Sighting> newest = new HashMap<>();

    private record Sighting(long beat, long nanos) {}

    public HeartbeatAges(Time time) {
        this.time = time;
    }

    /** Notes what was seen just now. */
    synchronized void note(Map<String, Beat> beats) {
        beats.forEach((name, beat) -> firstSeen(name, beat.id()));
        newest.entrySet().removeIf(seen -> !beats.containsKey(seen.getKey()) && isUnused(seen.getValue()));
    }

    /** When a heartbeat was first seen, by the monotonic clock: now, if it was not seen before. */
    synchronized long firstSeen(String name, long beat) {
        Sighting seen = newest.get(name);
        if (seen == null || seen.beat() != beat) {
            seen = new Sighting(beat, time.nanos());
            newest.put(name, seen);
        }
        return seen.nanos();
    }

    /** Whether a heartbeat has not changed for so long that no lease depends on it. */
    synchronized boolean isUnused(String name, Beat beat) {
        Sighting seen = newest.get(name);
        return seen != null && seen.beat() == beat.id() && isUnused(seen);
    }

    private boolean isUnused(Sighting seen) {
        return time.nanos() - seen.nanos() > UNUSED.toNanos();
    }
}
