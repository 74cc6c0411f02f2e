package io.sluice.stream.options;

/**
 * How events that are too large for the heap are handled.
 *
 * @param largestRead the size up to which an event is read into memory, in bytes; for texts a quarter of it
 * @param leavesUnread whether a larger event becomes an entry without rows, so that the consumer of entries handles it; otherwise it stops
 *     the stream
 */
public record LargeEventPolicy(long largestRead, boolean leavesUnread) {
    /** Events of all sizes are read. */
    public static final LargeEventPolicy READ = new LargeEventPolicy(Long.MAX_VALUE, false);

    /** The size limit of texts, of which more copies are made than of rows. */
    public long largestText() {
        return largestRead / 4;
    }
}
