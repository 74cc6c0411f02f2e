package io.sluice.server.admin;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.protocol.time.Time;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Makes an address wait that has failed to log in several times, longer each time. Safe for use by several threads.
 *
 * <p>Attempts while it waits are not looked at, and do not make it wait longer: so who knows the password comes in in time, even if
 * another one at the same address does not stop trying. All addresses of an IPv6 network of 64 bits count as one. Of many addresses, those
 * whose last failure is the longest ago are forgotten.
 */
final class LoginThrottle {
    /** So many failures have no consequence. */
    static final int FREE_FAILURES = 5;

    private static final Duration FIRST_WAIT = Duration.ofSeconds(1);
    private static final int MAX_DOUBLINGS = 6;
    /** A failure later than this is the first one again. */
    private static final Duration FORGOTTEN_AFTER = Duration.ofMinutes(15);

    private static final int MAX_ADDRESSES = 10_000;
    private static final int NETWORK_BYTES = 8;

    private final Time time;

    @GuardedBy("this") private final Map<ByteBuffer, Failures> byNetwork = new LinkedHashMap<>();

    private record Failures(int count, long lastNanos) {}

    /** @param time measures the waits */
    LoginThrottle(Time time) {
        this.time = time;
    }

    /** How long the address has to wait until its next attempt is looked at; zero if it has not. */
    synchronized Duration waitOf(InetAddress address) {
        Failures failures = byNetwork.get(network(address));
        if (failures == null || failures.count < FREE_FAILURES) {
            return Duration.ZERO;
        }
        Duration whole = FIRST_WAIT.multipliedBy(1L << Math.min(failures.count - FREE_FAILURES, MAX_DOUBLINGS));
        Duration left = whole.minusNanos(time.nanos() - failures.lastNanos);
        return left.isNegative() ? Duration.ZERO : left;
    }

    /** Notes that the address has failed to log in. */
    synchronized void failed(InetAddress address) {
        ByteBuffer network = network(address);
        Failures before = byNetwork.remove(network);
        long now = time.nanos();
        int count = before == null || now - before.lastNanos > FORGOTTEN_AFTER.toNanos() ? 1 : before.count + 1;
        byNetwork.put(network, new Failures(count, now));
        if (byNetwork.size() > MAX_ADDRESSES) {
            byNetwork.remove(byNetwork.keySet().iterator().next());
        }
    }

    /** Notes that the address has logged in: its failures are forgotten. */
    synchronized void succeeded(InetAddress address) {
        byNetwork.remove(network(address));
    }

    private static ByteBuffer network(InetAddress address) {
        byte[] bytes = address.getAddress();
        return ByteBuffer.wrap(address instanceof Inet6Address ? Arrays.copyOf(bytes, NETWORK_BYTES) : bytes);
    }
}
