package io.sluice.connector.kafka.batch;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A pool of buffers for record batches. Large ones are direct: they are written to a socket without another copy, and the garbage
 * collector does not move them. Small ones are on the heap, and are not pooled.
 *
 * <p>Capacities are rounded up by a quarter at most, so that there are few. When the pool is full, buffers of the capacity that was not
 * asked for the longest are dropped, so it follows a stream whose batches become larger or smaller. Buffers that are dropped or not
 * released are freed by the garbage collector. Safe for use by several threads.
 */
final class BatchBuffers {
    static final int MIN_DIRECT_BYTES = 16 * 1024;

    private final long maxPooledBytes;
    private final Map<Integer, Pool> pools = new TreeMap<>();
    private long freeBytes;
    private long takenCount;

    /** The free buffers of one capacity, the newest last. */
    private static final class Pool {
        final Deque<ByteBuffer> free = new ArrayDeque<>();
        long lastTaken;
    }

    /** Keeps at most so many bytes in buffers that are not in use. */
    BatchBuffers(long maxPooledBytes) {
        this.maxPooledBytes = maxPooledBytes;
    }

    /** A buffer from 0 to a limit; its contents are undefined. */
    ByteBuffer take(int bytes) {
        if (bytes < MIN_DIRECT_BYTES) {
            return ByteBuffer.allocate(bytes);
        }
        int capacity = roundUp(bytes);
        ByteBuffer pooled = takePooled(capacity);
        ByteBuffer taken = pooled == null ? ByteBuffer.allocateDirect(capacity) : pooled;
        taken.clear().limit(bytes);
        return taken;
    }

    private @Nullable ByteBuffer takePooled(int capacity) {
        synchronized (pools) {
            Pool pool = pools.computeIfAbsent(capacity, unused -> new Pool());
            pool.lastTaken = ++takenCount;
            ByteBuffer pooled = pool.free.pollLast();
            freeBytes -= pooled == null ? 0 : capacity;
            return pooled;
        }
    }

    /** Takes back a buffer that nothing reads or writes any more. */
    void release(ByteBuffer buffer) {
        int capacity = buffer.capacity();
        if (!buffer.isDirect() || capacity > maxPooledBytes) {
            return;
        }
        synchronized (pools) {
            Pool pool = pools.get(capacity);
            if (pool != null && makeRoom(capacity, pool.lastTaken)) {
                pool.free.addLast(buffer);
                freeBytes += capacity;
            }
        }
    }

    /** Drops buffers of capacities that were last asked for before {@code taken}; returns whether there is room then. */
    private boolean makeRoom(int bytes, long taken) {
        while (freeBytes + bytes > maxPooledBytes) {
            Pool oldest = null;
            for (Pool next : pools.values()) {
                boolean isOlder = next.lastTaken < (oldest == null ? taken : oldest.lastTaken);
                oldest = isOlder && !next.free.isEmpty() ? next : oldest;
            }
            if (oldest == null) {
                return false;
            }
            freeBytes -= oldest.free.removeFirst().capacity();
        }
        return true;
    }

    /** How many bytes the buffers have that are not in use. */
    long freeBytes() {
        synchronized (pools) {
            return freeBytes;
        }
    }

    /** The next multiple of a quarter of the largest power of two that is not above {@code bytes}. */
    private static int roundUp(int bytes) {
        long step = Math.max(1, Integer.highestOneBit(bytes) >> 2);
        long rounded = (bytes + step - 1) / step * step;
        return rounded > Integer.MAX_VALUE ? bytes : (int) rounded;
    }
}
