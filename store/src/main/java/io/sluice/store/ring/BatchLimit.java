package io.sluice.store.ring;

/** How much one {@link EntryStore#get get} hands out at most: canal's {@code ITEMSIZE} and {@code MEMSIZE}. */
public sealed interface BatchLimit {
    /** Up to {@code count} entries; at least 1. */
    static BatchLimit entries(int count) {
        return new Entries(count);
    }

    /** Entries until their sizes sum up to more than {@code bytes}; at least 1. */
    static BatchLimit bytes(long bytes) {
        return new Bytes(bytes);
    }

    /**
     * A limit by number.
     *
     * @param count entries, at least 1
     */
    record Entries(int count) implements BatchLimit {
        public Entries {
            if (count < 1) {
                throw new IllegalArgumentException("a batch of " + count + " entries would never hand anything out");
            }
        }
    }

    /**
     * A limit by memory. The entry that exceeds it is the batch's last, so a batch is never empty for an entry's size.
     *
     * @param bytes as {@link io.sluice.format.entry.Entry#sizeBytes()} counts them, at least 1
     */
    record Bytes(long bytes) implements BatchLimit {
        public Bytes {
            if (bytes < 1) {
                throw new IllegalArgumentException("a batch of " + bytes + " bytes would never hand anything out");
            }
        }
    }
}
