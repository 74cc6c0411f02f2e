package io.sluice.store.ring;

/**
 * A position between two entries of the ring.
 *
 * @param entries how many entries were put before it since the store was made; also the sequence of the next one
 * @param bytes the sum of their sizes
 * @param lastTimeMillis when the last of them was written on the source, in milliseconds since the epoch; 0 if there is none
 */
record RingPosition(long entries, long bytes, long lastTimeMillis) {
    static final RingPosition START = new RingPosition(0, 0, 0);

    /** How far this position is. */
    StoreProgress progress(long rows) {
        return new StoreProgress(entries, bytes, rows, lastTimeMillis);
    }
}
