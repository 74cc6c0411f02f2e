package io.sluice.admin.time;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;

/**
 * A clock for waits: it begins with the time of the machine and then only moves forward, however that one is set. What it shows must not be
 * stored, nor shown to users. Thread-safe.
 */
public final class SteadyClock extends Clock {
    private final Clock machine;
    private final Instant begin;
    private final long beginNanos = System.nanoTime();

    /** Begins with the time of the machine. */
    public SteadyClock() {
        this(Clock.systemUTC());
    }

    private SteadyClock(Clock machine) {
        this.machine = machine;
        this.begin = machine.instant();
    }

    @Override
    public ZoneId getZone() {
        return machine.getZone();
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return new SteadyClock(machine.withZone(zone));
    }

    @Override
    public Instant instant() {
        return begin.plus(Duration.ofNanos(System.nanoTime() - beginNanos));
    }
}
