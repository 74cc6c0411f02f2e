package io.sluice.stream.event;

import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EventBytes;
import io.sluice.format.entry.RowsEntry;
import io.sluice.format.protobuf.EncodingPool;
import io.sluice.mysql.transaction.Boundary;
import io.sluice.protocol.bytes.ByteWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A run of consecutive events and their entries: the unit of work that is passed from stage to stage.
 *
 * <p>Filled by the reader, then encoded by one worker, then published by one thread at a time; each stage sees the effects of the one
 * before.
 */
public final class Chunk {
    private final ChunkBuffers buffers;
    private final ByteWriter events;
    private final EventBytes bytes = new EventBytes();
    private final List<Entry> entries = new ArrayList<>();
    private final AtomicBoolean isTaken = new AtomicBoolean();
    private volatile boolean encoded;
    private @Nullable Throwable failure;
    private @Nullable Boundary checkpoint;

    private int largeBytes;

    /**
     * Makes an empty one.
     *
     * @param buffers the pool of the buffer for the events, which gets it back when they are encoded
     */
    public Chunk(ChunkBuffers buffers, int expectedBytes) {
        this.buffers = buffers;
        this.events = buffers.take(expectedBytes);
    }

    /** Sets the memory that was reserved for a large event, which is not in the buffer of the others. */
    public void setLargeBytes(int bytes) {
        largeBytes = bytes;
    }

    /** The memory that was reserved for a large event, in bytes; 0 if there is none. */
    public int largeBytes() {
        return largeBytes;
    }

    /** Where the reader puts events. */
    public ByteWriter events() {
        return events;
    }

    /** What the entries of rows refer to. */
    public EventBytes bytes() {
        return bytes;
    }

    /** The entries of its events; they are the chunk's own list. */
    public List<Entry> entries() {
        return entries;
    }

    /** Sets the boundary up to which the stream was read with the chunk's last event. */
    public void setCheckpoint(Boundary newest) {
        checkpoint = newest;
    }

    /** The boundary up to which the stream was read; null if it is that of the chunk before. */
    public @Nullable Boundary checkpoint() {
        return checkpoint;
    }

    /**
     * Completes the chunk; no more events are added.
     *
     * @param keepsImages whether the entries keep their row images; then those that fill less than half of the chunk are
     *     copied out of it, since the store counts what an entry needs and not what it keeps alive
     */
    public void close(boolean keepsImages) {
        bytes.settle(events.array());
        if (keepsImages) {
            long used = 0;
            for (Entry entry : entries) {
                used += entry.heldBytes();
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

    /** Encodes all entries, unless that was called before; any failure is reported to the thread that publishes. */
    public void encode(EncodingPool encoders) {
        if (!isTaken.compareAndSet(false, true)) {
            return;
        }
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

    /** Returns the buffer to the pool; only if no entry refers to it. */
    public void releaseBuffer() {
        buffers.give(events);
    }

    /** Whether the entries are encoded, or encoding has failed. */
    public boolean isEncoded() {
        return encoded;
    }

    /** Throws the failure of encoding, if there was one. */
    public void throwFailure() {
        if (failure instanceof RuntimeException e) {
            throw e;
        }
        if (failure instanceof Error e) {
            throw e;
        }
    }
}
