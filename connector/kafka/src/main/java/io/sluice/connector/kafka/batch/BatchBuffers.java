package io.sluice.connector.kafka.batch;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;

/**
 * A pool of buffers for record batches. Large ones are direct: they are written to a socket without another copy, and the garbage
 * collector does not move them. Small ones are on the heap, and are not pooled.
 *
 * <p>Sizes are rounded up by a quarter at most, so that few are made. Buffers that are not released are freed by the garbage
 * collector. Safe for use by several threads.
 */
final class BatchBuffers {
    static final int MIN_DIRECT_BYTES = 32 * 1024;

    private final long maxPooledBytes;
    private final Map<Integer, Deque<ByteBuffer>> free = new TreeMap<>();
    private long freeBytes;

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
        ByteBuffer pooled;
        synchronized (free) {
            Deque<ByteBuffer> ofSize = free.get(capacity);
            pooled = ofSize == null ? null : ofSize.pollLast();
            freeBytes -= pooled == null ? 0 : capacity;
        }
        ByteBuffer taken = pooled == null ? ByteBuffer.allocateDirect(capacity) : pooled;
        taken.clear().limit(bytes);
        return taken;
    }

    /** Takes back a buffer that nothing reads or writes any more. */
    void release(ByteBuffer buffer) {
        if (!buffer.isDirect()) {
            return;
        }
        synchronized (free) {
            if (freeBytes + buffer.capacity() <= maxPooledBytes) {
                free.computeIfAbsent(buffer.capacity(), capacity -> new ArrayDeque<>())
                        .addLast(buffer);
                freeBytes += buffer.capacity();
            }
        }
    }

    /** The next multiple of a quarter of the largest power of two that is not above {@code bytes}. */
    private static int roundUp(int bytes) {
        long step = Math.max(1, Integer.highestOneBit(bytes) >> 2);
        long rounded = (bytes + step - 1) / step * step;
        return rounded > Integer.MAX_VALUE ? bytes : (int) rounded;
    }
}
