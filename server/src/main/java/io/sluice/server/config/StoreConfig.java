package io.sluice.server.config;

/**
 * How much an instance's store may hold, and what a batch of it is.
 *
 * @param slots places for entries, a power of two
 * @param bytesPerSlot the bytes that a place stands for
 * @param batchMode what the size of a batch counts
 * @param rawEntry whether entries are held as protobuf bytes; never when flat messages leave
 * @param ddlIsolation whether a DDL is always a batch of its own
 */
public record StoreConfig(int slots, int bytesPerSlot, BatchMode batchMode, boolean rawEntry, boolean ddlIsolation) {
    public StoreConfig {
        if (slots < 1 || Integer.bitCount(slots) != 1) {
            throw new IllegalArgumentException("canal.instance.memory.buffer.size is not a power of two: " + slots);
        }
    }

    /** The most that the store holds in {@link BatchMode#MEMSIZE}. */
    public long capacityBytes() {
        return (long) slots * bytesPerSlot;
    }
}
