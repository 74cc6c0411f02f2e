package io.sluice.stream.reader;

import io.sluice.format.entry.TransactionGtid;
import io.sluice.mysql.binlog.EventBody;
import io.sluice.mysql.binlog.GtidEvent;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.gtid.Gtid;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.gtid.MariaDbGtid;
import io.sluice.mysql.gtid.ShortenedGtidSet;
import io.sluice.mysql.transaction.TransactionTracker;
import io.sluice.stream.event.Event;
import io.sluice.stream.failure.StreamException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the GTID headers of the entries of each transaction, and announces each transaction to the transaction tracker. For
 * one thread.
 */
final class GtidTracker {
    private static final Logger LOG = LoggerFactory.getLogger(GtidTracker.class);

    private final TransactionTracker transactions;
    private boolean isShown;
    private @Nullable TransactionGtid transaction;

    /** Makes a tracker that does not follow GTIDs until it is started. */
    GtidTracker(TransactionTracker transactions) {
        this.transactions = transactions;
    }

    /**
     * Continues after other transactions.
     *
     * @param executed those before the next one; null not to follow GTIDs
     * @param shown whether headers show them
     */
    void start(@Nullable GtidSet executed, boolean shown) {
        isShown = shown && executed != null;
        transaction = executed == null ? null : transactionOf(executed, null, 0, 0);
    }

    private TransactionGtid transactionOf(
            GtidSet executed, @Nullable Gtid gtid, long sequenceNumber, long lastCommitted) {
        return isShown
                ? TransactionGtid.visible(executed, gtid, sequenceNumber, lastCommitted)
                : TransactionGtid.silent(executed, gtid);
    }

    /** The GTID header of the current transaction's entries; null if GTIDs are not followed. */
    @Nullable TransactionGtid transaction() {
        return transaction;
    }

    /**
     * Reads a GTID event.
     *
     * @param tagged whether it is a {@code GTID_TAGGED_LOG_EVENT}
     * @throws StreamException if the GTIDs before it are of MariaDB
     */
    void accept(EventBody body, boolean tagged) {
        if (transactions.executed() != null) {
            GtidEvent event = tagged ? GtidEvent.decodeTagged(body) : GtidEvent.decode(body);
            accept(event.gtid(), event.sequenceNumber(), event.lastCommitted());
        }
    }

    /**
     * Sets the GTID of a MariaDB transaction.
     *
     * @throws StreamException if those before it are of MySQL
     */
    void accept(MariaDbGtid gtid) {
        accept(gtid, 0, 0);
    }

    private void accept(Gtid gtid, long sequenceNumber, long lastCommitted) {
        try {
            transactions.announce(gtid);
        } catch (IllegalArgumentException e) {
            GtidSet before = transactions.executed();
            throw new StreamException(
                    SourceFailure.MISCONFIGURED,
                    "the source is %s, but the position has GTIDs of the other flavour of server: %s"
                            .formatted(
                                    gtid instanceof MariaDbGtid ? "MariaDB" : "MySQL",
                                    before == null ? "none" : ShortenedGtidSet.of(before)),
                    e);
        }
        GtidSet executed = transactions.withCurrent();
        if (executed != null) {
            transaction = transactionOf(executed, gtid, sequenceNumber, lastCommitted);
        }
    }

    /** Reads the event before a transaction without a GTID: from there on a GTID set does not determine a position. */
    void acceptAnonymous(Event event) {
        if (transactions.executed() != null && !isShown) {
            LOG.warn(
                    "the binlog has a transaction without a GTID, from there on positions are kept by file and offset: at={}",
                    event.position());
            transactions.announceAnonymous();
            start(null, false);
        }
    }
}
