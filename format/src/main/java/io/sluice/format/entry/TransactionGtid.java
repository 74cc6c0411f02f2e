package io.sluice.format.entry;

import io.sluice.mysql.gtid.Gtid;
import io.sluice.mysql.gtid.GtidSet;
import org.jspecify.annotations.Nullable;

/**
 * What the entries of one transaction state of GTIDs: in their headers, if it is visible, and in cursors. Made once per
 * transaction; immutable.
 */
public final class TransactionGtid {
    private final GtidSet executed;
    private final @Nullable Gtid transaction;
    private final boolean isShown;
    private final long sequenceNumber;
    private final long lastCommitted;

    private TransactionGtid(
            GtidSet executed, @Nullable Gtid transaction, boolean isShown, long sequenceNumber, long lastCommitted) {
        this.executed = executed;
        this.transaction = transaction;
        this.isShown = isShown;
        this.sequenceNumber = sequenceNumber;
        this.lastCommitted = lastCommitted;
    }

    /**
     * Makes the GTIDs of a transaction that headers do not show.
     *
     * @param executed all transactions up to and with this one
     * @param transaction its own GTID; null before the first transaction of a stream
     */
    public static TransactionGtid silent(GtidSet executed, @Nullable Gtid transaction) {
        return new TransactionGtid(executed, transaction, false, 0, 0);
    }

    /**
     * Makes the GTIDs of a transaction that headers show.
     *
     * @param executed all transactions up to and with this one
     * @param transaction its own GTID; null before the first transaction
     * @param sequenceNumber its logical clock
     * @param lastCommitted the logical clock it depends on
     */
    public static TransactionGtid visible(
            GtidSet executed, @Nullable Gtid transaction, long sequenceNumber, long lastCommitted) {
        return new TransactionGtid(executed, transaction, true, sequenceNumber, lastCommitted);
    }

    /** The transaction's own GTID as text; null before the first transaction of a stream. */
    public @Nullable String transaction() {
        return transaction == null ? null : transaction.toString();
    }

    /** The transaction's own GTID; null before the first transaction of a stream. */
    public @Nullable Gtid gtid() {
        return transaction;
    }

    /** All transactions up to and with this one. */
    GtidSet executed() {
        return executed;
    }

    /** The set as messages show it; null if they do not. It is made with each call: it may be large, and a store keeps many. */
    public @Nullable String shown() {
        return isShown ? executed.toString() : null;
    }

    /** The logical clock of a visible transaction. */
    public long sequenceNumber() {
        return sequenceNumber;
    }

    /** The logical clock that a visible transaction depends on. */
    public long lastCommitted() {
        return lastCommitted;
    }
}
