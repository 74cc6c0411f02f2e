package io.sluice.connector.kafka.transaction;

/**
 * How many records the next transaction takes.
 *
 * <p>A record that the broker rejects fails its whole transaction, and the brokers do not always state which one it was.
 * So the next transaction ends before it, and the one after has that record alone: what is rejected then is surely its fault,
 * and those before it have arrived. Not thread-safe.
 */
final class TransactionLimit {
    private final int most;
    private int next;
    private boolean alone;

    TransactionLimit(int most) {
        this.most = most;
    }

    /** At least 1. */
    int next() {
        if (next > 0) {
            return next;
        }
        return alone ? 1 : most;
    }

    /** A transaction is over, and all of its records arrived. */
    void committed() {
        if (next > 0) {
            next = 0;
        } else {
            alone = false;
        }
    }

    /**
     * A record was rejected that was not alone.
     *
     * @param index its index in the transaction, from 0
     */
    void refused(int index) {
        next = index;
        alone = true;
    }
}
