package io.sluice.server.ha;

import io.sluice.server.ha.SimulatedCoordinator.Weakness;
import io.sluice.server.ha.SimulatedEnsemble.Running;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Some servers share a destination through an ensemble, and everything fails for a while.
 *
 * <p>After every event, at most one server may deliver. When nothing fails any more, one does within a bound.
 */
final class OwnershipSimulation {
    private static final Duration FAULTS = Duration.ofSeconds(60);
    private static final int[] SESSION_SECONDS = {4, 6, 10, 15, 30};

    private final Simulation simulation;
    private final SimulatedEnsemble ensemble;
    private final List<SimulatedServer> servers = new ArrayList<>();
    private final Duration session;
    private final Duration bound;
    private boolean faultsCease;

    /** When the last fault is over. */
    private long calm;

    private long newestEpoch;
    private Optional<String> violation = Optional.empty();

    /**
     * What a run has shown.
     *
     * @param owners how many services were started
     * @param failure what was violated; empty if nothing was
     */
    record Result(long owners, long events, Optional<String> failure) {}

    OwnershipSimulation(long seed, Weakness weakness, boolean traced, SimulatedServices services) {
        simulation = new Simulation(seed, traced);
        session = Duration.ofSeconds(SESSION_SECONDS[simulation.below(SESSION_SECONDS.length)]);
        Duration tick = Duration.ofMillis(simulation.chance(0.5) ? 500 : session.toMillis() / 2);
        ensemble = new SimulatedEnsemble(simulation, tick, tick.multipliedBy(2 + simulation.below(20)), session);
        int number = 2 + simulation.below(2);
        for (int i = 1; i <= number; i++) {
            servers.add(new SimulatedServer(simulation, ensemble, "10.0.0." + i, weakness, services));
        }
        simulation.observe(this::observe);
        // The session ends, the lease is over, all candidates before it have been tried, and the longest pause after a
        // failure is over.
        bound = session.multipliedBy(3).plusSeconds(60);
    }

    static Result run(long seed, Weakness weakness) {
        Result result = new OwnershipSimulation(seed, weakness, false, SimulatedServices.NONE).run();
        if (result.failure().isEmpty()) {
            return result;
        }
        OwnershipSimulation again = new OwnershipSimulation(seed, weakness, true, SimulatedServices.NONE);
        Result same = again.run();
        return new Result(
                same.owners(),
                same.events(),
                same.failure().map(failure -> "seed %d: %s%n%s".formatted(seed, failure, again.simulation.trace())));
    }

    /** Plans the faults. */
    void begin() {
        simulation.after(Duration.ofSeconds(5), this::disturb);
        simulation.after(FAULTS, () -> {
            faultsCease = true;
            calm = Math.max(calm, FAULTS.toNanos());
            servers.forEach(server -> server.setFrailty(0));
        });
    }

    /** When the next event is. */
    long next() {
        return simulation.next();
    }

    /** Runs the next event; returns what was violated by it, empty if nothing was. */
    Optional<String> step() {
        simulation.step();
        return violation;
    }

    /** Whether the process of a server runs. */
    boolean isAwake(String address) {
        return servers.stream().anyMatch(server -> server.address().equals(address) && !server.isFrozen());
    }

    /** The process of the owner can run no more, as when its instance has failed. */
    void fail(String address) {
        servers.stream().filter(server -> server.address().equals(address)).forEach(SimulatedServer::fail);
    }

    private Result run() {
        begin();
        long events = 0;
        long owners = 0;
        while (true) {
            simulation.step();
            events++;
            Optional<String> failure = violation;
            SimulatedServer owner = owner();
            if (owner != null && owner.epoch() > newestEpoch) {
                newestEpoch = owner.epoch();
                owners++;
            }
            if (failure.isEmpty() && faultsCease && simulation.now() > calm + bound.toNanos()) {
                failure = Optional.of("no server delivers, %d s after the last fault".formatted(bound.toSeconds()));
            }
            boolean isOver = faultsCease && simulation.now() > calm && owner != null;
            if (isOver || failure.isPresent()) {
                return new Result(owners, events, failure);
            }
        }
    }

    private @Nullable SimulatedServer owner() {
        for (SimulatedServer server : servers) {
            if (server.mayDeliver()) {
                return server;
            }
        }
        return null;
    }

    private void observe() {
        servers.forEach(SimulatedServer::observe);
        if (violation.isEmpty()) {
            violation = find();
        }
    }

    private Optional<String> find() {
        SimulatedServer found = null;
        for (SimulatedServer server : servers) {
            if (server.mayArrive()) {
                if (found != null) {
                    return Optional.of("%s delivers in epoch %d, and %s in epoch %d"
                            .formatted(found.address(), found.epoch(), server.address(), server.epoch()));
                }
                found = server;
            }
        }
        return Optional.empty();
    }

    private void disturb() {
        if (faultsCease) {
            return;
        }
        SimulatedServer server = servers.get(simulation.below(servers.size()));
        Duration length = simulation.upTo(session.multipliedBy(2));
        calm = Math.max(calm, simulation.now() + length.plus(session).toNanos());
        switch (simulation.below(16)) {
            case 0, 1 -> ensemble.cutOff(simulation.below(SimulatedEnsemble.SIZE), length);
            case 2 -> cutOffFollowerOfOwner(length);
            case 3 -> ensemble.pauseLeader(length);
            case 4 -> ensemble.outage(length);
            case 5 -> server.client().cutLine(length);
            case 6, 7 -> server.freeze(length);
            case 8 -> server.suspend(length);
            case 9 -> server.setWallClock(simulation.chance(0.5) ? length : length.negated());
            case 10 -> server.crash(length);
            case 11 -> server.restart(length);
            case 12 -> ensemble.change(nodes -> nodes.withRunning(null)); // an operator
            case 13 ->
                ensemble.change(nodes -> {
                    Running running = nodes.running();
                    return running == null
                            ? nodes
                            : nodes.withRunning(new Running(running.session(), running.id(), false));
                });
            case 14 -> endSession(server);
            default -> breakService(server);
        }
        simulation.after(simulation.upTo(Duration.ofSeconds(8)), this::disturb);
    }

    /** Freezes it before, sometimes: its next request is then the first for long. */
    private void cutOffFollowerOfOwner(Duration length) {
        for (SimulatedServer server : servers) {
            int member = server.client().member();
            if (server.isOwner() && member >= 0) {
                Duration frozen = simulation.chance(0.5) ? simulation.upTo(session) : Duration.ZERO;
                server.freeze(frozen);
                simulation.after(
                        frozen.plus(simulation.upTo(Duration.ofMillis(300))), () -> ensemble.cutOff(member, length));
            }
        }
    }

    private void endSession(SimulatedServer server) {
        if (simulation.chance(0.5)) {
            ensemble.end(server.client().session());
        } else {
            server.client().replaceSession();
        }
    }

    private void breakService(SimulatedServer server) {
        if (simulation.chance(0.5)) {
            server.fail();
        } else {
            server.setFrailty(simulation.chance(0.5) ? 0.5 : 0);
        }
    }
}
