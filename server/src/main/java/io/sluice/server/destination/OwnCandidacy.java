package io.sluice.server.destination;

import io.sluice.server.ha.Absence;
import io.sluice.server.ha.Candidacies;
import io.sluice.server.ha.Candidacy;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * This server's candidacy for a destination that it shares with other servers. The server enters as a candidate, withdraws when the destination is
 * stopped or released, and may enter again.
 *
 * <p>It is changed by one thread at a time, and read by any; {@link #beginClose} may be called during a change.
 */
final class OwnCandidacy {
    private final InstanceSlot slot;
    private final Candidacies cluster;

    /** Null before this server enters, and after it has withdrawn. */
    private volatile @Nullable Candidacy candidacy;

    /**
     * Creates one that has not entered.
     *
     * @param slot the place of the destination
     * @param cluster the servers with which it is shared
     */
    OwnCandidacy(InstanceSlot slot, Candidacies cluster) {
        this.slot = slot;
        this.cluster = cluster;
    }

    /** Enters this server if it is no candidate, and wants the destination then unless it is lazy. */
    void enter() {
        if (candidacy == null) {
            Candidacy entered = cluster.candidacyFor(slot.name(), slot);
            candidacy = entered;
            if (!slot.isLazy()) {
                entered.want();
            }
        }
    }

    /** Whether this server is a candidate. One that has died is forgotten: it has left the destination. */
    boolean isEntered() {
        Candidacy current = candidacy;
        if (current != null && !current.isAlive()) {
            candidacy = null;
        }
        return candidacy != null;
    }

    /**
     * Wants the destination from now on, if this server is a candidate.
     *
     * @return whether it did not before
     */
    boolean want() {
        Candidacy current = candidacy;
        if (current == null) {
            return false;
        }
        boolean isFirst = !current.isWanted();
        current.want();
        return isFirst;
    }

    /** Wants the destination, and ends a rest after a failure; returns whether there was one. */
    boolean wantNow() {
        Candidacy current = candidacy;
        if (current == null) {
            return false;
        }
        current.want();
        return current.retryNow();
    }

    /** That the destination runs on no server, as far as this one knows, though it is wanted here; empty if it runs here or elsewhere. */
    Optional<Absence> absence() {
        Candidacy current = candidacy;
        return current == null || slot.instance().isPresent() ? Optional.empty() : current.absence();
    }

    /** Leaves the destination to other servers, and waits until its instance has stopped. */
    void withdraw(Duration limit) {
        Candidacy current = candidacy;
        if (current == null) {
            return;
        }
        candidacy = null;
        current.beginClose(limit);
        try {
            current.awaitEnd();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Begins to leave it to other servers, which {@link #withdraw} waits for. */
    void beginClose(Duration limit) {
        Candidacy current = candidacy;
        if (current != null) {
            current.beginClose(limit);
        }
    }
}
