package io.sluice.server.destination;

import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.ha.Candidacies;
import io.sluice.server.instance.DestinationState;
import io.sluice.server.instance.FailureListener;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Makes the runners of destinations, with what this server has kept of each. Thread-safe. */
public final class RunnerFactory {
    private final DestinationStates states;
    private final InstanceMaker maker;
    private final @Nullable Candidacies cluster;
    private final FailureListener onNotMade;

    /**
     * Creates one for a server.
     *
     * @param cluster the servers with which destinations are shared; null if there are none
     * @param onNotMade is told when no instance can be made where one should run
     */
    public RunnerFactory(
            DestinationStates states, InstanceMaker maker, @Nullable Candidacies cluster, FailureListener onNotMade) {
        this.states = states;
        this.maker = maker;
        this.cluster = cluster;
        this.onNotMade = onNotMade;
    }

    /** Makes one that does not run yet. */
    public DestinationRunner make(InstanceConfig config) {
        states.added(config.destination());
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
                cluster == null ? null : reporting(cluster, state),
                onNotMade,
                new SplittableRandom());
    }

    /** Notes that a destination is removed, and its runner closed. */
    public void removed(String destination) {
        states.removed(destination);
    }

    private Candidacies reporting(Candidacies all, DestinationState state) {
        return (destination, service) ->
                all.candidacyFor(destination, new ReportingService(destination, service, onNotMade, state.errors()));
    }
}
