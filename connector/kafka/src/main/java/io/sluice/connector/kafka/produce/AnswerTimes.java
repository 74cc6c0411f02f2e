package io.sluice.connector.kafka.produce;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.ClientResponse;
import org.jspecify.annotations.Nullable;

/**
 * When each broker has answered a produce request last, how long that took, and until when a quota keeps it from answering more.
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

    /**
     * The newest answer of a broker.
     *
     * @param throttleMillis how long after it the broker reads no further request
     */
    private record Newest(long latencyMillis, @Nullable Long nanos, int throttleMillis) {}

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
            int throttleMillis = response.responseBody().throttleTimeMs();
            newest.put(response.destination(), new Newest(response.requestLatencyMs(), now, throttleMillis));
        } else if (response.wasTimedOut()) {
            Newest known = newest.getOrDefault(response.destination(), new Newest(timeoutMillis, null, 0));
            newest.put(response.destination(), new Newest(timeoutMillis, known.nanos(), known.throttleMillis()));
        }
    }

    /** When a broker has answered last; null if it never has. */
    @Nullable Long lastOf(String node) {
        Newest known = newest.get(node);
        return known == null ? null : known.nanos();
    }

    /** When the pause after the newest answer of a broker ends, by which it has kept a quota; null if there was none. */
    @Nullable Long throttleEndOf(String node) {
        Newest known = newest.get(node);
        if (known == null || known.nanos() == null || known.throttleMillis() <= 0) {
            return null;
        }
        return known.nanos() + TimeUnit.MILLISECONDS.toNanos(known.throttleMillis());
    }

    /** The later of two times, of which one may not be known. */
    static Long later(Long one, @Nullable Long other) {
        return other == null || other - one < 0 ? one : other;
    }

    /** How many requests may be in flight to a broker: at least one, and no more before it has answered. */
    long maxInFlight(String node) {
        Newest known = newest.get(node);
        long latencyMillis = known == null ? timeoutMillis : known.latencyMillis();
        return latencyMillis <= 0 ? Long.MAX_VALUE : Math.max(1, timeoutMillis / (SHARE_OF_TIMEOUT * latencyMillis));
    }
}
