package io.sluice.stream.source;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts what is read of the binlog to find where a stream begins, as the progress of an attempt that has read no event yet. What an attempt reads again
 * counts no more, so that attempts which always break at the same place make no progress. For one thread, but for {@link #count}.
 */
final class SearchedBytes {
    private final AtomicLong count = new AtomicLong();
    private long ofAttempt;
    /** The most of an attempt since events were read. */
    private long longest;

    private boolean hasReadEvents;

    /** Begins an attempt. */
    void beginAttempt() {
        ofAttempt = 0;
        longest = hasReadEvents ? 0 : longest;
        hasReadEvents = false;
    }

    /** Notes that the attempt has led to events: the next one may read all of it again. */
    void onEvents() {
        hasReadEvents = true;
    }

    /** Adds what the attempt has read. */
    void add(long bytes) {
        ofAttempt += bytes;
        if (ofAttempt > longest) {
            count.addAndGet(Math.min(bytes, ofAttempt - longest));
            longest = ofAttempt;
        }
    }

    /** What all attempts have read, without what was read again. May be called by any thread. */
    long count() {
        return count.get();
    }
}
