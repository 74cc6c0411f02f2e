package io.sluice.parse.pipeline;

import io.sluice.parse.binlog.EventBody;
import io.sluice.parse.binlog.GtidEvent;
import io.sluice.parse.entry.GtidStamp;
import io.sluice.parse.gtid.GtidSet;
import io.sluice.parse.gtid.MariaDbGtid;
import io.sluice.parse.gtid.MariaDbGtidSet;
import io.sluice.parse.gtid.SeenTransactions;
import org.jspecify.annotations.Nullable;

/** Follows the GTIDs of a stream, and says what the entries of each transaction state of them. For one thread. */
final class GtidTracker {
    /** An empty set becomes one of the other kind when the source turns out to be of that kind. */
    private @Nullable SeenTransactions seen;

    private @Nullable GtidStamp stamp;

    /**
     * Makes a tracker.
     *
     * @param seen the GTID set before the next transaction; null outside of GTID mode
     */
    GtidTracker(@Nullable SeenTransactions seen) {
        this.seen = seen;
        this.stamp = seen == null ? null : new GtidStamp(seen.toString(), null, 0, 0);
    }

    /** What the entries of the current transaction state; null outside of GTID mode. */
    @Nullable GtidStamp stamp() {
        return stamp;
    }

    /**
     * Takes an event that names a transaction.
     *
     * @param tagged whether it is a {@code GTID_TAGGED_LOG_EVENT}
     * @throws StreamException if the GTIDs before it are of MariaDB
     */
    void accept(EventBody body, boolean tagged) {
        if (seen == null) {
            return;
        }
        if (seen.isEmpty() && !(seen instanceof GtidSet)) {
            seen = new GtidSet();
        }
        if (!(seen instanceof GtidSet executed)) {
            throw wrongKind("MySQL");
        }
        GtidEvent event = tagged ? GtidEvent.decodeTagged(body) : GtidEvent.decode(body);
        executed.add(event.gtid());
        stamp = new GtidStamp(
                executed.toString(), event.gtid().toString(), event.sequenceNumber(), event.lastCommitted());
    }

    /**
     * Takes the GTID of a MariaDB transaction.
     *
     * @throws StreamException if those before it are of MySQL
     */
    void accept(MariaDbGtid gtid) {
        if (seen == null) {
            return;
        }
        if (seen.isEmpty() && !(seen instanceof MariaDbGtidSet)) {
            seen = new MariaDbGtidSet();
        }
        if (!(seen instanceof MariaDbGtidSet newest)) {
            throw wrongKind("MariaDB");
        }
        newest.add(gtid);
        stamp = new GtidStamp(newest.toString(), null, 0, 0);
    }

    private StreamException wrongKind(String server) {
        return new StreamException("the source is %s, but the position has the GTIDs of another kind of server: %s"
                .formatted(server, seen));
    }
}
