package io.sluice.store.ring;

import java.time.Duration;

/**
 * What a store holds and has done, as of one moment: {@code acked <= got <= put}.
 *
 * @param put what the reader put
 * @param got what was handed out; a rollback sets it back to {@code acked}
 * @param acked what was acked, and is therefore freed
 * @param oldestToGetMillis when the oldest entry was written on the source that was not handed out, in milliseconds since the
 *     epoch; 0 if all were
 * @param oldestToAckMillis the same of the oldest entry that was not acked; 0 if all were
 * @param waited for how long puts have waited for room, in all
 * @param config how much the store may hold
 */
public record StoreStats(
        StoreProgress put,
        StoreProgress got,
        StoreProgress acked,
        long oldestToGetMillis,
        long oldestToAckMillis,
        Duration waited,
        RingConfig config) {
    /** How many entries the store can hold now: those that were handed out, and as many as may wait; at most all slots. */
    public long capacityEntries() {
        return Math.min(config.slots(), got.entries() - acked.entries() + config.waitingSlots());
    }

    /** How many bytes of entries the store can hold now. */
    public long capacityBytes() {
        return Math.min(config.capacityBytes(), got.bytes() - acked.bytes() + config.waitingBytes());
    }
}
