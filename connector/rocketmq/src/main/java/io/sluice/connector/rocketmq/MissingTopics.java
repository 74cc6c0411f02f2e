package io.sluice.connector.rocketmq;

import io.sluice.connector.api.producer.FailureKind;
import io.sluice.protocol.time.Time;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Remembers since when topics have been missing, on a broker or altogether. A broker that restarts takes its topics from the name servers, and other
 * brokers do not know them: so a topic counts as missing for good only when that has lasted longer than a restart does. Thread-safe.
 */
final class MissingTopics {
    /** How long a name server keeps the routes of a broker without heartbeats. */
    static final Duration GRACE = Duration.ofMinutes(2);

    private static final String EVERYWHERE = "";

    /** After so many graces without a question, it is another absence: partitions may have moved away from the broker, and back. */
    private static final int GRACES_BETWEEN = 5;

    private final Duration grace;
    private final Time time;
    private final Map<Place, Absence> absences = new ConcurrentHashMap<>();

    private record Place(String topic, String broker) {}

    /** From when on a topic was missing, until it was asked for last; by {@link Time#nanos}. */
    private record Absence(long since, long newest) {}

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
        Absence absence = absences.merge(
                new Place(topic, broker),
                new Absence(now, now),
                (before, unused) -> now - before.newest() > GRACES_BETWEEN * grace.toNanos()
                        ? new Absence(now, now)
                        : new Absence(before.since(), now));
        return now - absence.since() < grace.toNanos() ? FailureKind.PASSING : FailureKind.TOPIC_UNAVAILABLE;
    }

    /** Notes that a broker has a topic. */
    void found(String topic, String broker) {
        if (!absences.isEmpty()) {
            absences.remove(new Place(topic, broker));
            absences.remove(new Place(topic, EVERYWHERE));
        }
    }
}
