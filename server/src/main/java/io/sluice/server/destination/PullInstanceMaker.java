package io.sluice.server.destination;

import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.ha.OwnershipTerm;
import io.sluice.server.instance.FailureListener;
import io.sluice.server.instance.Instance;
import io.sluice.server.instance.InstanceWiring;
import io.sluice.server.instance.SharedPools;

/** Makes instances whose entries are pulled by clients. Thread-safe. */
public final class PullInstanceMaker implements InstanceMaker {
    private final int maxSubscriptions;
    private final DestinationStates states;
    private final InstanceWiring wiring;
    private final FailureListener onFailure;

    /**
     * Creates one for a server.
     *
     * @param maxSubscriptions how many clients may subscribe to an instance
     * @param onFailure is told which instances cannot continue
     */
    public PullInstanceMaker(
            int maxSubscriptions, DestinationStates states, SharedPools pools, FailureListener onFailure) {
        this.maxSubscriptions = maxSubscriptions;
        this.states = states;
        this.wiring = new InstanceWiring(pools);
        this.onFailure = onFailure;
    }

    @Override
    public Instance make(InstanceConfig config, OwnershipTerm term) {
        states.paceHome(config.destination()).keep(config, term);
        return wiring.pulled(config, maxSubscriptions, term, states.of(config.destination()), onFailure);
    }
}
