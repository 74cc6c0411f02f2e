package io.sluice.server.port;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.netty.channel.Channel;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Counts the connections, and chooses the one to close when there are too many.
 *
 * <p>Those that have not logged in make room first: of them the oldest one of the network that has most, an address or 64 bits of IPv6. So
 * one host cannot push out the clients of others, and a client that logs in at once is gone from among them before a flood of silent ones
 * of its own network has pushed it out. Thread-safe.
 */
public final class Admission {
    private final int most;
    private final int mostUnauthenticated;

    /** With their networks, the oldest first. */
    @GuardedBy("this") private final Map<Channel, ByteBuffer> unauthenticated = new LinkedHashMap<>();

    /** How many of these there are of each network. */
    @GuardedBy("this") private final Map<ByteBuffer, Integer> byNetwork = new HashMap<>();

    @GuardedBy("this") private final Set<Channel> authenticated = new HashSet<>();

    /**
     * Makes one.
     *
     * @param most how many connections there may be
     * @param mostUnauthenticated how many of them may not have logged in
     */
    public Admission(int most, int mostUnauthenticated) {
        this.most = most;
        this.mostUnauthenticated = mostUnauthenticated;
    }

    /** Counts a new connection, and returns the one to be closed for it; null if there is room. */
    public synchronized @Nullable Channel add(Channel channel) {
        boolean isFull = unauthenticated.size() + authenticated.size() >= most;
        if (isFull && unauthenticated.isEmpty()) {
            return channel;
        }
        Channel victim = isFull || unauthenticated.size() >= mostUnauthenticated ? takeOne() : null;
        ByteBuffer network = network(channel);
        unauthenticated.put(channel, network);
        byNetwork.merge(network, 1, Integer::sum);
        return victim;
    }

    @GuardedBy("this") private Channel takeOne() {
        int largest = Collections.max(byNetwork.values());
        for (Map.Entry<Channel, ByteBuffer> oldest : unauthenticated.entrySet()) {
            if (count(oldest.getValue()) == largest) {
                take(oldest.getKey());
                return oldest.getKey();
            }
        }
        throw new IllegalStateException("each network that is counted has a connection");
    }

    @GuardedBy("this") private int count(ByteBuffer network) {
        return byNetwork.getOrDefault(network, 0);
    }

    @GuardedBy("this") private boolean take(Channel channel) {
        ByteBuffer network = unauthenticated.remove(channel);
        if (network == null) {
            return false;
        }
        byNetwork.computeIfPresent(network, (same, count) -> count == 1 ? null : count - 1);
        return true;
    }

    /** What a connection counts as: the address of its client, or 64 bits of it. */
    static ByteBuffer network(Channel channel) {
        return FailedLogins.network(
                channel.remoteAddress() instanceof InetSocketAddress remote ? remote.getAddress() : null);
    }

    /** States that a connection has logged in; false if it is already to be closed. */
    public synchronized boolean authenticated(Channel channel) {
        return take(channel) && authenticated.add(channel);
    }

    /** States that a connection is closed. */
    public synchronized void remove(Channel channel) {
        take(channel);
        authenticated.remove(channel);
    }

    /** How many connections there are. */
    public synchronized int size() {
        return unauthenticated.size() + authenticated.size();
    }
}
