package io.sluice.server.ha;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.protocol.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.apache.zookeeper.KeeperException;
import org.jspecify.annotations.Nullable;

/** The nodes of one destination in the memory of a test, with answers that come at once, or fail while there is no majority. Thread-safe. */
final class SharedNodes {
    private static final Duration LEASE = Duration.ofSeconds(10);

    private final String destination;
    private final Time time;

    @GuardedBy("this") private final Set<String> candidates = new TreeSet<>();

    @GuardedBy("this") private @Nullable Won running;

    @GuardedBy("this") private long epoch;

    @GuardedBy("this") private @Nullable Exception failure;

    @GuardedBy("this") private @Nullable Exception failureOfWins;

    SharedNodes(String destination, Time time) {
        this.destination = destination;
        this.time = time;
    }

    /** Has no question answered, or all. */
    synchronized void setDown(boolean down) {
        failure = down ? new KeeperException.ConnectionLossException() : null;
    }

    /** Has all questions fail. */
    synchronized void fail(Exception cause) {
        failure = cause;
    }

    /** Has nothing but the questions fail by which a server would become the owner; null: none. */
    synchronized void failWins(@Nullable Exception cause) {
        failureOfWins = cause;
    }

    /** The servers that are registered. */
    synchronized Set<String> candidates() {
        return Set.copyOf(candidates);
    }

    /** The candidate of a server. */
    Candidate candidate(String address, Service service, Duration balanceDelay, Runnable changed) {
        Server server = new Server(address);
        return new Candidate(new Parts(
                destination,
                address,
                server,
                new Renewal(server, new HeartbeatAges(time), time, () -> LEASE),
                service,
                balanceDelay,
                time,
                new SplittableRandom(1),
                changed));
    }

    private synchronized <T> CompletableFuture<T> answer(Supplier<T> question) {
        if (failure != null) {
            return CompletableFuture.failedFuture(failure);
        }
        try {
            return CompletableFuture.completedFuture(question.get());
        } catch (CompletionException e) {
            return CompletableFuture.failedFuture(e.getCause());
        }
    }

    /** What one server sees of them. */
    private final class Server implements Coordinator, Heartbeats {
        private final String address;

        Server(String address) {
            this.address = address;
        }

        @Override
        public void onChange(Runnable task) {
            // nothing changes but by steps, after which all candidates are asked for their next one
        }

        @Override
        public CompletableFuture<Boolean> isTaken(Registration registration) {
            return answer(() -> {
                synchronized (SharedNodes.this) {
                    if (running != null && running.session() == session()) {
                        running = null;
                    }
                    boolean isTaken = running != null;
                    if (registration.isDue(isTaken)) {
                        candidates.add(address);
                    } else {
                        candidates.remove(address);
                    }
                    return isTaken;
                }
            });
        }

        private long session() {
            return address.hashCode();
        }

        @Override
        public CompletableFuture<Void> withdraw() {
            return answer(() -> {
                synchronized (SharedNodes.this) {
                    candidates.remove(address);
                    return null;
                }
            });
        }

        @Override
        public CompletableFuture<Candidates> candidates() {
            return answer(() -> new Candidates(List.of(destination), List.copyOf(SharedNodes.this.candidates())));
        }

        @Override
        public CompletableFuture<Optional<Won>> tryToWin() {
            return answer(() -> {
                synchronized (SharedNodes.this) {
                    if (failureOfWins != null) {
                        throw new CompletionException(failureOfWins);
                    }
                    if (running != null) {
                        return Optional.empty();
                    }
                    epoch++;
                    Lease lease = new Lease(epoch, LEASE, time, Lease.Instant.now(time));
                    running = new Won(lease, session(), epoch, Optional.empty(), LEASE, List.of(), "", "");
                    return Optional.of(running);
                }
            });
        }

        @Override
        public CompletableFuture<Trace> trace(Won won) {
            return answer(() -> new Trace(true, 0));
        }

        @Override
        public CompletableFuture<Void> writeOwnLease(Won won) {
            return answer(() -> null);
        }

        @Override
        public CompletableFuture<Optional<String>> lossOf(Won won) {
            return answer(() -> {
                synchronized (SharedNodes.this) {
                    return won.equals(running) ? Optional.empty() : Optional.of("another server has it");
                }
            });
        }

        @Override
        public CompletableFuture<Void> release(Won won, boolean silent) {
            return answer(() -> {
                synchronized (SharedNodes.this) {
                    running = won.equals(running) ? null : running;
                    return null;
                }
            });
        }

        @Override
        public boolean isInSession(Won won) {
            return true;
        }

        @Override
        public OwnershipTerm term(Won won) {
            return new OwnershipTerm(won.lease(), null, List.of(), "", "");
        }

        @Override
        public CompletableFuture<Long> beat() {
            return answer(this::session);
        }

        @Override
        public CompletableFuture<Map<String, Beat>> all() {
            return answer(Map::of);
        }

        @Override
        public void remove(String name, Beat last) {
            throw new UnsupportedOperationException("there are none");
        }
    }
}
