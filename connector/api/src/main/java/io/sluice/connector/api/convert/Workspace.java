package io.sluice.connector.api.convert;

import io.sluice.format.message.MessageEncoder;
import io.sluice.format.split.RowSplitter;
import io.sluice.protocol.bytes.ByteWriter;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What one conversion works with: an encoder, a splitter of rows, and buffers, so that a batch makes no garbage but its messages.
 * Buffers that are not given back because of a failure are garbage. For one thread at a time.
 */
final class Workspace {
    /** A batch for very many topics and partitions takes one for each, so a new one is small. */
    private static final int INITIAL_BYTES = 1024;

    /**
     * The limit of what the buffers take that are kept for the next batch, which may come much later; a buffer that a huge entry has
     * enlarged is not kept.
     */
    private static final int MAX_KEPT_BYTES = 4 * 1024 * 1024;

    private final MessageEncoder encoder;
    private final RowSplitter splitter;
    private final Deque<ByteWriter> free = new ArrayDeque<>();
    private long freeBytes;

    Workspace(MessageEncoder encoder, RowSplitter splitter) {
        this.encoder = encoder;
        this.splitter = splitter;
    }

    MessageEncoder encoder() {
        return encoder;
    }

    RowSplitter splitter() {
        return splitter;
    }

    /** A buffer, empty, without a limit. */
    ByteWriter take() {
        ByteWriter buffer = free.pollFirst();
        if (buffer == null) {
            return new ByteWriter(INITIAL_BYTES);
        }
        freeBytes -= buffer.array().length;
        return buffer;
    }

    /** Takes a buffer back that is not needed any more. */
    void giveBack(ByteWriter buffer) {
        int bytes = buffer.array().length;
        if (freeBytes + bytes <= MAX_KEPT_BYTES) {
            buffer.clear();
            buffer.limitTo(Integer.MAX_VALUE);
            freeBytes += bytes;
            free.addFirst(buffer);
        }
    }
}
