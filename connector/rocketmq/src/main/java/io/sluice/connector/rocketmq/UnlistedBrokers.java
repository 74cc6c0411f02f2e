package io.sluice.connector.rocketmq;

import io.sluice.protocol.time.Time;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Remembers since when brokers that do not answer have not been listed by the name servers. A broker that has been missing for longer than a
 * restart takes is not expected to return. For one thread at a time.
 */
final class UnlistedBrokers {
    private final Duration limit;
    private final Time time;
    private final Map<String, Long> sinceNanos = new HashMap<>();

    /**
     * Knows of no broker.
     *
     * @param limit how long a broker may be missing before it is not expected to return
     */
    UnlistedBrokers(Duration limit, Time time) {
        this.limit = limit;
        this.time = time;
    }

    Duration limit() {
        return limit;
    }

    /**
     * Notes which brokers do not answer now, and which are listed.
     *
     * @return the brokers among {@code silent} that have not been listed for longer than the limit
     */
    Set<String> gone(Collection<String> silent, Set<String> listed) {
        long now = time.nanos();
        sinceNanos.keySet().removeIf(broker -> !silent.contains(broker) || listed.contains(broker));
        for (String broker : silent) {
            if (!listed.contains(broker)) {
                sinceNanos.putIfAbsent(broker, now);
            }
        }
        Map<String, Long> gone = new HashMap<>(sinceNanos);
        gone.values().removeIf(since -> now - since <= limit.toNanos());
        return Set.copyOf(gone.keySet());
    }
}
