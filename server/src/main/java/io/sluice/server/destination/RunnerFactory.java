package io.sluice.server.destination;

import io.sluice.server.config.InstanceConfig;
import io.sluice.server.ha.Cluster;
import io.sluice.server.instance.DestinationState;
import io.sluice.server.instance.FailureListener;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Makes the runners of destinations, with what this server has kept of each. Thread-safe. */
public final class RunnerFactory {
    private final DestinationStates states;
    private final InstanceMaker maker;
    private final @Nullable Cluster cluster;
    private final FailureListener onNotMade;

    /**
     * Creates one for a server.
     *
     * @param cluster the servers with which destinations are shared; null if there are none
     * @param onNotMade is told when no instance can be made where one should run
     */
    public RunnerFactory(
            DestinationStates states, InstanceMaker maker, @Nullable Cluster cluster, FailureListener onNotMade) {
        this.states = states;
        this.maker = maker;
        this.cluster = cluster;
        this.onNotMade = onNotMade;
    }

    /** Makes one that does not run yet. */
    public DestinationRunner make(InstanceConfig config) {
        PaceHome home = states.paceHome(config.destination());
        home.begin(config);
        DestinationState state = states.of(config.destination());
        if (cluster == null) {
            state.cursors().begin(config.cursor());
        }
        return new DestinationRunner(
                new InstanceSlot(config, maker),
                state.pace(),
                home,
                state.cursors(),
                cluster,
                onNotMade,
                new SplittableRandom());
    }
}
