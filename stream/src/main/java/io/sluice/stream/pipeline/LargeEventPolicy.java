package io.sluice.stream.pipeline;

/**
 * What becomes of events that are too large for the heap.
 *
 * @param largestRead how many bytes an event may have that is read into memory, whole; of texts a quarter
 * @param leavesUnread whether an entry without rows stands for the rows of a larger one, so that whoever takes entries answers
 *     for it; else it stops the stream
 */
public record LargeEventPolicy(long largestRead, boolean leavesUnread) {
    /** All are read. */
    public static final LargeEventPolicy READ = new LargeEventPolicy(Long.MAX_VALUE, false);

    /** How large a text may be, of which more copies are made than of rows. */
    long largestText() {
        return largestRead / 4;
    }
}
