package io.sluice.store.ring;

/** How much one {@link EntryStore#getIfReady get} hands out at most: canal's {@code ITEMSIZE} and {@code MEMSIZE}. */
public sealed interface BatchLimit {
    /** Up to {@code count} entries; at least 1. */
    static BatchLimit entries(int count) {
        return new Entries(count, Long.MAX_VALUE);
    }

    /** Up to {@code count} entries, but none after the one with which their sizes sum up to more than {@code bytes}; both at least 1. */
    static BatchLimit entries(int count, long bytes) {
        return new Entries(count, bytes);
    }

    /** Entries until their sizes sum up to more than {@code bytes}; at least 1. */
    static BatchLimit bytes(long bytes) {
        return new Bytes(bytes);
    }

    /** Whether another entry is handed out after so many, whose sizes sum up to so many bytes. */
    boolean hasRoom(int count, long bytes);

    /**
     * A limit by number, and by memory.
     *
     * @param count entries, at least 1
     * @param bytes as of {@link Bytes}
     */
    record Entries(int count, long bytes) implements BatchLimit {
        public Entries {
            if (count < 1) {
                throw new IllegalArgumentException("a batch of " + count + " entries would never hand anything out");
            }
            requireBytes(bytes);
        }

        @Override
        public boolean hasRoom(int taken, long takenBytes) {
            return taken < count && takenBytes <= bytes;
        }
    }

    /**
     * A limit by memory. The entry that exceeds it is the batch's last, so a batch is never empty for an entry's size.
     *
     * @param bytes as {@link io.sluice.format.entry.Entry#sizeBytes()} counts them, at least 1
     */
    record Bytes(long bytes) implements BatchLimit {
        public Bytes {
            requireBytes(bytes);
        }

        @Override
        public boolean hasRoom(int taken, long takenBytes) {
            return takenBytes <= bytes;
        }
    }

    private static void requireBytes(long bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("a batch of " + bytes + " bytes would never hand anything out");
        }
    }
}
