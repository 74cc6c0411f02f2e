package io.sluice.server.port;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.protocol.time.Time;
import java.time.Duration;

/** Limits the log lines of one kind to a number per second, or another interval, so that clients cannot fill the disk. Thread-safe. */
public final class LineRate {
    private final Time time;
    private final int most;
    private final long intervalNanos;

    /** When the interval began. */
    @GuardedBy("this") private long begin;

    @GuardedBy("this") private int lines;

    @GuardedBy("this") private long leftOut;

    /**
     * Makes one.
     *
     * @param time measures the seconds
     */
    public LineRate(Time time, int linesPerSecond) {
        this(time, linesPerSecond, Duration.ofSeconds(1));
    }

    /**
     * Makes one.
     *
     * @param time measures the intervals
     * @param most the lines in an interval
     */
    public LineRate(Time time, int most, Duration interval) {
        this.time = time;
        this.most = most;
        this.intervalNanos = interval.toNanos();
        this.begin = time.nanos();
    }

    /** Returns how many lines were left out in the last interval that is over, and starts the next; 0 if none were. */
    public synchronized long takeLeftOut() {
        if (time.nanos() - begin < intervalNanos) {
            return 0;
        }
        long left = leftOut;
        begin = time.nanos();
        lines = 0;
        leftOut = 0;
        return left;
    }

    /** Returns how many lines were left out and not returned before, also if the interval is not over. */
    public synchronized long takeAllLeftOut() {
        long left = leftOut;
        leftOut = 0;
        return left;
    }

    /** Whether one more line may be written now. */
    public synchronized boolean allows() {
        if (lines < most) {
            lines++;
            return true;
        }
        leftOut++;
        return false;
    }
}
