package io.sluice.stream.event;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.protocol.bytes.ByteWriter;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * A pool of buffers for a stream's chunks, which are reused when nothing refers to them any more: a new one has to be cleared, and evicts
 * other data from the processor's caches. Buffers that are much larger than needed are dropped, so that an idle stream keeps little memory.
 *
 * <p>Thread-safe.
 */
public final class ChunkBuffers {
    /** One is filled, each encoder may have one, and some wait for an encoder. */
    private static final int MOST = 4;

    /** One that is more than so many times too large is not used. */
    private static final int LARGEST_RATIO = 4;

    @GuardedBy("this") private final Deque<ByteWriter> unused = new ArrayDeque<>(MOST);

    /** An empty buffer for at least {@code bytes}. */
    ByteWriter take(int bytes) {
        ByteWriter last = last();
        if (last == null || last.array().length < bytes || last.array().length / LARGEST_RATIO > bytes) {
            return new ByteWriter(bytes);
        }
        last.clear();
        return last;
    }

    private synchronized @Nullable ByteWriter last() {
        return unused.pollLast(); // what was used last may still be in a cache
    }

    /** Takes back a buffer without references to it. */
    synchronized void give(ByteWriter buffer) {
        if (unused.size() < MOST) {
            unused.addLast(buffer);
        }
    }
}
