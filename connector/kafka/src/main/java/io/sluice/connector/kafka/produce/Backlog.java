package io.sluice.connector.kafka.produce;

import java.util.Collection;

/**
 * Whether the brokers' answers limit what is sent: since as many batches of a partition waited as may be in flight, some have always
 * waited. Then there is time to prepare more of them at once. Noted by the loop's thread; may be asked by any.
 */
final class Backlog {
    private volatile boolean isThere;

    boolean isThere() {
        return isThere;
    }

    /** Looks at the queues that have batches to be sent, when all that may be sent was sent. */
    void note(Collection<PartitionQueue> unsent) {
        if (unsent.isEmpty()) {
            isThere = false;
        } else if (!isThere) {
            isThere = unsent.stream().anyMatch(PartitionQueue::isBacklogged);
        }
    }
}
