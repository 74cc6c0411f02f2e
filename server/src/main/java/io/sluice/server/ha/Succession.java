package io.sluice.server.ha;

import io.sluice.protocol.time.Time;
import io.sluice.server.ha.Coordinator.Trace;
import java.time.Duration;

/**
 * How long the winner of an election waits for the owner before it.
 *
 * <p>A lease is extended only by a heartbeat that was written while its owner's node was there. The winner reads the
 * heartbeat when the node is its own, so the former owner's last question was asked before that heartbeat was first seen. The
 * lease is over when this is longer ago than the lease is long. No clock is compared with another one; only their rates must
 * be alike.
 */
final class Succession {
    /**
     * What is added to the former owner's lease: for clocks with different rates, and for what was begun in its last moment.
     */
    static final Duration MARGIN = Duration.ofSeconds(2);

    private final Time time;
    private final Duration needed;
    private final long begin;

    /**
     * Begins to wait.
     *
     * @param trace as it was when the election had been won
     */
    Succession(FormerOwner former, Trace trace, HeartbeatAges heartbeatAges, Time time) {
        this.time = time;
        this.needed = former.lease().plus(MARGIN);
        this.begin = heartbeatAges.firstSeen(former.heartbeat(), trace.beat());
    }

    /** How long the former owner may still hold its lease; zero if it does not. */
    Duration remaining() {
        Duration left = needed.minusNanos(time.nanos() - begin);
        return left.isNegative() ? Duration.ZERO : left;
    }
}
