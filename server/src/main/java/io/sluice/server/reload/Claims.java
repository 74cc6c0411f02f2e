package io.sluice.server.reload;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.protocol.time.Time;
import io.sluice.server.control.CommandRejectedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which destinations are being changed, and by what: each by one change at a time, while others may be changed as well. Thread-safe.
 */
final class Claims {
    /** What an operator can do whose command was not carried out. */
    static final String REPEAT = "; repeat the command when that has ended";

    private final Time time;

    @GuardedBy("this") private final List<Claim> claims = new ArrayList<>();

    /** How often destinations were released. */
    @GuardedBy("this") private long releases;

    Claims(Time time) {
        this.time = time;
    }

    /** The right of one change to change some destinations, until it is released. */
    static final class Claim {
        private final String by;
        private final long sinceNanos;

        /** Those that it is of; null if it is of all others than {@code busy}. */
        private @Nullable Set<String> destinations;

        /** Those that were being changed when all others were claimed, and by what. */
        private final Map<String, String> busy;

        private Claim(String by, long sinceNanos, @Nullable Set<String> destinations, Map<String, String> busy) {
            this.by = by;
            this.sinceNanos = sinceNanos;
            this.destinations = destinations;
            this.busy = busy;
        }

        /** The destinations that this change must leave alone, each with a sentence that says why. */
        Map<String, String> busy() {
            return busy;
        }

        private boolean isOf(String destination) {
            Set<String> known = destinations;
            return known == null ? !busy.containsKey(destination) : known.contains(destination);
        }
    }

    /**
     * Waits until a destination is not being changed, and claims it.
     *
     * @param by the change, for messages
     * @throws CommandRejectedException if it is still being changed at the deadline
     */
    synchronized Claim claim(String destination, String by, Deadline deadline) {
        for (Claim other = claimOf(destination); other != null; other = claimOf(destination)) {
            if (!awaitRelease(deadline)) {
                throw new CommandRejectedException(sentence(destination, other) + REPEAT);
            }
        }
        return add(new Claim(by, time.nanos(), Set.of(destination), Map.of()));
    }

    /**
     * Waits until no destination is being changed, and claims all; at the deadline, all others than those that are.
     *
     * @param by the change, for messages
     * @throws CommandRejectedException if another change has not found out yet which of all it changes
     */
    synchronized Claim claimAll(String by, Deadline deadline) {
        while (!claims.isEmpty() && awaitRelease(deadline)) {
            // another one may have begun
        }
        return claimFree(by)
                .orElseThrow(() -> new CommandRejectedException(
                        "the configuration is being read: by %s".formatted(described(ofAll())) + REPEAT));
    }

    /**
     * Claims all destinations but those that are being changed; waits for nothing.
     *
     * @param by the change, for messages
     * @return empty if another change has not found out yet which of all it changes
     */
    synchronized Optional<Claim> claimFree(String by) {
        if (ofAll() != null) {
            return Optional.empty();
        }
        Map<String, String> busy = new TreeMap<>();
        for (Claim other : claims) {
            Set<String> destinations = other.destinations;
            if (destinations != null) {
                destinations.forEach(destination -> busy.put(destination, sentence(destination, other)));
            }
        }
        return Optional.of(add(new Claim(by, time.nanos(), null, busy)));
    }

    /** Releases the destinations that a change of all has not found to be changed. */
    synchronized void narrow(Claim claim, Set<String> destinations) {
        claim.destinations = Set.copyOf(destinations);
        releases++;
        notifyAll();
    }

    /** Has a change of all destinations know which others are still being changed: some of those may have ended since it was claimed. */
    synchronized void refresh(Claim claim) {
        List<Claim> others = new ArrayList<>(claims);
        others.remove(claim);
        claim.busy.keySet().removeIf(destination -> others.stream().noneMatch(other -> other.isOf(destination)));
    }

    /** Releases one of the destinations of a change, which has ended for it. */
    synchronized void release(Claim claim, String destination) {
        Set<String> left = claim.destinations;
        if (left != null) {
            Set<String> others = new TreeSet<>(left);
            others.remove(destination);
            claim.destinations = others;
            releases++;
            notifyAll();
        }
    }

    /** Ends a change. Returns whether none is under way any more. */
    synchronized boolean release(Claim claim) {
        claims.remove(claim);
        releases++;
        notifyAll();
        return claims.isEmpty();
    }

    @GuardedBy("this") private Claim add(Claim claim) {
        claims.add(claim);
        return claim;
    }

    @GuardedBy("this") private @Nullable Claim claimOf(String destination) {
        return claims.stream()
                .filter(claim -> claim.isOf(destination))
                .findFirst()
                .orElse(null);
    }

    @GuardedBy("this") private @Nullable Claim ofAll() {
        return claims.stream()
                .filter(claim -> claim.destinations == null)
                .findFirst()
                .orElse(null);
    }

    /** Returns false if the deadline has passed, or the thread is interrupted, as at the end of the server. */
    @GuardedBy("this") private boolean awaitRelease(Deadline deadline) {
        long before = releases;
        try {
            while (releases == before) {
                Duration left = deadline.left();
                if (left.isZero()) {
                    return false;
                }
                wait(Math.max(1, left.toMillis()));
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private String sentence(String destination, Claim by) {
        return "%s is being changed: by %s".formatted(destination, described(by));
    }

    private String described(@Nullable Claim claim) {
        return claim == null ? "a change that has just ended" : since(claim.by, claim.sinceNanos, time);
    }

    /** What is under way, and how long it has been. */
    static String since(String by, long sinceNanos, Time time) {
        return "%s, for %d s"
                .formatted(by, Duration.ofNanos(time.nanos() - sinceNanos).toSeconds());
    }
}
