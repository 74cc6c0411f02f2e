package io.sluice.server.port;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.protocol.time.Time;

/** Limits the log lines of one kind to a number per second, so that clients cannot fill the disk. Thread-safe. */
public final class LineRate {
    private static final long SECOND_NANOS = 1_000_000_000L;

    private final Time time;
    private final int linesPerSecond;

    @GuardedBy("this") private long second;

    @GuardedBy("this") private int lines;

    @GuardedBy("this") private long leftOut;

    /**
     * Makes one.
     *
     * @param time measures the seconds
     */
    public LineRate(Time time, int linesPerSecond) {
        this.time = time;
        this.linesPerSecond = linesPerSecond;
        this.second = time.nanos();
    }

    /** Returns how many lines were left out in the last second that is over, and starts the next; 0 if none were. */
    public synchronized long takeLeftOut() {
        if (time.nanos() - second < SECOND_NANOS) {
            return 0;
        }
        long left = leftOut;
        second = time.nanos();
        lines = 0;
        leftOut = 0;
        return left;
    }

    /** Whether one more line may be written now. */
    public synchronized boolean allows() {
        if (lines < linesPerSecond) {
            lines++;
            return true;
        }
        leftOut++;
        return false;
    }
}
