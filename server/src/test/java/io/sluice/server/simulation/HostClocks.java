package io.sluice.server.simulation;

import java.util.random.RandomGenerator;

/**
 * The clocks of the hosts of a source. They differ, and are set now and then, back and forth, but never are two of their times, also of different
 * moments, in the wrong order by more than a limit.
 */
final class HostClocks {
    private final SimulatedClock time;
    private final long[] aheadSeconds;
    private final long limitSeconds;
    /** The latest time that is known; transactions take some, which does not pass in the simulation. */
    private long latestSeconds;

    HostClocks(SimulatedClock time, int hosts, long limitSeconds) {
        this.time = time;
        this.aheadSeconds = new long[hosts];
        this.limitSeconds = limitSeconds;
    }

    /** Sets the clock of a host. */
    void set(int host, RandomGenerator random) {
        aheadSeconds[host] = random.nextLong(limitSeconds + 1);
    }

    /** The time by the clock of a host, in seconds since the epoch. */
    long seconds(int host) {
        latestSeconds = Math.max(latestSeconds, time.sourceSeconds());
        return latestSeconds + aheadSeconds[host];
    }

    /** It is at least this time by the clock of a host. */
    void passTo(int host, long seconds) {
        latestSeconds = Math.max(latestSeconds, seconds - aheadSeconds[host]);
    }
}
