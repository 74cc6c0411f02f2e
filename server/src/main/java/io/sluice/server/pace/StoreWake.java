package io.sluice.server.pace;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.protocol.time.Time;
import io.sluice.store.ring.EntryStore;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has a store ask its gate again: now, or after some time. Thread-safe. */
final class StoreWake {
    private static final Logger LOG = LoggerFactory.getLogger(StoreWake.class);

    private final String destination;
    private final ScheduledExecutorService timer;
    private final Time time;
    private final Object lock = new Object();

    @GuardedBy("lock") private @Nullable ScheduledFuture<?> pending;

    @GuardedBy("lock") private long pendingNanos;

    private volatile @Nullable EntryStore store;

    /** Creates one that has no store yet. */
    StoreWake(String destination, ScheduledExecutorService timer, Time time) {
        this.destination = destination;
        this.timer = timer;
        this.time = time;
    }

    /** Wakes this store from now on, and no longer the one before. Attaching and detaching are done by one thread at a time. */
    void attach(EntryStore next) {
        store = next;
    }

    /** Wakes this store no longer, so that it can be collected; returns false if another one is attached, or none. */
    boolean detach(EntryStore former) {
        if (store != former) {
            return false;
        }
        store = null;
        return true;
    }

    /** Wakes the store now; not to be called with a lock that the store's gate takes. */
    void wake() {
        EntryStore current = store;
        if (current != null) {
            current.gateChanged();
        }
    }

    /** Wakes the store in so many nanoseconds; sooner than that, if something else requires it. */
    void wakeIn(long nanos) {
        long due = time.nanos() + nanos;
        synchronized (lock) {
            ScheduledFuture<?> earlier = pending;
            if (earlier != null && pendingNanos - due <= 0) {
                return;
            }
            if (earlier != null) {
                earlier.cancel(false);
            }
            try {
                pendingNanos = due;
                pending = timer.schedule(this::wakeNow, nanos, TimeUnit.NANOSECONDS);
            } catch (RejectedExecutionException e) {
                pending = null;
                LOG.debug("the server ends, nothing is woken: instance={}", destination, e);
            }
        }
    }

    private void wakeNow() {
        synchronized (lock) {
            pending = null;
        }
        wake();
    }
}
