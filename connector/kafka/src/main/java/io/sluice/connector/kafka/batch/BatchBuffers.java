package io.sluice.connector.kafka.batch;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A pool of buffers for record batches, for all producers of a process. Large ones are direct: they are written to a socket without
 * another copy, and the garbage collector does not move them. Small ones are on the heap, and are not pooled.
 *
 * <p>Capacities are rounded up by a quarter at most, so that there are few. When the pool is full, buffers of the capacity that was not
 * asked for the longest are dropped, so it follows streams whose batches become larger or smaller. Buffers that are dropped or not
 * released are freed by the garbage collector. Without direct memory, large buffers are on the heap. Thread-safe.
 */
public final class BatchBuffers {
    private static final Logger LOG = LoggerFactory.getLogger(BatchBuffers.class);

    static final int MIN_DIRECT_BYTES = 16 * 1024;

    /** As much as is on its way at once to many partitions. */
    private static final long MIN_POOLED_BYTES = 24L << 20;

    /** Of the largest heap, which is also the limit of direct memory if nothing else is set. */
    private static final int POOLED_SHARE = 16;

    private static final int MAX_POOLED_SHARE = 4;

    private final long maxPooledBytes;
    private final IntFunction<ByteBuffer> direct;
    private final Map<Integer, Pool> pools = new TreeMap<>();
    private long freeBytes;
    private long takenCount;

    /** The free buffers of one capacity, the newest last. */
    private static final class Pool {
        final Deque<ByteBuffer> free = new ArrayDeque<>();
        long lastTaken;
    }

    /** A pool for a heap of at most so many bytes. */
    public static BatchBuffers forHeap(long heapBytes) {
        long wanted = Math.max(MIN_POOLED_BYTES, heapBytes / POOLED_SHARE);
        return new BatchBuffers(Math.min(wanted, heapBytes / MAX_POOLED_SHARE));
    }

    /** Keeps at most so many bytes in buffers that are not in use. */
    BatchBuffers(long maxPooledBytes) {
        this(maxPooledBytes, ByteBuffer::allocateDirect);
    }

    /** Keeps at most so many bytes in buffers that are not in use; direct ones are made by a function. */
    BatchBuffers(long maxPooledBytes, IntFunction<ByteBuffer> direct) {
        this.maxPooledBytes = maxPooledBytes;
        this.direct = direct;
    }

    /** A buffer from 0 to a limit; its contents are undefined. */
    ByteBuffer take(int bytes) {
        if (bytes < MIN_DIRECT_BYTES) {
            return ByteBuffer.allocate(bytes);
        }
        int capacity = roundUp(bytes);
        ByteBuffer pooled = takePooled(capacity);
        ByteBuffer taken = pooled == null ? allocate(capacity) : pooled;
        taken.clear().limit(bytes);
        return taken;
    }

    private ByteBuffer allocate(int capacity) {
        try {
            return direct.apply(capacity);
        } catch (OutOfMemoryError e) { // thrown by Java's code, which counts direct memory; the heap is not full
            clear();
            LOG.warn(
                    "no direct memory is left for record batches, using the heap: bytes={} remedy=raise -Xmx, or set"
                            + " -XX:MaxDirectMemorySize",
                    capacity);
            return ByteBuffer.allocate(capacity);
        }
    }

    private void clear() {
        synchronized (pools) {
            pools.clear();
            freeBytes = 0;
        }
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
