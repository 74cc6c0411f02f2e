package io.sluice.connector.kafka.produce;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.ClientResponse;
import org.jspecify.annotations.Nullable;

/**
 * When each broker has answered a produce request last, and how long that took.
 *
 * <p>A broker answers the requests of a connection one after the other, so a slow one, or a slow line, is not used better by more requests: they wait
 * for each other, and if one waits for {@code request.timeout.ms}, the connection is closed and all are repeated. So fewer are in
 * flight if answers take long. For the loop's thread alone.
 */
final class AnswerTimes {
    /** An answer is to take no longer than this part of the timeout. */
    private static final int SHARE_OF_TIMEOUT = 2;

    private final long timeoutMillis;
    private final Map<String, Newest> newest = new HashMap<>();

    /** The newest answer of a broker. */
    private record Newest(long latencyMillis, @Nullable Long nanos) {}

    /**
     * Knows of no answer.
     *
     * @param requestTimeout after which a request without an answer has failed
     */
    AnswerTimes(Duration requestTimeout) {
        this.timeoutMillis = requestTimeout.toMillis();
    }

    /** Notes an answer, or that there was none in time. */
    void note(ClientResponse response, long now) {
        if (response.hasResponse()) {
            newest.put(response.destination(), new Newest(response.requestLatencyMs(), now));
        } else if (response.wasTimedOut()) {
            newest.put(response.destination(), new Newest(timeoutMillis, lastOf(response.destination())));
        }
    }

    /** When a broker has answered last; null if it never has. */
    @Nullable Long lastOf(String node) {
        Newest known = newest.get(node);
        return known == null ? null : known.nanos();
    }

    /** How many requests may be in flight to a broker: at least one, and no more before it has answered. */
    long maxInFlight(String node) {
        Newest known = newest.get(node);
        long latencyMillis = known == null ? timeoutMillis : known.latencyMillis();
        return latencyMillis <= 0 ? Long.MAX_VALUE : Math.max(1, timeoutMillis / (SHARE_OF_TIMEOUT * latencyMillis));
    }
}
