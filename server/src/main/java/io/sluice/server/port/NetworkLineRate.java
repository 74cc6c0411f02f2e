package io.sluice.server.port;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.protocol.time.Time;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Limits the log lines of one kind that clients cause, so that they cannot fill the disk, and none can keep the lines of others out of the log: a
 * network without a line in the last minute, which is an address or 64 bits of IPv6, does not share the limit of those that have one. Thread-safe.
 */
public final class NetworkLineRate {
    /** How long a network that has a line shares the limit of others. */
    static final Duration RECENT = Duration.ofMinutes(1);

    private final Time time;

    /** The lines of networks that have one in the last minute. */
    private final LineRate repeated;

    /** The first lines of networks. */
    private final LineRate first;

    /** When the last line of each network was written, the oldest first; no more of them than there are lines in that time. */
    @GuardedBy("this") private final Map<ByteBuffer, Long> lastNanos = new LinkedHashMap<>();

    /**
     * Makes one.
     *
     * @param linesPerSecond those of networks that have one already; there are as many first lines of others
     */
    public NetworkLineRate(Time time, int linesPerSecond) {
        this.time = time;
        this.repeated = new LineRate(time, linesPerSecond);
        this.first = new LineRate(time, linesPerSecond);
    }

    /** Returns how many lines were left out in the last second that is over, and starts the next; 0 if none were. */
    public synchronized long takeLeftOut() {
        return repeated.takeLeftOut() + first.takeLeftOut();
    }

    /**
     * Whether one more line may be written now.
     *
     * @param remote the client that causes it; null if it is not known
     */
    public synchronized boolean allows(@Nullable InetAddress remote) {
        ByteBuffer network = FailedLogins.network(remote);
        long now = time.nanos();
        forgetBefore(now - RECENT.toNanos());
        LineRate rate = lastNanos.containsKey(network) ? repeated : first;
        if (!rate.allows()) {
            return false;
        }
        lastNanos.remove(network); // or it would keep its place
        lastNanos.put(network, now);
        return true;
    }

    @GuardedBy("this") private void forgetBefore(long nanos) {
        for (Iterator<Long> oldest = lastNanos.values().iterator(); oldest.hasNext(); ) {
            if (oldest.next() - nanos > 0) {
                return;
            }
            oldest.remove();
        }
    }

    /** How many networks are remembered. */
    synchronized int size() {
        return lastNanos.size();
    }
}
