package io.sluice.server.tcp;

import io.netty.channel.Channel;
import io.netty.util.concurrent.Future;
import io.sluice.protocol.time.Time;
import io.sluice.server.port.FailedLogins;
import java.net.InetAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers wrong logins from an address late after several of them. Thread-safe.
 *
 * <p>That slows a client down that tries again and again. Right logins are not concerned: many clients may have one address in common, that of
 * a proxy for instance, and one with an old password must not keep the others out. So they do not end it either: otherwise it would be logged after each of
 * them. An answer that waits holds its connection and no thread; when many wait, a further connection is closed at once.
 */
final class LateAnswers {
    /** The number of wrong logins without a consequence. */
    static final int FREE_FAILURES = 4;

    private static final Logger LOG = LoggerFactory.getLogger(LateAnswers.class);

    private static final Duration DELAY = Duration.ofSeconds(2);
    private static final int MAX_WAITING = 64;
    private static final Duration FORGOTTEN_AFTER = Duration.ofMinutes(15);

    private final FailedLogins failed;
    private final Duration delay;
    private final int maxWaiting;
    private final AtomicInteger waiting = new AtomicInteger();

    /**
     * Makes some with other limits.
     *
     * @param time measures how long addresses are quiet
     * @param delay how late answers are
     * @param maxWaiting how many may wait at a time
     */
    LateAnswers(Time time, Duration delay, int maxWaiting) {
        this.failed = new FailedLogins(FORGOTTEN_AFTER, time);
        this.delay = delay;
        this.maxWaiting = maxWaiting;
    }

    /** Makes those of a port. */
    static LateAnswers standard(Time time) {
        return new LateAnswers(time, DELAY, MAX_WAITING);
    }

    /** Notes a wrong login from an address; returns whether it is to be answered late. */
    boolean isLateAfterFailure(InetAddress address) {
        int count = failed.add(address);
        if (count == FREE_FAILURES + 1) {
            LOG.warn(
                    "several logins from an address have failed, wrong ones are answered late from now on: port=canal.port address={} failures={}",
                    address.getHostAddress(),
                    count);
        }
        return count > FREE_FAILURES;
    }

    /**
     * Answers later, unless the connection is closed before. To be called by the channel's event loop, once for a channel.
     *
     * @param answer is run by the event loop, and closes the channel
     * @return false if too many wait: nothing is done then
     */
    boolean answer(Channel channel, Runnable answer) {
        if (waiting.incrementAndGet() > maxWaiting) {
            waiting.decrementAndGet();
            return false;
        }
        Future<?> scheduled = channel.eventLoop().schedule(answer, delay.toNanos(), TimeUnit.NANOSECONDS);
        channel.closeFuture().addListener(closed -> {
            scheduled.cancel(false);
            waiting.decrementAndGet();
        });
        return true;
    }

    /** How many answers wait. */
    int waiting() {
        return waiting.get();
    }
}
