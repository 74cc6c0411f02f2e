package io.sluice.connector.rabbitmq.node;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.protocol.time.Time;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a node is left that could not look up a right. Mostly the others cannot do that either, since all of them ask the same LDAP or HTTP server: changing the node with each attempt gains nothing then. It may
 * be the only one that does not reach that server, so it is left if nothing was confirmed for a while, and after that no more often. Kept over the attempts. Thread-safe.
 */
public final class RightsLookup {
    private static final Duration PERIOD = Duration.ofSeconds(10);

    private final Time time;

    private final Object changing = new Object();

    /** Whether there was a failure after the last confirmation: taking the lock for each message would be more expensive. */
    private volatile boolean hasFailed;

    /** Of the first failure after the last confirmation, or when a node was left; null if there was none. */
    @GuardedBy("changing") private @Nullable Long sinceNanos;

    /** Has seen no failure. */
    public RightsLookup(Time time) {
        this.time = time;
    }

    /** A node has confirmed a message. */
    public void confirmed() {
        if (hasFailed) {
            synchronized (changing) {
                hasFailed = false;
                sinceNanos = null;
            }
        }
    }

    /** Notes a failure. Returns whether the node is to be left. */
    public boolean failed() {
        synchronized (changing) {
            long now = time.nanos();
            Long since = sinceNanos;
            if (since != null && now - since <= PERIOD.toNanos()) {
                return false;
            }
            hasFailed = true;
            sinceNanos = now;
            return since != null;
        }
    }
}
