package io.sluice.server.ha.zookeeper;

import io.sluice.protocol.time.Time;
import java.time.Duration;

/**
 * Decides whether another server has the address of this one: whether the node that is named by it belongs to another session for longer than ZooKeeper
 * keeps one that has ended. {@link #isShared} is thread-safe, the rest is for one thread.
 */
final class AddressWatch {
    /** Of session timeouts. More than one, since the timeout of each session begins again when ZooKeeper elects another leader. */
    private static final int TIMEOUTS = 2;

    private final Time time;
    private long session;
    private long sinceNanos;
    private volatile boolean shared;

    AddressWatch(Time time) {
        this.time = time;
    }

    /**
     * Takes what was seen.
     *
     * @param otherSession the one that has the node; 0 if this server's session has it
     * @return whether {@link #isShared} has changed
     */
    boolean observe(long otherSession, Duration sessionTimeout) {
        long now = time.nanos();
        if (otherSession != session) {
            session = otherSession;
            sinceNanos = now;
        }
        boolean before = shared;
        shared = otherSession != 0
                && (before
                        || now - sinceNanos
                                >= sessionTimeout.multipliedBy(TIMEOUTS).toNanos());
        return shared != before;
    }

    /** Begins to measure again: without a connection, nothing is known of other sessions. */
    void disconnected() {
        session = 0;
    }

    /** Whether another server has the address; of both, the one that has registered itself first does not see that. */
    boolean isShared() {
        return shared;
    }
}
