package io.sluice.server.port;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.netty.channel.Channel;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Counts the connections, and chooses the one to close when there are too many.
 *
 * <p>Those that have not logged in make room first, the oldest of them: a client that logs in at once is gone from among
 * them before a flood of silent ones has pushed it out. Thread-safe.
 */
public final class Admission {
    private final int most;
    private final int mostUnauthenticated;

    @GuardedBy("this") private final Set<Channel> unauthenticated = new LinkedHashSet<>();

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
        Channel victim = isFull || unauthenticated.size() >= mostUnauthenticated ? takeOldest() : null;
        unauthenticated.add(channel);
        return victim;
    }

    @GuardedBy("this") private Channel takeOldest() {
        Iterator<Channel> oldestFirst = unauthenticated.iterator();
        Channel oldest = oldestFirst.next();
        oldestFirst.remove();
        return oldest;
    }

    /** States that a connection has logged in; false if it is already to be closed. */
    public synchronized boolean authenticated(Channel channel) {
        return unauthenticated.remove(channel) && authenticated.add(channel);
    }

    /** States that a connection is closed. */
    public synchronized void remove(Channel channel) {
        unauthenticated.remove(channel);
        authenticated.remove(channel);
    }

    /** How many connections there are. */
    public synchronized int size() {
        return unauthenticated.size() + authenticated.size();
    }
}
