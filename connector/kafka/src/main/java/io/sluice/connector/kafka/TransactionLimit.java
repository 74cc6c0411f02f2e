package io.sluice.connector.kafka;

/**
 * How many records the next transaction takes.
 *
 * <p>A record that the broker refuses takes its whole transaction with it. So that only it is refused and those before it
 * arrive, the next transaction ends before it, and those that follow have one record each, until as many have passed as were in
 * the one that failed: the records may be handed over again from an earlier one on, so that the refused one comes later than it
 * did. Not safe for use by several threads.
 */
final class TransactionLimit {
    private final int most;
    private int next;
    private int single;

    TransactionLimit(int most) {
        this.most = most;
    }

    /** At least 1. */
    int next() {
        if (next > 0) {
            return next;
        }
        return single > 0 ? 1 : most;
    }

    /** A transaction is over, and all of its records arrived. */
    void committed() {
        if (next > 0) {
            next = 0;
        } else if (single > 0) {
            single--;
        }
    }

    /**
     * A record was refused.
     *
     * @param index its place in the transaction, from 0
     * @param size how many records the transaction had; more than 1
     */
    void refused(int index, int size) {
        next = index;
        single = size;
    }
}
