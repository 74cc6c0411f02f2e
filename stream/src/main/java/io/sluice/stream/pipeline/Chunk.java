package io.sluice.stream.pipeline;

import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EventBytes;
import io.sluice.format.entry.RowsEntry;
import io.sluice.mysql.transaction.Boundary;
import io.sluice.protocol.bytes.ByteWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A run of consecutive events, and the entries they became: what is handed from stage to stage at once.
 *
 * <p>Filled by the reader, then encoded by one worker, then handed on by one thread at a time; each stage sees what the one
 * before did.
 */
final class Chunk {
    private final ChunkBuffers buffers;
    private final ByteWriter events;
    private final EventBytes bytes = new EventBytes();
    private final List<Entry> entries = new ArrayList<>();
    private volatile boolean encoded;
    private @Nullable Throwable failure;
    private @Nullable Boundary checkpoint;

    private int largeBytes;

    /**
     * Makes an empty one.
     *
     * @param buffers gives the room for the events, and gets it back when they are encoded
     */
    Chunk(ChunkBuffers buffers, int expectedBytes) {
        this.buffers = buffers;
        this.events = buffers.take(expectedBytes);
    }

    /** Notes that room was made for a large event, which stands beside the others. */
    void setLargeBytes(int bytes) {
        largeBytes = bytes;
    }

    /** How much room was made for a large event; 0 if there is none. */
    int largeBytes() {
        return largeBytes;
    }

    /** Where the reader puts events. */
    ByteWriter events() {
        return events;
    }

    /** What the entries of rows refer to. */
    EventBytes bytes() {
        return bytes;
    }

    List<Entry> entries() {
        return entries;
    }

    /** Sets the boundary up to which the stream was read with the chunk's last event. */
    void setCheckpoint(Boundary newest) {
        checkpoint = newest;
    }

    /** The boundary up to which the stream was read; null if it is that of the chunk before. */
    @Nullable Boundary checkpoint() {
        return checkpoint;
    }

    /**
     * States that no more events come.
     *
     * @param keepsImages whether the entries keep their row images; then those that fill less than half of the chunk are
     *     copied out of it, since the store counts what an entry needs and not what it keeps alive
     */
    void close(boolean keepsImages) {
        bytes.settle(events.array());
        if (keepsImages) {
            long used = 0;
            for (Entry entry : entries) {
                used += entry.sizeBytes();
            }
            if (used < events.array().length / 2) {
                detachRows();
            }
        }
    }

    private void detachRows() {
        for (int i = 0; i < entries.size(); i++) {
            if (entries.get(i) instanceof RowsEntry rows) {
                entries.set(i, rows.detached());
            }
        }
    }

    /** Encodes all entries, once; any failure is reported to the thread that publishes. */
    void encode(EncodingPool encoders) {
        try {
            if (encoders.encode(entries)) {
                releaseBuffer();
            }
        } catch (RuntimeException | Error e) {
            failure = e;
        } finally {
            encoded = true;
        }
    }

    /** Gives the room for the events back; only if no entry refers to them. */
    void releaseBuffer() {
        buffers.give(events);
    }

    /** Whether nothing is left to encode, or went wrong there. */
    boolean isEncoded() {
        return encoded;
    }

    /** Throws what went wrong when it was encoded, if something did. */
    void throwFailure() {
        if (failure instanceof RuntimeException e) {
            throw e;
        }
        if (failure instanceof Error e) {
            throw e;
        }
    }
}
