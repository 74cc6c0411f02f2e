package io.sluice.stream.pipeline;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.format.entry.Entry;
import io.sluice.mysql.transaction.Boundary;
import io.sluice.protocol.time.Time;
import io.sluice.store.ring.EntrySink;
import io.sluice.stream.event.Chunk;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Publishes chunks to the store in read order, without a thread of its own: the worker that finishes a chunk also publishes all leading
 * finished chunks, and no worker of a shared pool ever waits here.
 *
 * <p>When the store is full, the remaining chunks stay queued until the store has free capacity and calls back. The queue is bounded: the
 * reader stops when the limit is reached.
 */
final class OrderedPublisher {
    /** A wait without a limit. */
    private static final int ROOM_FOR_ALL = Integer.MAX_VALUE / 2;

    private final EntrySink store;
    private final Executor workers;
    private final int limit;
    private final Runnable onFailure;
    private final Time time;
    private final LargeEventBudget largeRoom;
    private final Semaphore room;
    private final Queue<Chunk> inOrder = new ConcurrentLinkedQueue<>();

    /** Calls of {@link #advance} that are not served yet; the thread of the first serves all. */
    private final AtomicInteger calls = new AtomicInteger();

    /** How long the reader waited for room, in nanoseconds; written by it alone. */
    private volatile long waitedNanos;

    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    @GuardedBy("this") private final BoundaryFilter boundaries;

    /** The chunk of which a part may be in the store. */
    @GuardedBy("this") private @Nullable Chunk current;

    /** What passes of it, and how much of that is in the store. */
    @GuardedBy("this") private List<Entry> passed = List.of();

    @GuardedBy("this") private int put;

    @GuardedBy("this") private boolean closed;

    /**
     * Makes one.
     *
     * @param workers run what continues when the store has room again; they throw nothing but that they have ended
     * @param largeRoom is given back what large events took of it
     * @param limit how many chunks may be taken and not yet be in the store
     * @param onFailure called when it cannot continue, by a worker
     * @param time measures how long the reader waits
     */
    OrderedPublisher(
            EntrySink store,
            Executor workers,
            BoundaryFilter boundaries,
            LargeEventBudget largeRoom,
            int limit,
            Runnable onFailure,
            Time time) {
        this.store = store;
        this.workers = workers;
        this.boundaries = boundaries;
        this.largeRoom = largeRoom;
        this.limit = limit;
        this.onFailure = onFailure;
        this.time = time;
        this.room = new Semaphore(limit);
    }

    /**
     * Takes the next chunk, which is encoded or will be; waits for room. The worker that has encoded it must call {@link #advance}. For
     * the reader alone.
     */
    @SuppressWarnings("NonAtomicVolatileUpdate") // the time waited has one writer
    void accept(Chunk chunk) throws InterruptedException {
        throwFailure();
        if (!room.tryAcquire()) {
            long since = time.nanos();
            room.acquire();
            waitedNanos += time.nanos() - since;
        }
        throwFailure();
        inOrder.add(chunk);
    }

    /** How many chunks were taken and are not in the store yet. */
    int chunks() {
        return Math.max(0, limit - room.availablePermits()); // after a failure there is room for all
    }

    /** How long the reader has waited for room, in all, but for a wait that lasts. */
    long waitedNanos() {
        return waitedNanos;
    }

    /** Whether all that was taken is in the store. For the reader alone. */
    boolean isIdle() {
        return room.availablePermits() >= limit;
    }

    /** Whether {@link #accept} would not wait, or would throw. For the reader alone. */
    boolean hasRoom() {
        return room.availablePermits() > 0;
    }

    /** Puts what is ready. Does not wait, and throws nothing. */
    void advance() {
        if (calls.getAndIncrement() > 0) {
            return;
        }
        int answered = 1;
        while (answered > 0) {
            putReady();
            answered = calls.addAndGet(-answered);
        }
    }

    private void putReady() {
        try {
            synchronized (this) {
                while (!closed && failure.get() == null && putCurrent()) {
                    Chunk next = inOrder.peek();
                    if (next == null || !next.isEncoded()) {
                        return;
                    }
                    inOrder.remove();
                    next.throwFailure();
                    passed = boundaries.filter(next.entries());
                    put = 0;
                    current = next;
                }
            }
        } catch (RuntimeException | Error e) { // reported to the reader, whatever thread this is
            failure.compareAndSet(null, e);
            room.release(ROOM_FOR_ALL);
            onFailure.run();
        }
    }

    /** Puts what is left of the current chunk; false if there is no room for all of it. */
    @GuardedBy("this") private boolean putCurrent() {
        Chunk chunk = current;
        if (chunk == null) {
            return true;
        }
        if (put < passed.size()) {
            put = store.offer(passed, put, this::advanceLater);
            if (put < passed.size()) {
                return false;
            }
        }
        largeRoom.give(chunk.largeBytes());
        Boundary checkpoint = chunk.checkpoint();
        if (checkpoint != null) {
            store.checkpoint(checkpoint);
        }
        current = null;
        passed = List.of();
        room.release();
        return true;
    }

    /** Called by the store, in the thread that acks. */
    private void advanceLater() {
        try {
            workers.execute(this::advance);
        } catch (RejectedExecutionException e) {
            // The server ends: what is not in the store will be read again.
        }
    }

    /** Waits until all that was taken is in the store. For the reader alone. */
    void drain() throws InterruptedException {
        room.acquire(limit);
        room.release(limit);
        throwFailure();
    }

    /** Throws why it cannot continue, if it cannot. */
    void throwFailure() {
        Throwable thrown = failure.get();
        if (thrown instanceof RuntimeException e) {
            throw e;
        }
        if (thrown instanceof Error e) {
            throw e;
        }
    }

    /** Puts nothing more, from its return on; what is not in the store yet is dropped. */
    synchronized void close() {
        closed = true;
        current = null;
        passed = List.of();
        inOrder.clear();
    }
}
