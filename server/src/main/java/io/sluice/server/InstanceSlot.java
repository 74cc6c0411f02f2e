package io.sluice.server;

import io.sluice.server.ha.OwnershipTerm;
import io.sluice.server.ha.Service;
import io.sluice.server.instance.Instance;
import io.sluice.server.instance.InstanceState;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The place of one destination in a server: empty, or with the instance that runs it now. An instance is used once; each
 * start makes a new one. Started and stopped by one thread at a time, asked by any.
 */
final class InstanceSlot implements Service {
    private static final Logger LOG = LoggerFactory.getLogger(InstanceSlot.class);

    private final String name;
    private final boolean lazy;
    private final Function<OwnershipTerm, Instance> make;
    private volatile @Nullable Instance instance;

    /**
     * Makes one, empty.
     *
     * @param lazy whether it is filled only when a client asks for it
     */
    InstanceSlot(String name, boolean lazy, Function<OwnershipTerm, Instance> make) {
        this.name = name;
        this.lazy = lazy;
        this.make = make;
    }

    /** The destination's name. */
    String name() {
        return name;
    }

    boolean isLazy() {
        return lazy;
    }

    /** The instance that runs; empty if another server runs the destination, or none does. */
    Optional<Instance> instance() {
        return Optional.ofNullable(instance);
    }

    /** Makes an instance without starting it. */
    void fill(OwnershipTerm term) {
        instance = make.apply(term);
    }

    /** Starts the instance that is there. */
    void begin() {
        Instance current = instance;
        if (current != null) {
            current.start();
        }
    }

    @Override
    public void start(OwnershipTerm term) {
        fill(term);
        begin();
    }

    @Override
    public void stop(Duration limit) {
        Instance current = instance;
        if (current == null) {
            return;
        }
        instance = null;
        try {
            current.stop(limit);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LOG.error("an instance did not stop in good order: instance={}", name, e);
        }
    }

    @Override
    public void abandon() {
        Instance current = instance;
        if (current == null) {
            return;
        }
        instance = null;
        try {
            current.abandon();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LOG.error("an instance did not end in good order: instance={}", name, e);
        }
    }

    @Override
    public boolean hasFailed() {
        Instance current = instance;
        return current != null && current.state() == InstanceState.FAILED;
    }
}
