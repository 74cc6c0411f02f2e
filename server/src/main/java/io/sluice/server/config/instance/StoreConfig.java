package io.sluice.server.config.instance;

import io.sluice.store.ring.BatchLimit;
import io.sluice.store.ring.BatchMode;
import io.sluice.store.ring.RingConfig;

/**
 * How much an instance's store may hold, and what a batch of it is.
 *
 * @param ring how much it may hold
 * @param batchMode what the size of a batch counts
 * @param rawEntry whether entries that clients pull are held as protobuf bytes, and packets for a broker have the form that canal gives
 *     them where it holds such bytes; never when flat messages leave
 */
public record StoreConfig(RingConfig ring, BatchMode batchMode, boolean rawEntry) {
    /** The limit of a batch of this size, in what {@link #batchMode} counts; at least 1. */
    public BatchLimit limit(int size) {
        return switch (batchMode) {
            case ITEMSIZE -> BatchLimit.entries(size);
            case MEMSIZE -> BatchLimit.bytes((long) size * ring.bytesPerSlot());
        };
    }
}
