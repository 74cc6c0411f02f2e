package io.sluice.server.destination;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Whether a destination may run: not while an operator has stopped it, nor after its end.
 *
 * <p>Thread-safe. It is stopped and allowed again while the lock of {@link DestinationRunner} is held. It is closed, and commands to stop it are counted,
 * without that lock: a change that is under way starts nothing any more.
 */
final class RunPermission {
    private final AtomicLong stops = new AtomicLong();
    private volatile boolean isClosed;
    private volatile boolean isStopped;

    boolean mayRun() {
        return !isClosed && !isStopped;
    }

    /** Whether it was ended for good. */
    boolean isClosed() {
        return isClosed;
    }

    /** Whether an operator has stopped it. */
    boolean isStopped() {
        return isStopped;
    }

    /** How often a command to stop it has come, be it carried out or not yet. */
    long stops() {
        return stops.get();
    }

    /** Notes that a command to stop it has come. */
    void countStop() {
        stops.incrementAndGet();
    }

    /** Carries out a command to stop it. Returns whether it was stopped before. */
    boolean stop() {
        boolean wasStopped = isStopped;
        isStopped = true;
        return wasStopped;
    }

    /** Allows it to run after a stop. Returns whether it was stopped before. */
    boolean allow() {
        boolean wasStopped = isStopped;
        isStopped = false;
        return wasStopped;
    }

    /** Ends it for good. */
    void close() {
        isClosed = true;
    }
}
