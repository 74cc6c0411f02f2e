package io.sluice.server.destination;

import io.sluice.server.ha.Absence;
import io.sluice.server.ha.Candidacies;
import io.sluice.server.ha.Candidacy;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A destination that this server shares with others. The server enters as a candidate, withdraws when the destination is stopped or released, and may
 * enter again.
 */
final class AmongServers implements Placement {
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
    AmongServers(InstanceSlot slot, Candidacies cluster) {
        this.slot = slot;
        this.cluster = cluster;
    }

    @Override
    public boolean isShared() {
        return true;
    }

    /** Does nothing if this server is a candidate. */
    @Override
    public void enter() {
        if (candidacy == null) {
            Candidacy entered = cluster.candidacyFor(slot.name(), slot);
            candidacy = entered;
            if (!slot.isLazy()) {
                entered.want();
            }
        }
    }

    @Override
    public boolean awaken() {
        return want();
    }

    @Override
    public void startUnasked() {
        want();
    }

    @Override
    public boolean start(boolean wasStopped) {
        boolean isNew = !isEntered() || wasStopped;
        enter();
        return wantNow() || isNew;
    }

    /** Whether this server is a candidate. One that has died is forgotten: it has left the destination. */
    private boolean isEntered() {
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
    private boolean want() {
        Candidacy current = candidacy;
        if (current == null) {
            return false;
        }
        boolean isFirst = !current.isWanted();
        current.want();
        return isFirst;
    }

    /** Wants the destination, and ends a rest after a failure; returns whether there was one. */
    private boolean wantNow() {
        Candidacy current = candidacy;
        if (current == null) {
            return false;
        }
        current.want();
        return current.retryNow();
    }

    @Override
    public Optional<Absence> absence() {
        Candidacy current = candidacy;
        return current == null || slot.instance().isPresent() ? Optional.empty() : current.absence();
    }

    @Override
    public void withdraw(Duration limit) {
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

    @Override
    public void beginClose(Duration limit) {
        Candidacy current = candidacy;
        if (current != null) {
            current.beginClose(limit);
        }
    }
}
