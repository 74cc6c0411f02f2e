package io.sluice.store.ring;

import io.sluice.protocol.time.Time;

/** Measures how long puts wait for room. The clock is asked only while one waits. For one thread at a time. */
final class RoomWait {
    private static final long NOT_WAITING = Long.MIN_VALUE;

    private final Time time;

    /** When the current wait began without any room being freed; {@link #NOT_WAITING} if no put waits. */
    private long since = NOT_WAITING;

    /** The sum of all waits, without the current one. */
    private long endedNanos;

    RoomWait(Time time) {
        this.time = time;
    }

    /** A put waits from now on, unless one waits already. */
    void begin() {
        if (since == NOT_WAITING) {
            since = time.nanos();
        }
    }

    /** Room is freed. */
    void end() {
        endedNanos += currentNanos();
        since = NOT_WAITING;
    }

    /** How long a put has waited for room without any being freed. */
    long currentNanos() {
        return since == NOT_WAITING ? 0 : time.nanos() - since;
    }

    /** The sum of all waits. */
    long totalNanos() {
        return endedNanos + currentNanos();
    }
}
