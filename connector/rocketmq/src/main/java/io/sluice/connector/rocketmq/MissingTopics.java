package io.sluice.connector.rocketmq;

import io.sluice.connector.api.producer.FailureKind;
import io.sluice.protocol.time.Time;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Remembers since when topics have been missing. A broker that restarts takes its topics from the name servers, and other brokers do
 * not know them: so a topic counts as missing for good only when that has lasted longer than a restart does. Safe for use by
 * several threads.
 */
final class MissingTopics {
    /** How long a name server keeps the routes of a broker without heartbeats. */
    static final Duration GRACE = Duration.ofMinutes(2);

    private final Duration grace;
    private final Time time;
    private final Map<String, Long> sinceNanos = new ConcurrentHashMap<>();

    /**
     * Knows of no missing topic.
     *
     * @param grace how long a topic may be missing for the time being
     */
    MissingTopics(Duration grace, Time time) {
        this.grace = grace;
        this.time = time;
    }

    /** Notes that a topic was not found; returns whether that may pass by itself. */
    FailureKind notFound(String topic) {
        long now = time.nanos();
        Long before = sinceNanos.putIfAbsent(topic, now);
        long since = before == null ? now : before;
        return now - since < grace.toNanos() ? FailureKind.PASSING : FailureKind.TOPIC_UNAVAILABLE;
    }

    /** Notes that a topic exists. */
    void found(String topic) {
        if (!sinceNanos.isEmpty()) {
            sinceNanos.remove(topic);
        }
    }
}
