package io.sluice.server.destination;

import io.sluice.server.ha.Absence;
import io.sluice.server.ha.OwnershipTerm;
import io.sluice.server.instance.FailureListener;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A destination that only this server runs. */
final class Alone implements Placement {
    private static final Logger LOG = LoggerFactory.getLogger(Alone.class);

    private final InstanceSlot slot;
    private final FailureListener onFailure;

    /**
     * Creates one; nothing is started yet.
     *
     * @param slot the place of the destination
     * @param onFailure is told when no instance can be made where one should run
     */
    Alone(InstanceSlot slot, FailureListener onFailure) {
        this.slot = slot;
        this.onFailure = onFailure;
    }

    @Override
    public boolean isShared() {
        return false;
    }

    @Override
    public void enter() {}

    @Override
    public boolean awaken() {
        if (slot.instance().isEmpty()) {
            LOG.info("a client asks for a lazy instance: instance={}", slot.name());
            try {
                slot.start(OwnershipTerm.sole());
            } catch (RuntimeException e) {
                LOG.error("a lazy instance cannot be started: instance={}", slot.name(), e);
                onFailure.failed(slot.name(), e);
            }
        }
        return false;
    }

    @Override
    public void startUnasked() {
        LOG.info("a lazy instance is not lazy any more, and is started: instance={}", slot.name());
        try {
            slot.start(OwnershipTerm.sole());
        } catch (RuntimeException e) {
            slot.stop(Duration.ZERO); // so that it waits as before
            throw e;
        }
    }

    @Override
    public boolean start(boolean wasStopped) {
        if (slot.instance().isPresent() && !slot.hasFailed()) {
            return false;
        }
        slot.stop(Duration.ZERO);
        try {
            slot.start(OwnershipTerm.sole());
        } catch (RuntimeException e) {
            onFailure.failed(slot.name(), e);
            throw e;
        }
        return true;
    }

    @Override
    public Optional<Absence> absence() {
        return Optional.empty();
    }

    @Override
    public void withdraw(Duration limit) {}

    @Override
    public void beginClose(Duration limit) {}
}
