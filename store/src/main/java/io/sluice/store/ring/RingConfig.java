package io.sluice.store.ring;

/**
 * How much an instance's store may hold, and how its batches are cut.
 *
 * <p>Entries that were handed out and not acked yet are on their way to a broker: the more, the farther it is. Those that wait to be
 * handed out only take memory, as soon as there are some batches of them. So the store may hold many of the former without as
 * many of the latter.
 *
 * @param slots {@code canal.instance.memory.buffer.size}: how many entries; a power of two
 * @param bytesPerSlot {@code canal.instance.memory.buffer.memunit}: times {@code slots}, how many bytes; at least 1
 * @param ddlIsolation {@code canal.instance.get.ddl.isolation}: whether a DDL always comes in a batch of its own
 * @param waitingSlots how many of the entries may wait to be handed out, and times {@code bytesPerSlot}, how many bytes of them; a power
 *     of two, at most {@code slots}
 */
public record RingConfig(int slots, int bytesPerSlot, boolean ddlIsolation, int waitingSlots) {
    /** What canal ships: 16384 entries, 16 MiB, no isolation. */
    public static final RingConfig DEFAULT = new RingConfig(16384, 1024, false);

    /** Of 1024 bytes each: more are of no use to one instance, and more that wait keep memory alive for nothing. */
    private static final int GROWING_SLOTS = 1 << 16;

    private static final int GROWING_WAITING_SLOTS = GROWING_SLOTS / 2;

    public RingConfig {
        if (slots < 1 || Integer.bitCount(slots) != 1) {
            throw new IllegalArgumentException("canal.instance.memory.buffer.size is not a power of two: " + slots);
        }
        if (bytesPerSlot < 1) {
            throw new IllegalArgumentException("canal.instance.memory.buffer.memunit is less than 1: " + bytesPerSlot);
        }
        if (Integer.bitCount(waitingSlots) != 1 || waitingSlots > slots) {
            throw new IllegalArgumentException(
                    "%d of %d slots for entries that wait to be handed out".formatted(waitingSlots, slots));
        }
    }

    /** A store whose entries may all be handed out or all wait, as canal's. */
    public RingConfig(int slots, int bytesPerSlot, boolean ddlIsolation) {
        this(slots, bytesPerSlot, ddlIsolation, slots);
    }

    /** A store whose size no operator has set: up to 64 MiB in all, of which half may wait; see {@link #within}. */
    public static RingConfig growing(boolean ddlIsolation) {
        return new RingConfig(GROWING_SLOTS, DEFAULT.bytesPerSlot, ddlIsolation, GROWING_WAITING_SLOTS);
    }

    /**
     * Returns a copy with at most so many bytes, but at least one slot, of which the same share may wait. A size that an operator has set, or
     * canal's, where all entries may wait, stays as it is.
     */
    public RingConfig within(long bytes) {
        if (waitingSlots == slots) {
            return this;
        }
        int fit = (int) Math.min(slots, Long.highestOneBit(Math.max(1, bytes / bytesPerSlot)));
        int waiting = (int) Math.max(1, (long) waitingSlots * fit / slots);
        return new RingConfig(fit, bytesPerSlot, ddlIsolation, waiting);
    }

    /** How many bytes of entries the store may hold. */
    public long capacityBytes() {
        return (long) slots * bytesPerSlot;
    }

    /** How many bytes of entries that were not handed out the store may hold. */
    public long waitingBytes() {
        return (long) waitingSlots * bytesPerSlot;
    }
}
