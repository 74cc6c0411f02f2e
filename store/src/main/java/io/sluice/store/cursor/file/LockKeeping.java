package io.sluice.store.cursor.file;

import io.sluice.protocol.time.Time;
import io.sluice.store.cursor.CursorException;
import io.sluice.store.cursor.Subscription;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the lock of a cursor file while its store writes it. When another process has the lock for longer than a command would, it is lost for good. For one
 * thread at a time.
 */
final class LockKeeping {
    private static final Logger LOG = LoggerFactory.getLogger(LockKeeping.class);

    /** Null if what is written is not in a file of ours. */
    private final @Nullable CursorFileLock lock;

    private final String destination;
    private final String location;

    /** How long another one must have the lock to be more than a command. */
    private final long useNanos;

    private final Time time;

    /** Since when, in nanoseconds, the file was found locked by another one, which may be a command that is about to end; null if it was not. */
    private @Nullable Long inUseSinceNanos;

    /** Whether the lock could not be checked the last time, which is logged once. */
    private boolean isInDoubt;

    /** Why nothing is written any more: another process has the lock; null if it has not. */
    private @Nullable CursorException loss;

    private @Nullable Consumer<? super CursorException> lossListener;

    LockKeeping(@Nullable CursorFileLock lock, String destination, String location, Duration flushPeriod, Time time) {
        this.lock = lock;
        this.destination = destination;
        this.location = location;
        this.useNanos = Math.max(flushPeriod.toNanos(), Duration.ofSeconds(1).toNanos());
        this.time = time;
    }

    /**
     * Returns whether the lock file is the one that was locked before.
     *
     * @param newest the clients, for a log line
     * @throws CursorException if another one has the lock of the file now, or if the directory is gone
     */
    boolean keep(List<Subscription> newest) {
        if (loss != null) {
            throw loss;
        }
        if (lock == null) {
            return true;
        }
        try {
            boolean isInPlace = lock.keep();
            inUseSinceNanos = null;
            isInDoubt = false;
            return isInPlace;
        } catch (CursorException e) {
            if (e.isOfLockFile()) { // the cursors matter more, and the former lock is still held
                inUseSinceNanos = null;
                warnOfDoubt(e);
                return false;
            }
            if (!e.isOfUse()) {
                inUseSinceNanos = null;
            } else if (inUseSinceNanos == null) {
                inUseSinceNanos = time.nanos();
            } else if (time.nanos() - inUseSinceNanos >= useNanos) {
                lose(e, newest);
            }
            throw e;
        }
    }

    private void warnOfDoubt(CursorException cause) {
        if (!isInDoubt) {
            isInDoubt = true;
            LOG.warn(
                    "the lock file of the cursors was removed or replaced while the instance runs, and cannot be locked again; the cursors are written:"
                            + " instance={} file={} cause={}",
                    destination,
                    location,
                    String.valueOf(cause.getMessage()));
        }
    }

    private void lose(CursorException cause, List<Subscription> newest) {
        loss = new CursorException(
                "the lock file of the cursors was removed or replaced while the instance ran, and another one has locked the next: "
                        + cause.getMessage(),
                cause);
        LOG.error(
                "another process has locked the cursor file, and the newest cursors of this one are not written: instance={} file={} cursors={}"
                        + " remedy=if the other one began at later cursors, stop it, and set these by sluice.sh cursor set",
                destination,
                location,
                newest);
        if (lossListener != null) {
            lossListener.accept(loss);
        }
    }

    /** Has a listener called when the lock is lost, or now if it is. */
    void onLoss(Consumer<? super CursorException> listener) {
        lossListener = listener;
        if (loss != null) {
            listener.accept(loss);
        }
    }

    /** Whether another process has the lock for good. */
    boolean isLost() {
        return loss != null;
    }

    /** Forgets the listener, which may hold an instance, while this is kept for what it knows. */
    void forgetListener() {
        lossListener = null;
    }
}
