package io.sluice.stream.source;

import io.sluice.protocol.time.Time;
import java.time.Duration;

/**
 * Counts how often the server ended the dump because another replica with the same server id began one.
 *
 * <p>Once is normal: a server that has lost its instance to another one, and does not know it yet, reconnects a last time. Two instances with the
 * same id would end each other's dumps for ever, and each of them reads something in between, so that success is no reason to count from
 * the beginning: only a long time without such an end is.
 *
 * <p>One that had read for long before the first end continues, however often its dump is ended: the other one was added later, and stops when it reaches the limit.
 * That a replica is registered at the server would not show this: also the dump of a server that has lost its power is registered, for as
 * long as TCP takes to notice. For one thread, but for what says otherwise.
 */
final class DuplicateIds {
    private static final int LIMIT = 5;

    /** Many times the longest back-off: another instance that reconnects would have done it by then. */
    private static final Duration MEMORY = Duration.ofMinutes(10);

    /** More than the longest back-off, so that two that end each other's dumps are seen the whole time. */
    private static final Duration IN_USE = Duration.ofMinutes(1);

    /** More than two that are started at the same moment, or after an outage of the source, differ by. */
    private static final Duration ESTABLISHED = Duration.ofMinutes(1);

    private final Time time;
    private long readSince;
    private boolean hasRead;
    private boolean isEstablished;
    private volatile int count;
    private volatile long lastNanos;

    DuplicateIds(Time time) {
        this.time = time;
    }

    /**
     * Notes that the source sends what is new.
     *
     * @param sinceNanos when the dump was begun, by the monotonic clock: an idle source shows only by heartbeats that it is read
     */
    void reads(long sinceNanos) {
        if (!hasRead) {
            hasRead = true;
            readSince = sinceNanos;
        }
    }

    /**
     * Notes that the source cannot be read for another reason than the id. Another instance may have begun to use it when it can be read again, which
     * makes this one the newcomer.
     */
    void lost() {
        hasRead = false;
    }

    /**
     * Counts one more.
     *
     * @return whether there were too many, for an instance that had not read for long before the first of them
     */
    boolean isOneTooMany() {
        int now = isRecent() ? count + 1 : 1;
        if (now == 1) {
            isEstablished = hasRead && time.nanos() - readSince >= ESTABLISHED.toNanos();
        }
        lastNanos = time.nanos(); // before the count, which says that there is one
        count = now;
        return now >= LIMIT && !isEstablished;
    }

    /** Whether another replica uses the id at present, as far as is known: it has ended the dump again, within the last minute. For any thread. */
    boolean isInDoubleUse() {
        return count > 1 && isWithin(IN_USE);
    }

    /** Whether the last one is not long ago. */
    boolean isRecent() {
        return isWithin(MEMORY);
    }

    private boolean isWithin(Duration limit) {
        return count > 0 && time.nanos() - lastNanos < limit.toNanos();
    }
}
