package io.sluice.store.ring;

/**
 * How much an instance's store may hold, and how its batches are cut.
 *
 * @param slots {@code canal.instance.memory.buffer.size}: how many entries; a power of two
 * @param bytesPerSlot {@code canal.instance.memory.buffer.memunit}: times {@code slots}, how many bytes; at least 1
 * @param ddlIsolation {@code canal.instance.get.ddl.isolation}: whether a DDL always comes in a batch of its own
 */
public record RingConfig(int slots, int bytesPerSlot, boolean ddlIsolation) {
    /** What canal ships: 16384 entries, 16 MiB, no isolation. */
    public static final RingConfig DEFAULT = new RingConfig(16384, 1024, false);

    public RingConfig {
        if (slots < 1 || Integer.bitCount(slots) != 1) {
            throw new IllegalArgumentException("canal.instance.memory.buffer.size is not a power of two: " + slots);
        }
        if (bytesPerSlot < 1) {
            throw new IllegalArgumentException("canal.instance.memory.buffer.memunit is less than 1: " + bytesPerSlot);
        }
    }

    /** How many bytes of entries the store may hold. */
    public long capacityBytes() {
        return (long) slots * bytesPerSlot;
    }
}
