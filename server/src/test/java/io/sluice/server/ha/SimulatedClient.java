package io.sluice.server.ha;

import io.sluice.server.ha.SimulatedEnsemble.Nodes;
import io.sluice.server.ha.SimulatedEnsemble.Written;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * A process's connection to the simulated ensemble. Requests of one connection are executed in their order. Answers may be
 * late, even later than those of newer requests, or lost; a write may be made twice.
 */
final class SimulatedClient {
    private static final double LOST = 0.002;
    private static final double LATE = 0.01;
    private static final double TWICE = 0.002;
    private static final Duration MAX_LATE = Duration.ofSeconds(8);

    private final Simulation simulation;
    private final SimulatedEnsemble ensemble;
    private final Executor process;
    private final Runnable changed;
    private final Deque<Request<?>> pending = new ArrayDeque<>();
    private int member = -1;
    private int connection;
    private long session;
    private long lastZxid;
    private boolean lineCut;
    private boolean closed;
    private long lastArrival;
    private boolean busy;
    private final Deque<Runnable> atServer = new ArrayDeque<>();

    private record Request<T>(CompletableFuture<T> answer, long sent) {}

    /**
     * Creates one that begins to connect.
     *
     * @param process runs what happens in the process, later if that is frozen, never if it is dead
     * @param changed is run in the process when watched nodes have changed
     */
    SimulatedClient(Simulation simulation, SimulatedEnsemble ensemble, Executor process, Runnable changed) {
        this.simulation = simulation;
        this.ensemble = ensemble;
        this.process = process;
        this.changed = changed;
        simulation.after(simulation.latency(), () -> process.execute(this::connect));
        keepAlive();
    }

    long session() {
        return session;
    }

    long lastZxid() {
        return lastZxid;
    }

    boolean isConnected() {
        return member >= 0;
    }

    /** The server that it is connected to; negative if none. */
    int member() {
        return member;
    }

    void newSession(long id) {
        session = id;
    }

    /** With the session, it forgets the state that it has read. */
    void sessionEnded() {
        simulation.note(() -> "session " + session + " is known to have ended");
        session = 0;
        lastZxid = 0;
    }

    /** Gives up the session, which does not end by that, as a client library may do. */
    void replaceSession() {
        disconnect("its session is replaced");
        sessionEnded();
    }

    void cutLine(Duration length) {
        lineCut = true;
        simulation.after(length, () -> lineCut = false);
    }

    /** The process has died. */
    void close() {
        closed = true;
        if (member >= 0) {
            ensemble.leave(this, member);
            member = -1;
        }
        connection++;
    }

    void notifyOfChange() {
        int now = connection;
        simulation.after(simulation.latency(), () -> {
            if (now == connection && !lineCut) {
                process.execute(changed);
            }
        });
    }

    private void connect() {
        if (closed || member >= 0) {
            return;
        }
        int next = simulation.below(SimulatedEnsemble.SIZE);
        if (lineCut || !ensemble.connect(this, next)) {
            simulation.after(
                    simulation.between(Duration.ofMillis(50), Duration.ofSeconds(1)),
                    () -> process.execute(this::connect));
            return;
        }
        member = next;
        busy = false;
        atServer.clear();
        simulation.note(() -> "session " + session + " is connected to " + member);
        process.execute(changed);
    }

    /** The requests that are not answered fail, when the process runs. */
    void disconnect(String cause) {
        if (member < 0) {
            return;
        }
        simulation.note(() -> "session " + session + " loses its connection: " + cause);
        ensemble.leave(this, member);
        member = -1;
        connection++;
        List<Request<?>> lost = List.copyOf(pending);
        pending.clear();
        process.execute(() ->
                lost.forEach(request -> request.answer().completeExceptionally(new IllegalStateException("loss"))));
        simulation.after(simulation.upTo(Duration.ofSeconds(1)), () -> process.execute(this::connect));
    }

    /** A client sends a ping when it has received nothing for a third of the timeout, and gives up after two thirds. */
    private void keepAlive() {
        Duration third = ensemble.timeout().dividedBy(3);
        simulation.after(third.dividedBy(2), () -> {
            if (closed) {
                return;
            }
            process.execute(() -> {
                Request<?> oldest = pending.peek();
                if (oldest != null
                        && simulation.now() - oldest.sent()
                                > third.multipliedBy(2).toNanos()) {
                    disconnect("no answer");
                } else if (oldest == null && member >= 0) {
                    var unused = read(nodes -> true);
                }
            });
            keepAlive();
        });
    }

    <T> CompletableFuture<T> read(Function<Nodes, T> question) {
        return send((request, done) -> ensemble.read(member, session, nodes -> {
            done.run();
            reply(request, nodes.zxid(), question.apply(nodes));
        }));
    }

    <T> CompletableFuture<T> write(Function<Nodes, Written<T>> change) {
        if (!simulation.chance(TWICE)) {
            return writeOnce(change);
        }
        simulation.note(() -> "a write is made twice");
        return this.<T>writeOnce(change).thenCompose(first -> writeOnce(change));
    }

    private <T> CompletableFuture<T> writeOnce(Function<Nodes, Written<T>> change) {
        return send((request, done) -> ensemble.write(
                member,
                session,
                change,
                (zxid, result) -> {
                    done.run();
                    reply(request, zxid, result);
                },
                () -> {
                    int now = connection;
                    process.execute(() -> {
                        if (now == connection) {
                            disconnect("its session has ended");
                        }
                    });
                }));
    }

    /** What a server does with a request; runs the task when the next one may be executed. */
    private interface Execution<T> {
        void begin(Request<T> request, Runnable done);
    }

    private <T> CompletableFuture<T> send(Execution<T> execution) {
        Request<T> request = new Request<>(new CompletableFuture<>(), simulation.now());
        if (member < 0) {
            request.answer().completeExceptionally(new IllegalStateException("not connected"));
            return request.answer();
        }
        pending.add(request);
        if (lineCut) {
            return request.answer();
        }
        int now = connection;
        lastArrival =
                Math.max(lastArrival, simulation.now() + simulation.latency().toNanos());
        simulation.at(lastArrival, () -> {
            if (now == connection && !lineCut) {
                atServer.add(() -> {
                    busy = true;
                    execution.begin(request, () -> {
                        if (now == connection) {
                            busy = false;
                            executeNext();
                        }
                    });
                });
                executeNext();
            }
        });
        return request.answer();
    }

    private void executeNext() {
        while (!busy && !atServer.isEmpty()) {
            atServer.remove().run();
        }
    }

    private <T> void reply(Request<T> request, long zxid, T result) {
        int now = connection;
        simulation.after(simulation.latency(), () -> {
            if (now != connection || lineCut) {
                return;
            }
            process.execute(() -> {
                if (now != connection) {
                    return;
                }
                lastZxid = Math.max(lastZxid, zxid);
                pending.remove(request);
                if (simulation.chance(LOST)) {
                    simulation.note(() -> "an answer is lost");
                } else if (simulation.chance(LATE)) {
                    simulation.after(
                            simulation.upTo(MAX_LATE), () -> process.execute(() -> deliver(request.answer(), result)));
                } else {
                    deliver(request.answer(), result);
                }
            });
        });
    }

    private static <T> void deliver(CompletableFuture<T> answer, T result) {
        answer.complete(result);
    }
}
