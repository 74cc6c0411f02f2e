package io.sluice.server.port;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says why connections were closed, a line for each, but so many lines a second at most: whoever sends rubbish must not fill
 * the disk. Safe for use by several threads.
 */
public final class RefusalLog {
    private static final Logger LOG = LoggerFactory.getLogger(RefusalLog.class);
    private static final int LINES_PER_SECOND = 10;
    private static final long SECOND_NANOS = 1_000_000_000L;

    private final LongSupplier nanoClock;

    @GuardedBy("this") private long second;

    @GuardedBy("this") private int lines;

    @GuardedBy("this") private long leftOut;

    @GuardedBy("this") private long total;

    /** Makes one for a port. */
    public RefusalLog(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        this.second = nanoClock.getAsLong();
    }

    /** Notes that a connection was closed, and why. */
    public synchronized void closed(Object remote, String why) {
        total++;
        if (nanoClock.getAsLong() - second >= SECOND_NANOS) {
            if (leftOut > 0) {
                LOG.warn("more connections were closed than are listed: not_listed={}", leftOut);
            }
            second = nanoClock.getAsLong();
            lines = 0;
            leftOut = 0;
        }
        if (lines < LINES_PER_SECOND) {
            lines++;
            LOG.warn("a connection was closed: remote={} why={}", remote, why);
        } else {
            leftOut++;
        }
    }

    /** How many connections were closed for a reason that was given here. */
    public synchronized long total() {
        return total;
    }
}
