package io.sluice.server.destination;

import io.sluice.server.control.CommandRejectedException;
import io.sluice.server.ha.OwnershipTerm;
import io.sluice.server.pace.Pace;
import io.sluice.server.pace.PaceStatus;
import java.util.function.Consumer;

/**
 * How fast a destination is delivered, as an operator sees and changes it. If that is kept for all servers of a cluster, only the one that runs the
 * destination knows it. Thread-safe.
 */
public final class DestinationPace {
    private final InstanceSlot slot;
    private final Pace pace;
    private final PaceHome home;

    DestinationPace(InstanceSlot slot, Pace pace, PaceHome home) {
        this.slot = slot;
        this.pace = pace;
        this.home = home;
    }

    /** What holds up the delivery at the moment. */
    public PaceStatus status() {
        return PaceHome.isShared(slot.config()) && !home.isOpenIn(slot.term()) ? PaceStatus.elsewhere() : pace.status();
    }

    /**
     * Changes how fast the destination is delivered, and waits until that is kept as is configured.
     *
     * @throws CommandRejectedException if another server would have to do it, or it is done, but not kept
     */
    public void change(Consumer<Pace> change) {
        OwnershipTerm term = slot.term();
        boolean isShared = PaceHome.isShared(slot.config());
        if (isShared && !home.isOpenIn(term)) {
            throw new CommandRejectedException(
                    ("%s does not run here, and only the server that runs it can pause, resume or limit it: call that one (sluice.sh status"
                                    + " shows not_here on the others), or start the instance")
                            .formatted(slot.name()));
        }
        change.accept(pace);
        String failure = pace.whyNotKept();
        if (failure != null) {
            throw new CommandRejectedException(
                    isShared
                            ? "it is done, but a server that takes over would not know it: %s; it is written as soon as that is possible"
                                    .formatted(failure)
                            : "it is done, but would not outlive this process: %s; correct that, and repeat it"
                                    .formatted(failure));
        }
        if (isShared && !home.isOpenIn(term)) {
            throw new CommandRejectedException(
                    "%s was given up by this server meanwhile: repeat it at the server that runs it"
                            .formatted(slot.name()));
        }
    }
}
