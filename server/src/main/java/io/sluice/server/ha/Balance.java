package io.sluice.server.ha;

import io.sluice.protocol.time.Time;
import io.sluice.server.ha.Coordinator.Candidates;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Decides, while this server runs a destination, whether another should run it, so that every server has its share.
 *
 * <p>Thread-safe.
 */
final class Balance {
    private final String destination;
    private final String address;
    private final Duration delay;
    private final Time time;
    private @Nullable Long othersSince;

    /**
     * Creates one.
     *
     * @param delay how long another must have been the one that should run it; zero if that never counts
     */
    Balance(String destination, String address, Duration delay, Time time) {
        this.destination = destination;
        this.address = address;
        this.delay = delay;
        this.time = time;
    }

    /** Whether the candidates matter at all. */
    boolean isUsed() {
        return !delay.isZero();
    }

    /** Notes the candidates as they are now. */
    synchronized void note(Candidates candidates) {
        boolean others = candidates.servers().contains(address)
                && Shares.turnOf(address, destination, candidates.destinations(), candidates.servers()) > 0;
        if (!others) {
            othersSince = null;
        } else if (othersSince == null) {
            othersSince = time.nanos();
        }
    }

    /** Whether another should run it, and has been there long enough. */
    synchronized boolean isOthers() {
        return othersSince != null && time.nanos() - othersSince >= delay.toNanos();
    }
}
