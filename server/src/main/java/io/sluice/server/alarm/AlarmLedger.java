package io.sluice.server.alarm;

import io.sluice.protocol.time.Time;
import io.sluice.server.alarm.Alarm.Phase;
import io.sluice.server.config.alarm.AlarmConfig;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the problems that there are, and decides when one is raised, repeated, and reported as over.
 *
 * <ul>
 *   <li>A problem is raised when it is there, one that is a loss when it has lasted for a time; and not within the interval
 *       after one of the same kind and instance was raised.
 *   <li>It is over when it was not there for some seconds in which the instance was well. That is reported only if it was raised.
 *   <li>While it lasts it is repeated, a limited number of times.
 * </ul>
 *
 * <p>For one thread.
 */
final class AlarmLedger {
    /** A problem that is gone for less is the same one. */
    static final Duration SETTLED = Duration.ofSeconds(5);

    private static final String REMOVED = "the instance was removed from the configuration";
    private static final String OWN_ADDRESS = "no other server has the address of this one";
    private static final String IN_FORCE = "the newest configuration is in force";

    private final Time time;
    private final Map<Key, Track> tracks = new LinkedHashMap<>();

    private record Key(String destination, AlarmKind kind) {}

    /** The course of one kind of problem of one instance. */
    private static final class Track {
        private boolean isOpen;
        private boolean isCounted;
        private boolean isRaised;
        private long sinceNanos;
        private long goneNanos;
        private boolean isGone;
        private int occurrences;
        private int repeats;

        /** When it was reported last. */
        private long reportedNanos;

        /** When it was raised last. */
        private @Nullable Long raisedNanos;
    }

    /** @param time measures how long problems last */
    AlarmLedger(Time time) {
        this.time = time;
    }

    /**
     * Checks the problems.
     *
     * @param standings of all destinations
     * @return the alarms that are to be posted now
     */
    List<Alarm> check(List<InstanceProblems> standings, AlarmConfig rules) {
        long now = time.nanos();
        List<Alarm> alarms = new ArrayList<>();
        Set<Key> present = new HashSet<>();
        for (InstanceProblems standing : standings) {
            for (InstanceProblem problem : standing.problems()) {
                Key key = new Key(standing.destination(), problem.kind());
                if (present.add(key)) {
                    lasts(key, problem, rules, now, alarms);
                }
            }
        }
        Map<String, InstanceProblems> byName = new LinkedHashMap<>();
        standings.forEach(standing -> byName.put(standing.destination(), standing));
        for (Iterator<Map.Entry<Key, Track>> all = tracks.entrySet().iterator(); all.hasNext(); ) {
            Map.Entry<Key, Track> entry = all.next();
            if (!present.contains(entry.getKey())) {
                String over = over(entry.getKey(), byName.get(entry.getKey().destination()));
                isAbsent(entry.getKey(), entry.getValue(), over, now, alarms);
                if (canBeForgotten(entry.getValue(), rules, now)) {
                    all.remove();
                }
            }
        }
        return alarms;
    }

    /** Removes all problems; those that last are found again by the next check. */
    void clear() {
        tracks.clear();
    }

    private void lasts(Key key, InstanceProblem problem, AlarmConfig rules, long now, List<Alarm> alarms) {
        Track track = tracks.computeIfAbsent(key, unknown -> new Track());
        if (!track.isOpen) {
            track.isOpen = true;
            track.isCounted = false;
            track.sinceNanos = now - problem.lasting().toNanos();
        }
        track.isGone = false;
        if (track.isRaised) {
            boolean isDue = track.repeats < rules.repeats()
                    && now - track.reportedNanos >= rules.repeatInterval().toNanos();
            if (isDue) {
                track.repeats++;
                track.reportedNanos = now;
                alarms.add(alarm(key, Phase.REPEATED, problem.what(), problem.remedy(), track, now));
            }
            return;
        }
        long delay =
                key.kind().isLoss() && !problem.isCertain() ? rules.lostAfter().toNanos() : 0;
        boolean isTooSoon = track.raisedNanos != null
                && now - track.raisedNanos < rules.interval().toNanos();
        if (now - track.sinceNanos < delay) {
            return;
        }
        if (!track.isCounted) {
            track.isCounted = true;
            track.occurrences++;
        }
        if (!isTooSoon) {
            track.isRaised = true;
            track.repeats = 0;
            track.reportedNanos = now;
            track.raisedNanos = now;
            alarms.add(alarm(key, Phase.RAISED, problem.what(), problem.remedy(), track, now));
            track.occurrences = 0;
        }
    }

    /** Why a problem that is not there is over; null while that is open. */
    private static @Nullable String over(Key key, @Nullable InstanceProblems standing) {
        if (standing == null) {
            return REMOVED;
        }
        if (standing.isUnknown()) {
            return null;
        }
        return switch (key.kind()) {
            case CONFIGURATION_REFUSED -> IN_FORCE;
            case ADDRESS_SHARED -> OWN_ADDRESS;
            default -> standing.calm();
        };
    }

    private void isAbsent(Key key, Track track, @Nullable String over, long now, List<Alarm> alarms) {
        if (!track.isOpen) {
            return;
        }
        if (over == null) {
            track.isGone = false;
            return;
        }
        if (!track.isGone) {
            track.isGone = true;
            track.goneNanos = now;
        }
        if (!track.isRaised) {
            track.isOpen = false;
        } else if (now - track.goneNanos >= SETTLED.toNanos()) {
            alarms.add(alarm(key, Phase.RECOVERED, over, "", track, track.goneNanos));
            track.isOpen = false;
            track.isRaised = false;
        }
    }

    private static boolean canBeForgotten(Track track, AlarmConfig rules, long now) {
        return !track.isOpen
                && (track.raisedNanos == null
                        || now - track.raisedNanos >= rules.interval().toNanos());
    }

    private Alarm alarm(Key key, Phase phase, String what, String remedy, Track track, long untilNanos) {
        Duration age = Duration.ofNanos(time.nanos() - track.sinceNanos);
        return new Alarm(
                key.kind(),
                phase,
                key.destination(),
                what,
                remedy,
                Instant.ofEpochMilli(time.millis()).minus(age),
                Duration.ofNanos(untilNanos - track.sinceNanos),
                Math.max(1, track.occurrences));
    }
}
