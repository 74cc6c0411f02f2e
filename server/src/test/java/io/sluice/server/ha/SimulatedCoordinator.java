package io.sluice.server.ha;

import io.sluice.protocol.time.Time;
import io.sluice.server.ha.SimulatedEnsemble.Nodes;
import io.sluice.server.ha.SimulatedEnsemble.Running;
import io.sluice.server.ha.SimulatedEnsemble.Written;
import io.sluice.server.ha.zookeeper.OwnerNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The simulated ensemble's nodes as coordinator and heartbeats, by the same reads and writes as with ZooKeeper. */
final class SimulatedCoordinator implements Coordinator, Heartbeats {
    private static final double BROKEN = 0.002;

    private final Simulation simulation;
    private final SimulatedClient client;
    private final String address;
    private final Duration lease;
    private final Time time;
    private final Weakness weakness;

    /** A step that is left out, to prove that the simulation finds it. */
    enum Weakness {
        NONE,
        /** A lease is renewed by reads alone, which a server that is cut off answers, too. */
        RENEWS_BY_STALE_READ,
        /** A winner starts without waiting for the lease of the owner before. */
        STARTS_AT_ONCE,
        /** A winner waits as long as its own lease would be held, and not that of the owner before. */
        WAITS_FOR_ITS_OWN_LEASE,
        /** A winner that loses before it has waited for a longer lease lets the next one wait for its own only. */
        WRITES_ITS_OWN_LEASE,
        /** An owner that was elected, and has not waited for the one before it, reports that all before it are silent. */
        REPORTS_TOO_MUCH,
        /** A service that stops in good order does not look at its ownership. */
        SENDS_UNTIL_IT_HAS_STOPPED
    }

    SimulatedCoordinator(
            Simulation simulation,
            SimulatedClient client,
            String address,
            Duration lease,
            Time time,
            Weakness weakness) {
        this.simulation = simulation;
        this.client = client;
        this.address = address;
        this.lease = lease;
        this.time = time;
        this.weakness = weakness;
    }

    private String name(long session) {
        return address + "-" + session;
    }

    @Override
    public void onChange(Runnable task) {
        // the client notifies the process
    }

    @Override
    public CompletableFuture<Boolean> isTaken(Registration registration) {
        long session = client.session();
        return client.read(nodes -> nodes)
                .thenCompose(nodes -> {
                    Running running = nodes.running();
                    boolean isTaken = running != null && running.session() != session;
                    Long registered = registration.isDue(isTaken) ? Long.valueOf(session) : null;
                    return Objects.equals(registered, nodes.candidates().get(address))
                            ? CompletableFuture.completedFuture(nodes)
                            : client.<Nodes>write(before -> register(before, registered));
                })
                .thenCompose(nodes -> {
                    Running running = nodes.running();
                    if (running == null || running.session() != client.session()) {
                        return CompletableFuture.completedFuture(running != null);
                    }
                    return client.write(before ->
                            new Written<>(isSame(before.running(), running) ? before.withRunning(null) : null, false));
                });
    }

    private Written<Nodes> register(Nodes before, @Nullable Long session) {
        Map<String, Long> candidates = new TreeMap<>(before.candidates());
        if (session == null) {
            candidates.remove(address);
        } else {
            candidates.put(address, session);
        }
        Nodes after = before.withCandidates(candidates);
        return new Written<>(after, after);
    }

    private static boolean isSame(@Nullable Running running, Running other) {
        return running != null && running.id() == other.id();
    }

    @Override
    public CompletableFuture<Void> withdraw() {
        return client.write(before -> {
            Map<String, Long> candidates = new TreeMap<>(before.candidates());
            candidates.remove(address);
            return new Written<>(before.withCandidates(candidates), null);
        });
    }

    @Override
    public CompletableFuture<Candidates> candidates() {
        return client.read(nodes ->
                new Candidates(List.of("shop"), List.copyOf(nodes.candidates().keySet())));
    }

    @Override
    public CompletableFuture<Optional<Won>> tryToWin() {
        long session = client.session();
        return client.read(nodes -> nodes).thenCompose(nodes -> {
            Optional<FormerOwner> former = nodes.owner()
                    .filter(owner -> nodes.released() != owner.epoch() && weakness != Weakness.STARTS_AT_ONCE)
                    .map(owner -> weakness == Weakness.WAITS_FOR_ITS_OWN_LEASE
                            ? new FormerOwner(owner.epoch(), owner.heartbeat(), lease)
                            : owner);
            Duration written =
                    weakness == Weakness.WRITES_ITS_OWN_LEASE ? lease : OwnerNode.leaseToWrite(former, lease);
            long epoch = nodes.epoch() + 1;
            Lease.Instant asked = Lease.Instant.now(time);
            return client.<Long>write(before -> {
                        if (before.running() != null
                                || before.epoch() != nodes.epoch()
                                || client.session() != session) {
                            return new Written<>(null, 0L);
                        }
                        Nodes after = before.withRunning(new Running(session, before.zxid(), true))
                                .withOwner(epoch, new FormerOwner(epoch, name(session), written))
                                .withBeat(name(session));
                        return new Written<>(after, before.zxid());
                    })
                    .thenApply(id -> id == 0
                            ? Optional.empty()
                            : Optional.of(new Won(
                                    new Lease(epoch, lease, time, asked),
                                    session,
                                    id,
                                    former,
                                    written,
                                    List.of(),
                                    "",
                                    "")));
        });
    }

    @Override
    public CompletableFuture<Trace> trace(Won won) {
        if (client.session() != won.session()) {
            return CompletableFuture.failedFuture(new IllegalStateException("another session"));
        }
        FormerOwner former = won.former().orElseThrow();
        return client.read(nodes -> {
            Beat beat = nodes.beats().get(former.heartbeat());
            return new Trace(nodes.released() == former.epoch(), beat == null ? 0 : beat.id());
        });
    }

    @Override
    public CompletableFuture<Void> writeOwnLease(Won won) {
        long epoch = won.lease().epoch();
        return client.write(before -> new Written<>(
                before.epoch() == epoch
                        ? before.withOwner(epoch, new FormerOwner(epoch, name(won.session()), lease))
                        : null,
                null));
    }

    @Override
    public CompletableFuture<Optional<String>> lossOf(Won won) {
        if (!client.isConnected()) {
            return CompletableFuture.failedFuture(new IllegalStateException("not connected"));
        }
        if (simulation.chance(BROKEN)) {
            throw new IllegalStateException("a fault of ours");
        }
        if (client.session() != won.session()) {
            return CompletableFuture.completedFuture(Optional.of("the session was replaced"));
        }
        return client.read(nodes -> {
            Running running = nodes.running();
            if (running == null) {
                return Optional.of("deleted");
            }
            if (running.id() != won.id()) {
                return Optional.of("another server has it");
            }
            return running.active() ? Optional.empty() : Optional.of("inactive");
        });
    }

    @Override
    public CompletableFuture<Void> release(Won won, boolean silent) {
        return client.write(before -> {
            Running running = before.running();
            Nodes after = running != null && running.id() == won.id() ? before.withRunning(null) : before;
            boolean reports = silent || weakness == Weakness.REPORTS_TOO_MUCH;
            return new Written<>(reports ? after.withReleased(won.lease().epoch()) : after, null);
        });
    }

    @Override
    public boolean isInSession(Won won) {
        return client.isConnected() && client.session() == won.session();
    }

    @Override
    public OwnershipTerm term(Won won) {
        return new OwnershipTerm(won.lease(), null, List.of(), "", "");
    }

    @Override
    public CompletableFuture<Long> beat() {
        long session = client.session();
        if (weakness == Weakness.RENEWS_BY_STALE_READ) {
            return CompletableFuture.completedFuture(session);
        }
        return client.<Boolean>write(before -> before.beats().containsKey(name(session))
                        ? new Written<>(before.withBeat(name(session)), true)
                        : new Written<>(null, false))
                .thenCompose(written -> written
                        ? CompletableFuture.completedFuture(session)
                        : CompletableFuture.failedFuture(new IllegalStateException("no heartbeat")));
    }

    @Override
    public CompletableFuture<Map<String, Beat>> all() {
        return client.read(Nodes::beats);
    }

    @Override
    public void remove(String name, Beat last) {
        var unused = client.<Boolean>write(before -> {
            Beat beat = before.beats().get(name);
            return new Written<>(
                    beat != null && beat.version() == last.version() ? before.withoutBeat(name) : null, true);
        });
    }
}
