package io.sluice.store.ring;

import io.sluice.format.entry.Entry;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * The entries that one get handed out, in binlog order; they stay readable after the ack.
 *
 * <p>Immutable, but for what it has counted, and free to be passed between threads.
 */
public final class Batch {
    private final long id;
    private final Entry[] array;
    private final List<Entry> entries;
    private final RingPosition begin;
    private final RingPosition end;

    /** Negative until it is computed; computing it again gives the same. */
    private volatile long rows = -1;

    /** Takes over {@code entries}, which must not change any more. */
    Batch(long id, Entry[] entries, RingPosition begin, RingPosition end) {
        this.id = id;
        this.array = entries;
        this.entries = Collections.unmodifiableList(Arrays.asList(entries));
        this.begin = begin;
        this.end = end;
    }

    /** Counts from 1 for each store, and continues after a rollback. */
    public long id() {
        return id;
    }

    /** The entries, at least one, oldest first; cannot be changed. */
    public List<Entry> entries() {
        return entries;
    }

    /** The sum of the entries' {@link Entry#sizeBytes()}. */
    public long sizeBytes() {
        return end.bytes() - begin.bytes();
    }

    /** How many rows the entries have. They are counted at the first call, best by the thread that has just written them. */
    public long rows() {
        long counted = rows;
        if (counted < 0) {
            counted = EntryRows.of(array);
            rows = counted;
        }
        return counted;
    }

    /** How many entries were put before its first one since the store was made. Batches that are open at once differ in it. */
    public long sequence() {
        return begin.entries();
    }

    /**
     * Cuts it in two, so that the first part is within a limit; in one part if it is. Both have its id, and an ack of the second one acks the first, too.
     */
    public List<Batch> cut(BatchLimit limit) {
        int count = 0;
        long bytes = 0;
        while (count < array.length && limit.hasRoom(count, bytes)) {
            bytes += array[count].sizeBytes();
            count++;
        }
        if (count == array.length) {
            return List.of(this);
        }
        RingPosition middle =
                new RingPosition(begin.entries() + count, begin.bytes() + bytes, array[count - 1].executeTimeMillis());
        return List.of(
                new Batch(id, Arrays.copyOf(array, count), begin, middle),
                new Batch(id, Arrays.copyOfRange(array, count, array.length), middle, end));
    }

    /** How far the store had handed out when this batch began. */
    RingPosition begin() {
        return begin;
    }

    /** How far the store has handed out when this batch ends. */
    RingPosition end() {
        return end;
    }

    @Override
    public String toString() {
        return "batch %d of %d entries".formatted(id, entries.size());
    }
}
