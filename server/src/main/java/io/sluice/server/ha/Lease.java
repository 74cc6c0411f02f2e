package io.sluice.server.ha;

import io.sluice.connector.api.producer.Ownership;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A destination's ownership, as long as ZooKeeper confirms it.
 *
 * <p>ZooKeeper gives the destination to another server when it has heard nothing of our session for its whole time-out. The
 * lease is shorter than that, and begins when the last confirmed question was asked: so it has run out before another can
 * be the owner, even if this process was stopped meanwhile or no answer comes. Once revoked it is never held again. Safe
 * for use by several threads.
 */
final class Lease implements Ownership {
    private final Ticker ticker;
    private final long epoch;
    private final Duration length;
    private final AtomicReference<@Nullable String> revoked = new AtomicReference<>();
    private volatile Instant confirmed;

    /** A moment by both clocks: one may stand still while the machine sleeps, the other may be set. */
    record Instant(long nanos, long millis) {}

    /** Tells the time. */
    @FunctionalInterface
    interface Ticker {
        Ticker SYSTEM = () -> new Instant(System.nanoTime(), System.currentTimeMillis());

        Instant now();
    }

    /**
     * Makes one.
     *
     * @param length how long it is held after a confirmed question; less than the session's time-out
     * @param asked when the question was asked that made us the owner
     */
    Lease(long epoch, Duration length, Ticker ticker, Instant asked) {
        this.epoch = epoch;
        this.length = length;
        this.ticker = ticker;
        this.confirmed = asked;
    }

    @Override
    public boolean isHeld() {
        return revoked.get() == null && remaining().toNanos() > 0;
    }

    @Override
    public long epoch() {
        return epoch;
    }

    /** How long it is held if nothing comes; zero if it has run out. */
    Duration remaining() {
        Instant now = ticker.now();
        Instant since = confirmed;
        long nanos = length.toNanos() - (now.nanos() - since.nanos());
        long millis = length.toMillis() - (now.millis() - since.millis());
        return nanos <= 0 || millis <= 0 ? Duration.ZERO : Duration.ofNanos(Math.min(nanos, millis * 1_000_000));
    }

    /** How often ZooKeeper must be asked, so that a lost answer does no harm. */
    Duration renewalPeriod() {
        return length.dividedBy(4);
    }

    /** Notes that ZooKeeper has answered a question, asked then, that we are the owner. */
    synchronized void confirm(Instant asked) {
        if (asked.nanos() - confirmed.nanos() > 0) {
            confirmed = asked;
        }
    }

    /** Gives it up for good; the first reason stays. */
    void revoke(String reason) {
        revoked.compareAndSet(null, reason);
    }

    /** Why it is not held; null if it is. */
    @Nullable String lossReason() {
        String reason = revoked.get();
        if (reason != null) {
            return reason;
        }
        return isHeld() ? null : "ZooKeeper has not confirmed it in time";
    }
}
