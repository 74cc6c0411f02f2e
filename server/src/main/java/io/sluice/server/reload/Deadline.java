package io.sluice.server.reload;

import io.sluice.protocol.time.Time;
import java.time.Duration;

/** Until when a command may wait for what is under way. A command that was given up is not carried out later. */
record Deadline(Time time, long nanos) {
    static Deadline in(Duration limit, Time time) {
        return new Deadline(time, time.nanos() + limit.toNanos());
    }

    /** How long it may still wait; zero if it may not. */
    Duration left() {
        return Duration.ofNanos(Math.max(0, nanos - time.nanos()));
    }

    /** The deadline that is later by a time. */
    Deadline plus(Duration more) {
        return new Deadline(time, nanos + more.toNanos());
    }
}
