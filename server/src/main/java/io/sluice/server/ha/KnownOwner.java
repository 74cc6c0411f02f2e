package io.sluice.server.ha;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.protocol.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a candidate knows of where its destination runs, and whether it has failed here. A failure counts while no owner is seen: another
 * server that tries to run the destination may fail, too, so the failure is forgotten only when that server has run it for long.
 *
 * <p>Thread-safe.
 */
final class KnownOwner {
    /** How long a server must have run it until the failures before are of no interest. */
    static final Duration STEADY = Duration.ofMinutes(15);

    private final Time time;

    /** Where it runs, by the last answer. */
    @GuardedBy("this") private Place place = Place.NOWHERE;

    /** Since when it is there; if it is nowhere, or not known where, since no server was known to run it. */
    @GuardedBy("this") private long since;

    @GuardedBy("this") private boolean hasFailed;

    /** When it is retried here; null without a back-off. */
    @GuardedBy("this") private @Nullable Instant retryAt;

    private enum Place {
        HERE,
        ELSEWHERE,
        NOWHERE,
        /** It was on another server, and its present place cannot be found out. */
        UNKNOWN
    }

    KnownOwner(Time time) {
        this.time = time;
        this.since = time.nanos();
    }

    /** It should run here from now on: the time before does not count as an absence. */
    synchronized void isWanted() {
        if (place == Place.NOWHERE || place == Place.UNKNOWN) {
            since = time.nanos();
        }
    }

    synchronized void isHere() {
        move(Place.HERE);
        hasFailed = false;
        retryAt = null;
    }

    synchronized void isElsewhere() {
        move(Place.ELSEWHERE);
        if (time.nanos() - since >= STEADY.toNanos()) {
            hasFailed = false;
        }
    }

    synchronized void isNowhere() {
        move(Place.NOWHERE);
    }

    /** Nothing is known of it at the moment. */
    synchronized void isUnknown() {
        move(place == Place.ELSEWHERE || place == Place.UNKNOWN ? Place.UNKNOWN : Place.NOWHERE);
    }

    /** It has failed here, and is retried after a back-off. */
    synchronized void hasFailed(Instant retry) {
        move(Place.NOWHERE);
        hasFailed = true;
        retryAt = retry;
    }

    /** It is tried here again, if no other server runs it. */
    synchronized void backoffIsOver() {
        retryAt = null;
    }

    /** Whether it has failed here since it ran here. */
    synchronized boolean hasFailed() {
        return hasFailed;
    }

    /** Since when no server is known to run it; empty if one is. */
    synchronized Optional<Absence> absence() {
        if (place == Place.HERE || place == Place.ELSEWHERE) {
            return Optional.empty();
        }
        Duration lasting = Duration.ofNanos(time.nanos() - since);
        return Optional.of(new Absence(hasFailed && place == Place.NOWHERE, lasting, retryAt));
    }

    @GuardedBy("this") private void move(Place next) {
        boolean wasKnown = place == Place.HERE || place == Place.ELSEWHERE;
        boolean isKnown = next == Place.HERE || next == Place.ELSEWHERE;
        if (isKnown ? place != next : wasKnown) {
            since = time.nanos();
        }
        place = next;
    }
}
