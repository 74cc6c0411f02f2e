package io.sluice.connector.api.convert;

import io.sluice.protocol.bytes.ByteWriter;

/** A buffer for each thread that converts, so that a batch makes no garbage but its records. */
final class WorkerBuffer {
    private static final int INITIAL_BYTES = 64 * 1024;

    /** A buffer that one huge entry has made larger than this is not kept. */
    private static final int LARGEST_KEPT_BYTES = 4 * 1024 * 1024;

    private static final ThreadLocal<ByteWriter> BUFFERS = new ThreadLocal<>();

    private WorkerBuffer() {}

    /** This thread's buffer, empty; it is valid until the thread takes it again, for whatever converter. */
    static ByteWriter take() {
        ByteWriter buffer = BUFFERS.get();
        if (buffer == null || buffer.array().length > LARGEST_KEPT_BYTES) {
            buffer = new ByteWriter(INITIAL_BYTES);
            BUFFERS.set(buffer);
        }
        buffer.clear();
        buffer.limitTo(Integer.MAX_VALUE);
        return buffer;
    }

    /** States that the buffer is not needed any more; a large one is not kept for the next batch, which may be long in coming. */
    static void giveBack(ByteWriter buffer) {
        if (buffer.array().length > LARGEST_KEPT_BYTES) {
            BUFFERS.remove();
        }
    }
}
