package io.sluice.server.destination;

import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.ha.OwnershipTerm;
import io.sluice.server.instance.Instance;

/** Makes instances. Thread-safe. */
@FunctionalInterface
public interface InstanceMaker {
    /**
     * Makes an instance without starting it.
     *
     * @param term in which it may run here
     * @throws RuntimeException if that is not possible; nothing is left open
     */
    Instance make(InstanceConfig config, OwnershipTerm term);
}
