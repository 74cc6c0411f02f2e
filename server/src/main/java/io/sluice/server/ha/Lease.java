package io.sluice.server.ha;

import io.sluice.connector.api.producer.Ownership;
import io.sluice.protocol.time.Time;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A destination's ownership, as long as a majority of ZooKeeper's servers confirms it.
 *
 * <p>It is held for a fixed length from the time at which the last confirmed question was asked, whenever the answer comes. The
 * next owner does not start before the last question that ZooKeeper can have confirmed is older than that
 * ({@link Succession}), so two owners never hold a lease at the same time, even if this process was stopped meanwhile. The
 * length is two thirds of the session's timeout: an owner that cannot renew it has usually given up before ZooKeeper ends the
 * session and another server can be elected. Once revoked it is never held again. Thread-safe.
 */
public final class Lease implements Ownership {
    private final Time time;
    private final long epoch;
    private final Duration length;
    private final AtomicReference<@Nullable String> revoked = new AtomicReference<>();
    private volatile Instant confirmed;

    /** A time by both clocks: the monotonic one may stop while the machine is suspended, the wall clock may be set. */
    public record Instant(long nanos, long millis) {
        public static Instant now(Time time) {
            return new Instant(time.nanos(), time.millis());
        }
    }

    /**
     * Creates one that is held.
     *
     * @param length how long it is held after a confirmed question; less than the session's timeout
     * @param asked when the question was asked that made this server the owner
     */
    public Lease(long epoch, Duration length, Time time, Instant asked) {
        this.epoch = epoch;
        this.length = length;
        this.time = time;
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

    /** How long it is held after a confirmed question. */
    public Duration length() {
        return length;
    }

    /** How long it is held without another confirmation; zero if it has run out. */
    public Duration remaining() {
        Instant now = Instant.now(time);
        Instant since = confirmed;
        long nanos = length.toNanos() - (now.nanos() - since.nanos());
        long millis = length.toMillis() - (now.millis() - since.millis());
        return nanos <= 0 || millis <= 0 ? Duration.ZERO : Duration.ofNanos(Math.min(nanos, millis * 1_000_000));
    }

    /** How often ZooKeeper must be asked, so that a lost answer does no harm. */
    Duration renewalPeriod() {
        return renewalPeriod(length);
    }

    /** How often ZooKeeper must be asked for a lease of the given length. */
    static Duration renewalPeriod(Duration length) {
        return length.dividedBy(4);
    }

    /** Extends it after ZooKeeper has confirmed, for a question asked then, that this server is the owner. */
    synchronized void confirm(Instant asked) {
        if (asked.nanos() - confirmed.nanos() > 0) {
            confirmed = asked;
        }
    }

    /** Gives it up for good; the first reason is kept. */
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
