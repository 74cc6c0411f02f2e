package io.sluice.admin.account;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.admin.address.ClientNetwork;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Limits attempts to log in: after failures they have to wait, longer each time, by address, and, with a shorter wait, by user name, so that many addresses cannot
 * guess the password of one user, and no user can be locked out for long. Thread-safe.
 *
 * <p>Where a user has logged in lately, failures from elsewhere have no consequence for them: guessing cannot lock them out. Such a
 * network begins with a clean record of its own.
 *
 * <p>An attempt counts as failed from its begin until it succeeds, so attempts at the same time do not get around the limit. Attempts
 * during the wait are not checked, and do not lengthen the wait. Memory is bounded: of many addresses and names, those whose
 * last attempt is the longest ago are forgotten.
 */
final class AttemptLimit {
    /** The number of failures of an address without a consequence; several users may share one. */
    static final int FREE_OF_ADDRESS = 10;
    /** The number of failures for a user without a consequence. */
    static final int FREE_OF_USER = 5;

    static final int MAX_ENTRIES = 10_000;

    private static final Duration LONGEST_OF_ADDRESS = Duration.ofMinutes(5);
    private static final Duration LONGEST_OF_USER = Duration.ofSeconds(30);
    private static final Duration FORGOTTEN_AFTER = Duration.ofMinutes(15);
    private static final int MAX_DOUBLINGS = 20;

    private final Clock clock;

    @GuardedBy("this") private final Map<String, Failures> ofAddresses = new LinkedHashMap<>();

    @GuardedBy("this") private final Map<String, Failures> ofUsers = new LinkedHashMap<>();

    /** Users with the networks that they have logged in from, the longest ago first. */
    @GuardedBy("this") private final Set<String> trusted = new LinkedHashSet<>();

    private record Failures(int count, long lastMillis) {}

    AttemptLimit(Clock clock) {
        this.clock = clock;
    }

    /**
     * Begins an attempt, which counts as failed until {@link #succeeded}.
     *
     * @param user the name as it was given
     * @param address of the client, as text
     * @return zero; or how long to wait, and the attempt must not be made
     */
    synchronized Duration begin(String user, String address) {
        String network = ClientNetwork.of(address);
        String name = nameOf(user, network);
        Duration wait = longer(
                waitOf(ofAddresses.get(network), FREE_OF_ADDRESS, LONGEST_OF_ADDRESS),
                waitOf(ofUsers.get(name), FREE_OF_USER, LONGEST_OF_USER));
        if (wait.isZero()) {
            count(ofAddresses, network);
            count(ofUsers, name);
        }
        return wait;
    }

    /** Forgets the failures for the user, and takes back the one that {@link #begin} has counted for the address. */
    synchronized void succeeded(String user, String address) {
        String network = ClientNetwork.of(address);
        ofUsers.remove(nameOf(user, network));
        String known = pair(user, network);
        trusted.remove(known);
        trusted.add(known);
        if (trusted.size() > MAX_ENTRIES) {
            trusted.remove(trusted.iterator().next());
        }
        // Not all of them: the owner of one account could guess other passwords otherwise.
        ofAddresses.computeIfPresent(
                network, (key, before) -> before.count <= 1 ? null : new Failures(before.count - 1, before.lastMillis));
    }

    /** Returns for how many addresses and names something is kept. */
    synchronized int size() {
        return ofAddresses.size() + ofUsers.size() + trusted.size();
    }

    private Duration waitOf(@Nullable Failures failures, int free, Duration longest) {
        if (failures == null || failures.count < free) {
            return Duration.ZERO;
        }
        Duration whole = Duration.ofSeconds(1L << Math.min(failures.count - free, MAX_DOUBLINGS));
        Duration left = (whole.compareTo(longest) > 0 ? longest : whole)
                .minusMillis(Math.max(0, clock.millis() - failures.lastMillis));
        return left.isNegative() ? Duration.ZERO : left;
    }

    private void count(Map<String, Failures> all, String key) {
        Failures before = all.remove(key);
        long now = clock.millis();
        if (before == null || now - before.lastMillis > FORGOTTEN_AFTER.toMillis()) {
            all.put(key, new Failures(1, now));
        } else {
            all.put(key, new Failures(before.count + 1, now));
        }
        if (all.size() > MAX_ENTRIES) {
            all.remove(all.keySet().iterator().next());
        }
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    /** Whose failures count together: those of a user, but where that user is known those of there alone. */
    @GuardedBy("this") private String nameOf(String user, String network) {
        String pair = pair(user, network);
        return trusted.contains(pair) ? pair : "everywhere\n" + user.toLowerCase(Locale.ROOT);
    }

    /** A network has no line break, and is never the word for all of them. */
    private static String pair(String user, String network) {
        return network + "\n" + user.toLowerCase(Locale.ROOT);
    }
}
