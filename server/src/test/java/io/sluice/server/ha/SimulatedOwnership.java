package io.sluice.server.ha;

import io.sluice.server.ha.SimulatedCoordinator.Weakness;
import java.time.Duration;
import java.util.Optional;

/** Servers that share one destination, and whose coordinator, clocks and processes fail for a minute; for simulations of services. */
public final class SimulatedOwnership {
    /** How long there are faults. */
    public static final Duration FAULTS = Duration.ofSeconds(60);

    private final OwnershipSimulation simulation;

    /** @param renewsByReads whether leases are renewed by reads alone, which a server that is cut off answers, too */
    public SimulatedOwnership(long seed, boolean renewsByReads, SimulatedServices services) {
        simulation = new OwnershipSimulation(
                seed, renewsByReads ? Weakness.RENEWS_BY_STALE_READ : Weakness.NONE, false, services);
        simulation.begin();
    }

    /** When the next event is, in nanoseconds since the begin. */
    public long next() {
        return simulation.next();
    }

    /** Runs the next event; returns what was violated by it, empty if nothing was. */
    public Optional<String> step() {
        return simulation.step();
    }

    /** Whether the process of a server runs. */
    public boolean isAwake(String server) {
        return simulation.isAwake(server);
    }

    /** The owner's instance has failed. */
    public void fail(String server) {
        simulation.fail(server);
    }
}
