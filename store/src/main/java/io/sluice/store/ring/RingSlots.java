package io.sluice.store.ring;

import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import org.jspecify.annotations.Nullable;

/**
 * The slots of a ring, which hold entries by their sequences. A sequence that is as many slots further on has the same slot; that it is free is for the
 * caller to know. For one thread at a time.
 */
final class RingSlots {
    private final @Nullable Entry[] entries;

    /** For each slot, the bytes put up to and with its entry: sizes are differences, so nothing is summed up twice. */
    private final long[] bytesThrough;

    private final int mask;

    /**
     * Makes empty slots.
     *
     * @param count a power of two
     */
    RingSlots(int count) {
        this.entries = new @Nullable Entry[count];
        this.bytesThrough = new long[count];
        this.mask = count - 1;
    }

    private int slotOf(long sequence) {
        return (int) (sequence & mask);
    }

    /**
     * Puts an entry.
     *
     * @param through the bytes put up to and with it since the ring was made
     */
    void put(long sequence, Entry entry, long through) {
        int slot = slotOf(sequence);
        entries[slot] = entry;
        bytesThrough[slot] = through;
    }

    /** The entry of a sequence, which is there. */
    Entry entryAt(long sequence) {
        Entry entry = entries[slotOf(sequence)];
        if (entry == null) {
            throw new AssertionError("slot of entry " + sequence + " is empty");
        }
        return entry;
    }

    /** The position after an entry. */
    RingPosition positionAfter(long sequence) {
        return new RingPosition(
                sequence + 1, bytesThrough[slotOf(sequence)], entryAt(sequence).executeTimeMillis());
    }

    /** Whether there is a DDL at a sequence, which may have no entry. */
    boolean isDdl(long sequence) {
        Entry entry = entries[slotOf(sequence)];
        return entry != null && entry.kind() == EntryKind.DDL;
    }

    /** The sequence of the first DDL from a sequence on; {@code end} if there is none before that. */
    long firstDdl(long begin, long end) {
        long sequence = begin;
        while (sequence < end && !isDdl(sequence)) {
            sequence++;
        }
        return sequence;
    }

    /** The sequence after the first entry with which the entries from a position on take more than {@code bytes}; at most that of the end. */
    long firstBeyond(long bytes, RingPosition begin, RingPosition end) {
        long low = begin.entries();
        long high = end.entries();
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (bytesThrough[slotOf(middle)] - begin.bytes() > bytes) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return Math.min(low + 1, end.entries());
    }

    /** The entries from a sequence on, up to but without {@code end}. */
    Entry[] copy(long begin, long end) {
        Entry[] copy = new Entry[(int) (end - begin)];
        int first = slotOf(begin);
        int untilWrap = Math.min(copy.length, entries.length - first);
        System.arraycopy(entries, first, copy, 0, untilWrap);
        System.arraycopy(entries, 0, copy, untilWrap, copy.length - untilWrap);
        return copy;
    }

    /** Removes the entries from a sequence on, up to but without {@code end}. */
    void clear(long begin, long end) {
        for (long sequence = begin; sequence < end; sequence++) {
            entries[slotOf(sequence)] = null;
        }
    }
}
