package io.sluice.connector.kafka.topic;

import io.sluice.protocol.time.Time;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Remembers since when the brokers have not known topics, or partitions that topics have had. A broker that has just started may not know those of
 * its cluster, and what is created is not known to all at once: so a topic counts as missing only when that has lasted longer. Thread-safe.
 */
public final class MissingTopics {
    /** How long a topic may be missing for the time being. */
    public static final Duration GRACE = Duration.ofSeconds(30);

    /** After so long without a question, it is another absence. */
    private static final Duration LONGEST_GAP = Duration.ofMinutes(10);

    private final Time time;
    private final Map<String, Absence> absences = new ConcurrentHashMap<>();

    /** From when on a topic was missing, until it was asked for last; by {@link Time#nanos}. */
    private record Absence(long since, long newest) {}

    /** Knows of no missing topic. */
    MissingTopics(Time time) {
        this.time = time;
    }

    /** Whether a topic was missing throughout the grace, so that the next answer decides. */
    boolean isOverdue(String topic) {
        Absence absence = absences.get(topic);
        long now = time.nanos();
        return absence != null && !isOver(absence, now) && now - absence.since() >= GRACE.toNanos();
    }

    private static boolean isOver(Absence absence, long now) {
        return now - absence.newest() > LONGEST_GAP.toNanos();
    }

    /**
     * Notes that the brokers know no such topic.
     *
     * @param askedNanos when they were asked
     */
    void notFound(String topic, long askedNanos) {
        long now = time.nanos();
        absences.merge(
                topic,
                new Absence(askedNanos, now),
                (before, first) -> isOver(before, askedNanos) ? first : new Absence(before.since(), now));
    }

    /** Notes that a topic exists. */
    void found(String topic) {
        if (!absences.isEmpty()) {
            absences.remove(topic);
        }
    }
}
