package io.sluice.parse.pipeline;

import io.sluice.parse.binlog.EventBody;
import io.sluice.parse.binlog.GtidEvent;
import io.sluice.parse.entry.GtidStamp;
import io.sluice.parse.gtid.GtidSet;
import org.jspecify.annotations.Nullable;

/** Follows the GTIDs of a stream, and says what the entries of each transaction state of them. For one thread. */
final class GtidTracker {
    private final @Nullable GtidSet executed;
    private @Nullable GtidStamp stamp;

    /**
     * Makes a tracker.
     *
     * @param executed the GTID set before the next transaction; null outside of GTID mode
     */
    GtidTracker(@Nullable GtidSet executed) {
        this.executed = executed;
        this.stamp = executed == null ? null : new GtidStamp(executed.toString(), null, 0, 0);
    }

    /** What the entries of the current transaction state; null outside of GTID mode. */
    @Nullable GtidStamp stamp() {
        return stamp;
    }

    /**
     * Takes an event that names a transaction.
     *
     * @param tagged whether it is a {@code GTID_TAGGED_LOG_EVENT}
     */
    void accept(EventBody body, boolean tagged) {
        if (executed != null) {
            GtidEvent event = tagged ? GtidEvent.decodeTagged(body) : GtidEvent.decode(body);
            executed.add(event.gtid());
            stamp = new GtidStamp(
                    executed.toString(), event.gtid().toString(), event.sequenceNumber(), event.lastCommitted());
        }
    }
}
