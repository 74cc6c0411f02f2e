package io.sluice.connector.rocketmq;

import io.sluice.connector.api.producer.FailureKind;
import io.sluice.protocol.time.Time;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Remembers since when topics have been missing, on a broker or altogether. A broker that restarts takes its topics from the name servers, and other
 * brokers do not know them: so a topic counts as missing for good only when that has lasted longer than a restart does. Safe for use by
 * several threads.
 */
final class MissingTopics {
    /** How long a name server keeps the routes of a broker without heartbeats. */
    static final Duration GRACE = Duration.ofMinutes(2);

    private static final String EVERYWHERE = "";

    private final Duration grace;
    private final Time time;
    private final Map<Place, Long> sinceNanos = new ConcurrentHashMap<>();

    private record Place(String topic, String broker) {}

    /**
     * Knows of no missing topic.
     *
     * @param grace how long a topic may be missing for the time being
     */
    MissingTopics(Duration grace, Time time) {
        this.grace = grace;
        this.time = time;
    }

    /** Notes that the name servers know no such topic; returns whether that may pass by itself. */
    FailureKind notFound(String topic) {
        return notFound(topic, EVERYWHERE);
    }

    /** Notes that a broker has no such topic, which others may have; returns whether that may pass by itself. */
    FailureKind notFound(String topic, String broker) {
        long now = time.nanos();
        Long before = sinceNanos.putIfAbsent(new Place(topic, broker), now);
        long since = before == null ? now : before;
        return now - since < grace.toNanos() ? FailureKind.PASSING : FailureKind.TOPIC_UNAVAILABLE;
    }

    /** Notes that a broker has a topic. */
    void found(String topic, String broker) {
        if (!sinceNanos.isEmpty()) {
            sinceNanos.remove(new Place(topic, broker));
            sinceNanos.remove(new Place(topic, EVERYWHERE));
        }
    }
}
