package io.sluice.store.ring;

import java.time.Duration;

/**
 * How long a {@link EntryStore#get get} waits, and for what.
 *
 * <p>A batch is <em>full</em> when more entries would not make it larger: it reached its limit, or it ends at a boundary of
 * DDL isolation, or the ring can take no more, so that waiting would be for ever.
 *
 * @param nanos the longest wait, in nanoseconds; 0 for none
 * @param forFull whether a full batch is awaited, or any entry at all
 */
public record BatchWait(long nanos, boolean forFull) {
    /** Hand out what is there, be it nothing. */
    public static final BatchWait NONE = new BatchWait(0, true);

    /** Wait without limit for a full batch: what timeout 0 means to canal's clients. */
    public static final BatchWait FOR_EVER = new BatchWait(Long.MAX_VALUE, true);

    public BatchWait {
        if (nanos < 0) {
            throw new IllegalArgumentException("a wait of " + nanos + " ns");
        }
    }

    /** Wait so long for a full batch, then hand out what is there, be it nothing. */
    public static BatchWait forFull(Duration longest) {
        return new BatchWait(longest.toNanos(), true);
    }

    /** Wait so long for the first entry, and hand out what is there as soon as there is any. */
    public static BatchWait forAny(Duration longest) {
        return new BatchWait(longest.toNanos(), false);
    }
}
