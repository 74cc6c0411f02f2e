package io.sluice.server.port;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.protocol.time.Time;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts the failed logins of each address at a port. Thread-safe.
 *
 * <p>All addresses of an IPv6 network of 64 bits count as one. Of many addresses, those whose last failure is the longest ago are dropped.
 */
public final class FailedLogins {
    private static final int MAX_ADDRESSES = 10_000;
    private static final int NETWORK_BYTES = 8;
    private static final ByteBuffer UNKNOWN = ByteBuffer.allocate(0);

    private final Duration forgottenAfter;
    private final Time time;

    @GuardedBy("this") private final Map<ByteBuffer, Failures> byNetwork = new LinkedHashMap<>();

    private record Failures(int count, long lastNanos) {}

    /**
     * Begins without any.
     *
     * @param forgottenAfter a failure so long after the one before is the first one again
     */
    public FailedLogins(Duration forgottenAfter, Time time) {
        this.forgottenAfter = forgottenAfter;
        this.time = time;
    }

    /** Notes a failure; returns how many the address has with it. */
    public synchronized int add(InetAddress address) {
        ByteBuffer network = network(address);
        Failures before = byNetwork.remove(network);
        long now = time.nanos();
        int count = before == null || now - before.lastNanos > forgottenAfter.toNanos() ? 1 : before.count + 1;
        byNetwork.put(network, new Failures(count, now));
        if (byNetwork.size() > MAX_ADDRESSES) {
            byNetwork.remove(byNetwork.keySet().iterator().next());
        }
        return count;
    }

    /** How many failures an address has. */
    synchronized int count(InetAddress address) {
        Failures failures = byNetwork.get(network(address));
        return failures == null ? 0 : failures.count;
    }

    /** How long ago the last failure of an address is; zero if it has none. */
    synchronized Duration age(InetAddress address) {
        Failures failures = byNetwork.get(network(address));
        return failures == null ? Duration.ZERO : Duration.ofNanos(time.nanos() - failures.lastNanos);
    }

    /** Removes the failures of an address. */
    synchronized void remove(InetAddress address) {
        byNetwork.remove(network(address));
    }

    /** What an address counts as: itself, or its network of 64 bits; all that are not known count as one. */
    static ByteBuffer network(@Nullable InetAddress address) {
        if (address == null) {
            return UNKNOWN;
        }
        byte[] bytes = address.getAddress();
        return ByteBuffer.wrap(address instanceof Inet6Address ? Arrays.copyOf(bytes, NETWORK_BYTES) : bytes);
    }
}
