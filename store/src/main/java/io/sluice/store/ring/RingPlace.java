package io.sluice.store.ring;

/**
 * A place between two entries of the ring.
 *
 * @param entries how many entries were put before it since the store was made; also the sequence of the next one
 * @param bytes the sum of their sizes
 * @param lastTimeMillis when the last of them was written on the source, in milliseconds since the epoch; 0 if there is none
 */
record RingPlace(long entries, long bytes, long lastTimeMillis) {
    static final RingPlace START = new RingPlace(0, 0, 0);

    /** How far this place has advanced. */
    StoreProgress progress(long rows) {
        return new StoreProgress(entries, bytes, rows, lastTimeMillis);
    }
}
