package io.sluice.server.config;

/**
 * Where rows of XA transactions are delivered.
 *
 * @param delivery at which of their events
 * @param memoryBytes how much memory those may take that are held back; what exceeds it is in files
 */
public record XaConfig(Delivery delivery, int memoryBytes) {
    /** An event of an XA transaction. */
    public enum Delivery {
        /** Where the binlog has the rows, which is at {@code XA PREPARE}, as with canal. */
        PREPARED,
        /** At {@code XA COMMIT}; rows of a transaction that is rolled back are not delivered. */
        COMMITTED
    }

    /** Whether rows are held back until they are committed. */
    public boolean holdsBack() {
        return delivery == Delivery.COMMITTED;
    }
}
