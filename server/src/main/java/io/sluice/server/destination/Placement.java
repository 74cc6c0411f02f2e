package io.sluice.server.destination;

import io.sluice.server.ha.Absence;
import java.time.Duration;
import java.util.Optional;

/**
 * Where a destination may run: on this server alone, or on one of several that share it. Has its {@link InstanceSlot} filled where it may run.
 *
 * <p>It is changed by one thread at a time, and read by any; {@link #beginClose} may be called during a change.
 */
sealed interface Placement permits Alone, AmongServers {
    /** Whether other servers may run it. */
    boolean isShared();

    /** Enters this server among those that may run it, if there are others; it wants the destination then unless that is lazy. */
    void enter();

    /**
     * Starts a lazy instance that a client asks for; among others, this server wants it from now on.
     *
     * @return whether this server wants it from the other servers only now
     */
    boolean awaken();

    /**
     * Starts an instance that has waited for a client and is not lazy any more; among others, this server wants it from now on.
     *
     * @throws RuntimeException if none can be made; it waits as before
     */
    void startUnasked();

    /**
     * Starts it if it does not run or has failed; among others, this server wants it from now on, and a rest after a failure ends.
     *
     * @param wasStopped whether an operator had stopped it
     * @return false if it runs already, or wants to
     * @throws RuntimeException if no instance can be made
     */
    boolean start(boolean wasStopped);

    /** That it runs on no server, as far as this one knows, though it is wanted here; empty if it runs, or is not shared with others. */
    Optional<Absence> absence();

    /** Leaves it to other servers, if there are any, and waits until its instance has stopped. */
    void withdraw(Duration limit);

    /** Begins to leave it to other servers, which {@link #withdraw} waits for. */
    void beginClose(Duration limit);
}
