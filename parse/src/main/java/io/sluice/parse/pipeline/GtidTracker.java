package io.sluice.parse.pipeline;

import io.sluice.parse.binlog.EventBody;
import io.sluice.parse.binlog.GtidEvent;
import io.sluice.parse.entry.GtidStamp;
import io.sluice.parse.gtid.ExecutedGtids;
import io.sluice.parse.gtid.GtidSet;
import io.sluice.parse.gtid.MariaDbGtid;
import io.sluice.parse.gtid.MariaDbGtidSet;
import io.sluice.parse.gtid.MariaDbGtids;
import io.sluice.parse.gtid.MySqlGtids;
import io.sluice.parse.gtid.SeenTransactions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the GTIDs of a stream: what the entries of each transaction state of them, and which transactions are done.
 *
 * <p>A transaction is done when all its events were read; until then a new connection must ask for it again. An empty set
 * becomes one of the other kind when the source turns out to be of that kind. For one thread.
 */
final class GtidTracker {
    private static final Logger LOG = LoggerFactory.getLogger(GtidTracker.class);

    /** What headers show, in canal's order of servers; null if they show nothing. */
    private @Nullable SeenTransactions shown;

    private @Nullable ExecutedGtids done;
    private @Nullable ExecutedGtids withOpen;
    private @Nullable GtidStamp stamp;

    /**
     * Makes a tracker whose stamps are visible.
     *
     * @param seen the GTID set before the next transaction; null if GTIDs are not followed
     */
    GtidTracker(@Nullable SeenTransactions seen) {
        if (seen != null) {
            show(seen);
        }
    }

    /** Goes on from other transactions, with visible stamps. */
    void show(SeenTransactions seen) {
        shown = seen;
        done = ExecutedGtids.parse(seen.toString());
        withOpen = done;
        stamp = new GtidStamp(seen.toString(), null, 0, 0);
    }

    /** Goes on from other transactions, with stamps for positions alone; null to follow GTIDs no more. */
    void follow(@Nullable ExecutedGtids executed) {
        shown = null;
        done = executed;
        withOpen = executed;
        stamp = executed == null ? null : GtidStamp.silent(executed);
    }

    /** States that the events of the open transaction come again. */
    void resumed() {
        withOpen = done;
    }

    /** What the entries of the current transaction state; null if GTIDs are not followed. */
    @Nullable GtidStamp stamp() {
        return stamp;
    }

    /** The transactions that were read whole; null if GTIDs are not followed. */
    @Nullable ExecutedGtids done() {
        return done;
    }

    /**
     * Takes an event that names a transaction.
     *
     * @param tagged whether it is a {@code GTID_TAGGED_LOG_EVENT}
     * @throws StreamException if the GTIDs before it are of MariaDB
     */
    void accept(EventBody body, boolean tagged) {
        if (done == null) {
            return;
        }
        if (done.isEmpty() && !(done instanceof MySqlGtids)) {
            done = MySqlGtids.of(new GtidSet());
            shown = shown == null ? null : new GtidSet();
        }
        if (!(done instanceof MySqlGtids before)) {
            throw wrongKind("MySQL");
        }
        GtidEvent event = tagged ? GtidEvent.decodeTagged(body) : GtidEvent.decode(body);
        ExecutedGtids with = before.plus(event.gtid());
        withOpen = with;
        if (shown instanceof GtidSet set) {
            set.add(event.gtid());
            stamp = new GtidStamp(
                    set.toString(), event.gtid().toString(), event.sequenceNumber(), event.lastCommitted());
        } else {
            stamp = GtidStamp.silent(before, with, event.gtid());
        }
    }

    /**
     * Takes the GTID of a MariaDB transaction.
     *
     * @throws StreamException if those before it are of MySQL
     */
    void accept(MariaDbGtid gtid) {
        if (done == null) {
            return;
        }
        if (done.isEmpty() && !(done instanceof MariaDbGtids)) {
            done = MariaDbGtids.parse("");
            shown = shown == null ? null : new MariaDbGtidSet();
        }
        if (!(done instanceof MariaDbGtids before)) {
            throw wrongKind("MariaDB");
        }
        ExecutedGtids with = before.plus(gtid);
        withOpen = with;
        if (shown instanceof MariaDbGtidSet set) {
            set.add(gtid);
            stamp = GtidStamp.ofMariaDb(set.toString(), gtid);
        } else {
            stamp = GtidStamp.silent(before, with, gtid);
        }
    }

    private StreamException wrongKind(String server) {
        return new StreamException("the source is %s, but the position has the GTIDs of another kind of server: %s"
                .formatted(server, done));
    }

    /** Takes a transaction that has no GTID: from there on a set does not say where the stream stands. */
    void acceptAnonymous(Event event) {
        if (done != null && shown == null) {
            LOG.warn(
                    "the binlog has a transaction without a GTID, positions are kept by file and offset from there on: at={}",
                    event.place());
            follow(null);
        }
    }

    /** States that the transaction named last was read whole. */
    void transactionEnded() {
        done = withOpen;
    }
}
