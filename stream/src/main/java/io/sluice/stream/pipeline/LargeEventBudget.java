package io.sluice.stream.pipeline;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.protocol.time.Time;
import io.sluice.store.ring.EntrySink;
import java.time.Duration;

/**
 * Bounds the memory of large events: before the reader allocates memory for one, it waits until the bytes in the pipeline, in the store and of
 * the event together are within the capacity of the store, or until the event is the only one.
 */
final class LargeEventBudget {
    /** The number of bytes of large events that may be on their way to the store; or one event that is larger. */
    private static final long ON_THE_WAY = 1 << 22;

    /** The interval at which a wait checks whether the stream has failed. */
    private static final Duration LOOK = Duration.ofMillis(100);

    private final EntrySink store;
    private final Time time;

    @GuardedBy("this") private long onTheWay;

    /** How long the reader waited here, in nanoseconds; written by it alone. */
    private volatile long waitedNanos;

    LargeEventBudget(EntrySink store, Time time) {
        this.store = store;
        this.time = time;
    }

    /**
     * Waits for room, and takes it.
     *
     * @param failure throws if the stream has failed
     */
    @SuppressWarnings("NonAtomicVolatileUpdate") // the time waited has one writer
    void take(int bytes, Runnable failure) throws InterruptedException {
        long since = time.nanos();
        long all = awaitWay(bytes, failure);
        while (!store.awaitRoom(all, LOOK)) {
            failure.run();
        }
        waitedNanos += time.nanos() - since;
        synchronized (this) {
            onTheWay += bytes;
        }
    }

    /** How long the reader has waited here, in all, but for a wait that lasts. */
    long waitedNanos() {
        return waitedNanos;
    }

    private synchronized long awaitWay(int bytes, Runnable failure) throws InterruptedException {
        while (onTheWay > 0 && onTheWay + bytes > ON_THE_WAY) {
            wait(LOOK.toMillis());
            failure.run();
        }
        return onTheWay + bytes;
    }

    /** Releases the memory of an event that is in the store, or was dropped. */
    synchronized void give(int bytes) {
        onTheWay -= bytes;
        notifyAll();
    }
}
