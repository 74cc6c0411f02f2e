package io.sluice.stream.source.watch;

import io.sluice.protocol.position.BinlogPosition;
import io.sluice.stream.source.server.ServerFacts;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Determines, by probes at intervals, whether the address of a host leads to another server than the one that is read, which may have stayed up after a
 * fail-over: its dump continues, and nothing more comes.
 *
 * <p>An address may as well lead to several servers on purpose, of which each is good. So a stall needs more than that new connections lead elsewhere:
 * the other server has written, and an interval later the one that is read has sent heartbeats only. It is certain that the address has moved if, besides,
 * all connections have led to one and the same other server, and none within the last minutes has led to the one that is read after others had not. For one
 * thread, but for {@link #isStalled}.
 */
final class MovedAddress {
    private static final int PROBES_BEFORE_REPORT = 2;
    /** How long an address that led back counts as one of several servers; also while resolvers still answer differently after a change. */
    private static final Duration BALANCED = Duration.ofMinutes(10);

    private static final Duration FIRST_PAUSE = Duration.ofMinutes(2);
    private static final Duration LONGEST_PAUSE = Duration.ofHours(1);

    /** What was found. */
    enum Finding {
        /** The address leads to the server that is read, or to several servers, and nothing is missed. */
        NONE,
        /** The address leads to another server, and it is not known whether anything is missed; reported once. */
        ELSEWHERE,
        /** Nothing comes from the server that is read, while the other one writes; reported once. */
        STALLED,
        /** Nothing comes from the server that is read, and the address has certainly moved: the source is to be connected to again. */
        MOVED
    }

    /**
     * The server that is read.
     *
     * @param readTo how far it was read
     * @param receivedBytes how much has come from it, with heartbeats
     */
    record Reading(String identity, BinlogPosition readTo, long receivedBytes) {}

    /**
     * The other server to which the last connection of a probe has led.
     *
     * @param isOnly whether all of them have led to it
     * @param end where its binlog ends; null if it may not be asked
     */
    record Other(String identity, boolean isOnly, ServerFacts.@Nullable End end) {}

    private @Nullable String read;
    /** Up to where it was read, and what had come, at the first probe since something came; null before the first. */
    private @Nullable Reading silentSince;
    /** Where the binlogs of the other servers ended at the first probes since then, by identity. */
    private final Map<String, ServerFacts.End> ends = new HashMap<>();

    private @Nullable String other;
    private int probes;
    private boolean isOne;
    private boolean hasWritten;
    private boolean isReported;
    private boolean isStallReported;
    /** What is read while nothing comes from it and the other server writes; null if that is not so. */
    private volatile @Nullable Reading stalled;

    private boolean hasLedBack;
    private long ledBackNanos;
    private boolean hasMoved;
    private long movedNanos;
    private Duration pause = FIRST_PAUSE;

    /**
     * Whether nothing comes from the server that is read, while the one to which its address leads writes. This ends with the next event, or when another
     * server is read, also if no probe succeeds. For any thread.
     *
     * @param identity of the server that is read now; null if that is not known
     * @param readTo how far it was read; null before the first event
     */
    boolean isStalled(@Nullable String identity, @Nullable BinlogPosition readTo) {
        Reading at = stalled;
        return at != null && at.identity().equals(identity) && at.readTo().equals(readTo);
    }

    /**
     * A connection has led to the server that is read.
     *
     * @param hasLedElsewhere whether another one of the same probe has not
     */
    void leadsTo(String identity, boolean hasLedElsewhere, long nanos) {
        if (identity.equals(read) && probes > 0 || hasLedElsewhere) {
            hasLedBack = true;
            ledBackNanos = nanos;
        }
        restart(identity);
    }

    /** Forgets the address, since another host is read now. */
    void changeHost() {
        restart(null);
        hasLedBack = false;
        hasMoved = false;
        pause = FIRST_PAUSE;
    }

    /** Begins again, since another server is read now; null for none. */
    void restart(@Nullable String identity) {
        read = identity;
        silentSince = null;
        ends.clear();
        other = null;
        probes = 0;
        hasWritten = false;
        isReported = false;
        isStallReported = false;
        stalled = null;
    }

    /** All connections of one probe have led to other servers, the last one to this. */
    Finding leadsElsewhere(Reading reading, Other led, long nanos) {
        if (!reading.identity().equals(read)) {
            restart(reading.identity());
        }
        probes++;
        isOne = led.isOnly() && (probes == 1 || isOne && led.identity().equals(other));
        other = led.identity();
        Reading since = silentSince;
        if (since == null || !since.readTo().equals(reading.readTo())) {
            silentSince = reading;
            ends.clear();
            hasWritten = false;
            stalled = null;
        } else {
            // Without a heartbeat it is not being read, as while the store is full.
            stalled = hasWritten && reading.receivedBytes() != since.receivedBytes() ? reading : null;
        }
        note(led);
        return finding(nanos);
    }

    private void note(Other led) {
        ServerFacts.End now = led.end();
        ServerFacts.End before = ends.get(led.identity());
        hasWritten |= before != null && now != null && hasWritten(before, now);
        if (now != null) { // its binlog may have another file now
            ends.put(led.identity(), now);
        }
    }

    private Finding finding(long nanos) {
        boolean isBalanced = hasLedBack && nanos - ledBackNanos < BALANCED.toNanos();
        boolean isStalled = stalled != null;
        if (isStalled && isOne && !isBalanced && mayMove(nanos)) {
            return Finding.MOVED;
        }
        if (isStalled && !isStallReported) {
            isStallReported = true;
            return Finding.STALLED;
        }
        if (!isReported && !isBalanced && probes >= PROBES_BEFORE_REPORT) {
            isReported = true;
            return Finding.ELSEWHERE;
        }
        return Finding.NONE;
    }

    /** Each time within the hour after the last one has a longer pause. */
    private boolean mayMove(long nanos) {
        long sinceMoved = nanos - movedNanos;
        if (hasMoved && sinceMoved < pause.toNanos()) {
            return false;
        }
        boolean isRepeated =
                hasMoved && sinceMoved < LONGEST_PAUSE.multipliedBy(2).toNanos();
        Duration next = isRepeated ? pause.multipliedBy(2) : FIRST_PAUSE;
        pause = next.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : next;
        hasMoved = true;
        movedNanos = nanos;
        return true;
    }

    /** Whether a server has written; that it has begun another file does not tell without GTIDs. */
    private static boolean hasWritten(ServerFacts.End before, ServerFacts.End now) {
        if (before.executed() != null && now.executed() != null) {
            return !before.executed().equals(now.executed());
        }
        return before.position().file().equals(now.position().file())
                && before.position().isBefore(now.position());
    }
}
