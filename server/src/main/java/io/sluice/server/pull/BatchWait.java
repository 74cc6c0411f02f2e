package io.sluice.server.pull;

import java.time.Duration;

/**
 * How long a get of a client waits for a full batch.
 *
 * @param nanos the longest wait, in nanoseconds; 0 for none
 */
public record BatchWait(long nanos) {
    /** Hand out what is there, be it nothing. */
    public static final BatchWait NONE = new BatchWait(0);

    /** Wait without limit for a full batch: what timeout 0 means to canal's clients. */
    public static final BatchWait FOR_EVER = new BatchWait(Long.MAX_VALUE);

    public BatchWait {
        if (nanos < 0) {
            throw new IllegalArgumentException("a wait of " + nanos + " ns");
        }
    }

    /** Wait so long for a full batch, then hand out what is there, be it nothing. */
    public static BatchWait forFull(Duration longest) {
        return new BatchWait(longest.toNanos());
    }
}
