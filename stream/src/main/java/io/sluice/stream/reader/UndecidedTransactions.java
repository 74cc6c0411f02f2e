package io.sluice.stream.reader;

import io.sluice.mysql.transaction.Boundary;
import io.sluice.mysql.transaction.Xid;
import io.sluice.protocol.time.Time;
import io.sluice.stream.event.Event;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The XA transactions that are prepared and not decided, oldest first.
 *
 * <p>The oldest one holds the cursor: no cursor is after {@link #start}, so all of them are read again after a restart. One that stays
 * undecided is reported repeatedly. For one thread, but for {@link #count}.
 */
final class UndecidedTransactions {
    private static final Logger LOG = LoggerFactory.getLogger(UndecidedTransactions.class);

    /** After which a transaction is reported. */
    private static final Duration LONG = Duration.ofMinutes(5);

    /** How often at most. */
    private static final Duration REPORT_INTERVAL = Duration.ofMinutes(10);

    private final Time time;
    private final Map<Xid, Prepared> byXid = new LinkedHashMap<>();
    private volatile int count;
    /** The source's clock minus ours, in milliseconds. */
    private volatile long clockMillis;

    private long reportedNanos;
    private boolean isReported;

    /** A transaction, and when it was prepared by the source's clock. */
    private record Prepared(HeldTransaction transaction, long seconds) {}

    UndecidedTransactions(Time time) {
        this.time = time;
    }

    /** Adds a transaction that was prepared. Its xid may be that of one whose decision was never logged, which is dropped. */
    void add(Xid xid, HeldTransaction transaction, long seconds, Event.Position at) {
        Prepared before = byXid.remove(xid);
        byXid.put(xid, new Prepared(transaction, seconds));
        count = byXid.size();
        if (before != null) {
            LOG.warn(
                    "an XA transaction was prepared again before the binlog decided on it, so the source has lost the first one,"
                            + " whose rows are dropped: xid={} first={} again={}",
                    xid,
                    before.transaction().start().position(),
                    at);
            before.transaction().events().discard();
        }
    }

    /** The transaction of an xid; null if none is held. */
    @Nullable HeldTransaction get(Xid xid) {
        Prepared found = byXid.get(xid);
        return found == null ? null : found.transaction();
    }

    /** Removes a transaction that is decided. */
    void remove(Xid xid, String decision) {
        boolean wasOldest = !byXid.isEmpty() && byXid.keySet().iterator().next().equals(xid);
        byXid.remove(xid);
        count = byXid.size();
        if (isReported && wasOldest) {
            isReported = false;
            LOG.info("an XA transaction that held the cursor was decided: xid={} decision={}", xid, decision);
        }
    }

    /** Drops all, since they are read again. */
    void clear() {
        for (Prepared prepared : byXid.values()) {
            prepared.transaction().events().discard();
        }
        byXid.clear();
        count = 0;
        isReported = false;
    }

    /** The number of undecided transactions. May be called by any thread. */
    int count() {
        return count;
    }

    /** Where the oldest one begins; null if there is none. */
    @Nullable Boundary start() {
        Iterator<Prepared> oldest = byXid.values().iterator();
        return oldest.hasNext() ? oldest.next().transaction().start() : null;
    }

    /**
     * Sets how far the source's clock is ahead of ours, as their times are by that clock. May be called by any thread.
     *
     * @param millis in milliseconds; negative if it is behind
     */
    void setSourceClock(long millis) {
        clockMillis = millis;
    }

    /** Checks for old ones while the source is idle. */
    void lookNow() {
        if (!byXid.isEmpty()) {
            report((time.millis() + clockMillis) / 1000);
        }
    }

    /**
     * Reports the oldest one if it is undecided for long.
     *
     * @param seconds how far the binlog was read; while old files are read, that is not the time of day
     */
    void report(long seconds) {
        if (byXid.isEmpty()) {
            return;
        }
        Map.Entry<Xid, Prepared> oldest = byXid.entrySet().iterator().next();
        long age = seconds - oldest.getValue().seconds();
        long now = time.nanos();
        if (age < LONG.toSeconds() || isReported && now - reportedNanos < REPORT_INTERVAL.toNanos()) {
            return;
        }
        isReported = true;
        reportedNanos = now;
        LOG.warn(
                "an XA transaction is prepared and not decided, and holds the cursor: after a restart all that came since is"
                        + " delivered again, and if its binlog is purged before, reading cannot resume; decide on it at the"
                        + " source, by XA COMMIT or XA ROLLBACK; if XA RECOVER does not list it, the source has lost it, then"
                        + " set the cursor to a position after it: xid={} begins={} age_s={} undecided={}",
                oldest.getKey(),
                oldest.getValue().transaction().start().position(),
                age,
                byXid.size());
    }
}
