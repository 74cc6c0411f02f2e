package io.sluice.server.ha;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.protocol.time.Time;
import io.sluice.server.ha.Heartbeats.Beat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews the leases of this server, all with one heartbeat, and reads the heartbeats of the others.
 *
 * <p>A lease is extended in two steps: a majority of ZooKeeper's servers has written the heartbeat, and after that the same
 * session has found the destination's node as it made it. So the node was there when the heartbeat was written. The lease
 * counts from the time before the first step.
 *
 * <p>Has no thread: {@link #step} is called often, and does what is due. Thread-safe.
 */
public final class Renewal {
    private static final Logger LOG = LoggerFactory.getLogger(Renewal.class);

    private final Heartbeats heartbeats;
    private final HeartbeatAges heartbeatAges;
    private final Time time;
    private final Supplier<Duration> usualLease;

    @GuardedBy("this") private final Map<Won, Coordinator> held = new LinkedHashMap<>();

    @GuardedBy("this") private long lastStep;

    /**
     * Creates one without leases.
     *
     * @param usualLease the length of the leases that this server would be given now
     */
    public Renewal(Heartbeats heartbeats, HeartbeatAges heartbeatAges, Time time, Supplier<Duration> usualLease) {
        this.heartbeats = heartbeats;
        this.heartbeatAges = heartbeatAges;
        this.time = time;
        this.usualLease = usualLease;
        this.lastStep = time.nanos() - usualLease.get().toNanos();
    }

    /** Renews the lease from now on. */
    synchronized void hold(Won won, Coordinator coordinator) {
        held.put(won, coordinator);
    }

    /** Renews the lease no more. */
    synchronized void drop(Won won) {
        held.remove(won);
    }

    /** What this server has seen of the others. */
    HeartbeatAges heartbeatAges() {
        return heartbeatAges;
    }

    /** Asks for the confirmation of all leases, and for the heartbeats of all servers, if it is time to. Returns at once. */
    public void step() {
        boolean renews;
        synchronized (this) {
            if (time.nanos() - lastStep < period().toNanos()) {
                return;
            }
            lastStep = time.nanos();
            renews = !held.isEmpty();
        }
        if (renews) {
            Lease.Instant asked = Lease.Instant.now(time);
            then(heartbeats.beat(), session -> confirm(session, asked));
        }
        then(heartbeats.all(), this::note);
    }

    /** Does something with an answer. A failed one is of no use: the question is asked again. */
    private static <T> void then(CompletableFuture<T> question, Consumer<T> use) {
        var unused = question.whenComplete((answer, failure) -> {
            if (failure != null) {
                LOG.debug("a question of a renewal was not answered", failure);
                return;
            }
            try {
                use.accept(answer);
            } catch (RuntimeException e) {
                LOG.error("an answer to a renewal was not used", e);
            }
        });
    }

    @GuardedBy("this") private Duration period() {
        Duration shortest = usualLease.get();
        for (Won won : held.keySet()) {
            Duration length = won.lease().length();
            shortest = length.compareTo(shortest) < 0 ? length : shortest;
        }
        return Lease.renewalPeriod(shortest);
    }

    private void confirm(long session, Lease.Instant asked) {
        List<Map.Entry<Won, Coordinator>> leases;
        synchronized (this) {
            leases = new ArrayList<>(held.entrySet());
        }
        for (Map.Entry<Won, Coordinator> entry : leases) {
            Won won = entry.getKey();
            if (won.session() == session) {
                then(entry.getValue().lossOf(won), loss -> judge(won.lease(), loss, asked));
            }
        }
    }

    private static void judge(Lease lease, Optional<String> loss, Lease.Instant asked) {
        if (loss.isPresent()) {
            lease.revoke(loss.get());
        } else {
            lease.confirm(asked);
        }
    }

    private void note(Map<String, Beat> beats) {
        heartbeatAges.note(beats);
        beats.forEach((name, beat) -> {
            if (heartbeatAges.isUnused(name, beat)) {
                heartbeats.remove(name, beat);
            }
        });
    }
}
