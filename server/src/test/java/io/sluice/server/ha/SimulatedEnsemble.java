package io.sluice.server.ha;

import io.sluice.server.ha.Heartbeats.Beat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A ZooKeeper ensemble with what matters to ownership: writes are decided by the leader, and only with a majority; a server
 * answers reads from its own state, also when it is cut off, for {@code syncLimit} ticks, or has been paused and does not know
 * that it does not lead any more; a session ends when the leader has had no report of it for its timeout, and the reports
 * come with the pings of the server where the client is, not with the client's writes.
 */
final class SimulatedEnsemble {
    static final int SIZE = 3;

    private final Simulation simulation;
    private final Duration tick;
    private final Duration syncLimit;
    private final Duration timeout;
    private final List<Member> members = new ArrayList<>();

    /** When sessions end, by the state of the leader. */
    private final Map<Long, Long> deadlines = new TreeMap<>();

    private Nodes committed = Nodes.NONE;
    private int leader;
    private int term;
    private boolean down;
    private long sessions;

    /**
     * The nodes that matter.
     *
     * @param zxid counts the writes
     */
    record Nodes(
            long zxid,
            @Nullable Running running,
            long epoch,
            Optional<FormerOwner> owner,
            long released,
            Map<String, Beat> beats,
            Map<String, Long> candidates) {
        static final Nodes NONE = new Nodes(0, null, 0, Optional.empty(), 0, Map.of(), Map.of());

        Nodes withRunning(@Nullable Running changed) {
            return new Nodes(zxid, changed, epoch, owner, released, beats, candidates);
        }

        Nodes withOwner(long newEpoch, FormerOwner changed) {
            return new Nodes(zxid, running, newEpoch, Optional.of(changed), released, beats, candidates);
        }

        Nodes withReleased(long changed) {
            return new Nodes(zxid, running, epoch, owner, changed, beats, candidates);
        }

        /** Writes a heartbeat with the id of this write. */
        Nodes withBeat(String name) {
            Map<String, Beat> changed = new TreeMap<>(beats);
            changed.put(name, new Beat(zxid, (int) zxid));
            return new Nodes(zxid, running, epoch, owner, released, changed, candidates);
        }

        Nodes withoutBeat(String name) {
            Map<String, Beat> changed = new TreeMap<>(beats);
            changed.remove(name);
            return new Nodes(zxid, running, epoch, owner, released, changed, candidates);
        }

        Nodes withCandidates(Map<String, Long> changed) {
            return new Nodes(zxid, running, epoch, owner, released, beats, changed);
        }

        private Nodes next() {
            return new Nodes(zxid + 1, running, epoch, owner, released, beats, candidates);
        }

        private Nodes without(long session) {
            Map<String, Long> left = new TreeMap<>(candidates);
            left.values().remove(session);
            boolean owned = running != null && running.session() == session;
            return withCandidates(left).withRunning(owned ? null : running);
        }

        private boolean differsInWhatIsWatched(Nodes other) {
            return !Objects.equals(running, other.running) || released != other.released;
        }
    }

    /** The node by which a session owns the destination. */
    record Running(long session, long id, boolean active) {}

    /** The outcome of a write: the nodes after it, null if it was rejected; and its result. */
    record Written<T>(@Nullable Nodes nodes, T result) {}

    /** One server of the ensemble. */
    private static final class Member {
        private final List<SimulatedClient> clients = new ArrayList<>();
        private final List<Runnable> held = new ArrayList<>();
        private final Map<Long, List<Runnable>> awaiting = new TreeMap<>();
        private Nodes applied = Nodes.NONE;
        private long lastApply;
        private boolean cutOff;
        private boolean paused;
        private boolean serves = true;

        /** Runs it now, or when the server continues. */
        private void run(Runnable action) {
            if (paused) {
                held.add(action);
            } else {
                action.run();
            }
        }

        private void apply(Nodes nodes) {
            if (nodes.zxid() <= applied.zxid()) {
                return;
            }
            boolean wakes = nodes.differsInWhatIsWatched(applied);
            applied = nodes;
            List<Runnable> done = new ArrayList<>();
            awaiting.entrySet().removeIf(entry -> entry.getKey() <= nodes.zxid() && done.addAll(entry.getValue()));
            done.forEach(Runnable::run);
            if (wakes) {
                clients.forEach(SimulatedClient::notifyOfChange);
            }
        }

        private void dropClients() {
            awaiting.clear();
            for (SimulatedClient client : List.copyOf(clients)) {
                client.disconnect("dropped by its server");
            }
        }
    }

    SimulatedEnsemble(Simulation simulation, Duration tick, Duration syncLimit, Duration timeout) {
        this.simulation = simulation;
        this.tick = tick;
        this.syncLimit = syncLimit;
        this.timeout = timeout;
        for (int i = 0; i < SIZE; i++) {
            members.add(new Member());
        }
    }

    Duration timeout() {
        return timeout;
    }

    /** The nodes by the state of the leader. */
    Nodes committed() {
        return committed;
    }

    int leader() {
        return leader;
    }

    private boolean hasMajority() {
        return !down
                && !members.get(leader).paused
                && members.stream()
                                .filter(member -> !member.cutOff && !member.paused)
                                .count()
                        > SIZE / 2;
    }

    /** Connects a client, with its session if that has not ended; false if this server cannot. */
    boolean connect(SimulatedClient client, int number) {
        Member member = members.get(number);
        if (down
                || member.paused
                || !member.serves
                || member.cutOff
                || !hasMajority()
                || member.applied.zxid() < client.lastZxid()) {
            return false;
        }
        if (client.session() != 0 && !deadlines.containsKey(client.session())) {
            client.sessionEnded();
        }
        if (client.session() == 0) {
            client.newSession(++sessions);
        }
        extend(client.session());
        member.clients.add(client);
        return true;
    }

    void leave(SimulatedClient client, int number) {
        members.get(number).clients.remove(client);
    }

    private void extend(long session) {
        // rounded up to the next tick, as a leader does
        long deadline =
                simulation.now() + timeout.toNanos() + simulation.upTo(tick).toNanos();
        deadlines.put(session, deadline);
        simulation.at(deadline, () -> expire(session));
    }

    private void expire(long session) {
        Long deadline = deadlines.get(session);
        if (deadline != null && deadline <= simulation.now() && hasMajority()) {
            end(session);
        }
    }

    /** Ends a session, as its timeout or an operator does. */
    void end(long session) {
        if (hasMajority() && deadlines.remove(session) != null) {
            simulation.note(() -> "session " + session + " ends");
            commit(committed.next().without(session));
        }
    }

    /** A session is reported to the leader with the next ping of the server where its client is. */
    private void touch(Member member, long session) {
        Duration until = member == members.get(leader) ? Duration.ZERO : simulation.upTo(tick.dividedBy(2));
        int now = term;
        simulation.after(until, () -> {
            if (term == now && !member.cutOff && !member.paused && hasMajority() && deadlines.containsKey(session)) {
                extend(session);
            }
        });
    }

    /** A request of a client for the state of a server. */
    void read(int number, long session, Consumer<Nodes> answer) {
        Member member = members.get(number);
        member.run(() -> {
            touch(member, session);
            answer.accept(member.applied);
        });
    }

    /** A write of a client, answered when the client's server has applied it, or never. */
    <T> void write(
            int number,
            long session,
            Function<Nodes, Written<T>> change,
            BiConsumer<Long, T> answer,
            Runnable expired) {
        Member member = members.get(number);
        member.run(() -> {
            touch(member, session);
            int now = term;
            Duration way = member == members.get(leader) ? Duration.ZERO : simulation.latency();
            if (member.cutOff) {
                return;
            }
            simulation.after(
                    way,
                    () -> members.get(leader).run(() -> {
                        if (term != now || !hasMajority()) {
                            return;
                        }
                        if (!deadlines.containsKey(session)) {
                            expired.run();
                            return;
                        }
                        Written<T> written = change.apply(committed.next());
                        Nodes after = written.nodes() == null ? committed.next() : written.nodes();
                        if (after.zxid() != committed.zxid() + 1) {
                            throw new AssertionError("a change must be made to the nodes that it was given");
                        }
                        commit(after);
                        if (member.applied.zxid() >= after.zxid()) {
                            answer.accept(after.zxid(), written.result());
                        } else {
                            member.awaiting
                                    .computeIfAbsent(after.zxid(), any -> new ArrayList<>())
                                    .add(() -> answer.accept(after.zxid(), written.result()));
                        }
                    }));
        });
    }

    /** An operator's change, without a session. */
    void change(Function<Nodes, Nodes> change) {
        if (hasMajority()) {
            commit(change.apply(committed.next()));
        }
    }

    private void commit(Nodes after) {
        committed = after;
        for (int i = 0; i < SIZE; i++) {
            Member member = members.get(i);
            if (i == leader) {
                member.apply(after);
            } else if (!member.cutOff) {
                member.lastApply = Math.max(
                        member.lastApply,
                        simulation.now() + simulation.latency().toNanos());
                simulation.at(
                        member.lastApply,
                        () -> member.run(() -> {
                            if (!member.cutOff) {
                                member.apply(after);
                            }
                        }));
            }
        }
    }

    /** Cuts a follower off; it gives up after the limit, and follows again when it is healed. */
    void cutOff(int number, Duration length) {
        Member member = members.get(number);
        if (number == leader || down || members.stream().anyMatch(other -> other.cutOff || other.paused)) {
            return;
        }
        simulation.note(() -> "member " + number + " is cut off");
        member.cutOff = true;
        int now = term;
        simulation.after(syncLimit, () -> {
            if (member.cutOff && term == now) {
                member.serves = false;
                member.dropClients();
            }
        });
        simulation.after(length, () -> {
            if (member.cutOff) {
                simulation.note(() -> "member " + number + " is healed");
                member.cutOff = false;
                member.serves = true;
                member.dropClients();
                member.apply(committed);
            }
        });
    }

    /**
     * Pauses the leader. If that takes longer than the limit, another leads; the paused one answers the requests that have come to it, and
     * is only then notified that it does not lead any more.
     */
    void pauseLeader(Duration length) {
        int number = leader;
        Member member = members.get(number);
        if (down || members.stream().anyMatch(other -> other.cutOff || other.paused)) {
            return;
        }
        simulation.note(() -> "leader " + number + " is paused");
        member.paused = true;
        int now = term;
        if (length.compareTo(syncLimit) > 0) {
            simulation.after(syncLimit.plus(simulation.upTo(tick)), () -> elect((number + 1) % SIZE, number));
        }
        simulation.after(length, () -> {
            simulation.note(() -> "member " + number + " continues");
            member.paused = false;
            List<Runnable> late = List.copyOf(member.held);
            member.held.clear();
            late.forEach(Runnable::run);
            if (term != now) {
                simulation.after(simulation.upTo(Duration.ofMillis(200)), () -> {
                    member.cutOff = false;
                    member.dropClients();
                    member.apply(committed);
                });
            } else {
                new ArrayList<>(deadlines.keySet()).forEach(this::expire);
            }
        });
    }

    /** All sessions have their full time again with a new leader. Clients lose their connections, but not those of one server. */
    private void elect(int number, int unaware) {
        simulation.note(() -> "member " + number + " leads");
        leader = number;
        term++;
        for (int i = 0; i < SIZE; i++) {
            if (i == unaware) {
                members.get(i).cutOff = true;
            } else {
                members.get(i).dropClients();
                members.get(i).cutOff = false;
                members.get(i).serves = true;
                members.get(i).apply(committed);
            }
        }
        List.copyOf(deadlines.keySet()).forEach(this::extend);
    }

    /** No server works for a while, and then all do. */
    void outage(Duration length) {
        if (down || members.stream().anyMatch(other -> other.cutOff || other.paused)) {
            return;
        }
        simulation.note(() -> "no majority");
        down = true;
        members.forEach(Member::dropClients);
        simulation.after(length, () -> {
            down = false;
            elect(simulation.below(SIZE), -1);
        });
    }
}
