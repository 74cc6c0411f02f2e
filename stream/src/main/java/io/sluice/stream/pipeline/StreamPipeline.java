package io.sluice.stream.pipeline;

import io.sluice.format.entry.Entry;
import io.sluice.format.protobuf.EncodingPool;
import io.sluice.mysql.binlog.EventSource;
import io.sluice.mysql.transaction.Boundary;
import io.sluice.protocol.time.Time;
import io.sluice.store.ring.EntrySink;
import io.sluice.stream.event.Chunk;
import io.sluice.stream.event.ChunkBuffers;
import io.sluice.stream.reader.EventReader;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Moves one stream from its source to its store: the calling thread reads, workers of a shared pool encode and publish chunks in order.
 * Where nothing is encoded, the reader publishes.
 *
 * <pre>
 *   source ──▶ reader ──chunks──▶ encoders (pool) ──entries, in order──▶ store
 * </pre>
 *
 * <p>A small chunk with nothing before it is encoded and published by the reader, which would only wait for its source: waking another
 * thread would add latency.
 *
 * <p>Large events wait until there is {@linkplain LargeEventBudget room} for them. There are only some chunks at a time: when the
 * store is full the hand-over stops, then the reader waits, then the source does.
 */
public final class StreamPipeline implements AutoCloseable {
    /** A size whose encoding takes less time than waking an encoder. */
    private static final int SMALL_BYTES = 16 * 1024;

    private final EventReader reader;
    private final EntrySink store;
    private final BoundaryFilter boundaries;
    private final @Nullable EncodingPool encoders;
    private final Executor workers;
    private final OrderedPublisher publisher;
    private final LargeEventBudget room;
    private final ChunkBuffers buffers = new ChunkBuffers();

    /**
     * Makes a pipeline.
     *
     * @param reader the serial stage
     * @param store takes the entries
     * @param encoders a pool, which other streams may share; null if entries keep their row images
     * @param chunksInFlight how many chunks may be between reader and store, at least 1
     * @param thinsBoundaries whether begins and ends of transactions are left out, but for one every five seconds
     * @param onFailure called when an encoder cannot hand over: the reader, which may wait for its source, must be woken
     * @param time measures how long the reader waits for room
     */
    public StreamPipeline(
            EventReader reader,
            EntrySink store,
            @Nullable EncodingPool encoders,
            int chunksInFlight,
            boolean thinsBoundaries,
            Runnable onFailure,
            Time time) {
        this.reader = reader;
        this.store = store;
        this.encoders = encoders;
        this.workers = encoders == null ? Runnable::run : new EncoderTasks(encoders.workers(), time);
        this.boundaries = new BoundaryFilter(thinsBoundaries);
        this.room = new LargeEventBudget(store, time);
        this.publisher = new OrderedPublisher(store, workers, boundaries, room, chunksInFlight, onFailure, time);
    }

    /**
     * Waits for events, and reads one chunk, which is handed on also if the source breaks.
     *
     * @return false at the end of the source
     * @throws IOException if the source broke; a new one may continue from {@link EventReader#resumePosition}
     * @throws io.sluice.stream.failure.StreamException if the stream cannot continue
     * @throws io.sluice.store.ring.StoreClosedException if the store was closed
     * @throws InterruptedException if the thread was interrupted
     */
    public boolean readChunk(EventSource source) throws IOException, InterruptedException {
        Chunk chunk = new Chunk(buffers, reader.expectedChunkBytes());
        int largeBytes = reader.awaitedBytes();
        if (largeBytes > 0) {
            room.take(largeBytes, publisher::throwFailure);
            chunk.setLargeBytes(largeBytes);
        }
        try {
            return reader.read(source, chunk);
        } finally {
            hand(chunk);
        }
    }

    /** Reads the source to its end, as {@link #readChunk} does. */
    public void read(EventSource source) throws IOException, InterruptedException {
        boolean more = true;
        while (more) {
            more = readChunk(source);
        }
    }

    /**
     * Lets the cursor be at a boundary as soon as all that was read before is acked, as where reading continues after changes were lost; for the
     * reader.
     *
     * @throws InterruptedException if the thread was interrupted while it waited for room
     */
    public void checkpoint(Boundary boundary) throws InterruptedException {
        Chunk chunk = new Chunk(buffers, reader.expectedChunkBytes());
        chunk.setCheckpoint(boundary);
        hand(chunk);
    }

    /** Whether a chunk can be published without waiting; called by the reader. */
    public boolean hasRoom() {
        return publisher.hasRoom();
    }

    private void hand(Chunk chunk) throws InterruptedException {
        EncodingPool pool = encoders;
        chunk.close(pool == null);
        if (pool == null) {
            put(chunk);
            return;
        }
        publisher.throwFailure();
        boolean hasEntries = !chunk.entries().isEmpty();
        if (hasEntries && (chunk.events().size() > SMALL_BYTES || !publisher.isIdle())) {
            publisher.accept(chunk);
            workers.execute(() -> {
                chunk.encode(pool);
                publisher.advance();
            });
        } else if (hasEntries || chunk.checkpoint() != null) {
            publisher.accept(chunk);
            chunk.encode(pool);
            publisher.advance();
        } else {
            chunk.releaseBuffer();
            room.give(chunk.largeBytes());
        }
    }

    private void put(Chunk chunk) throws InterruptedException {
        List<Entry> passed = boundaries.filter(chunk.entries());
        if (!passed.isEmpty()) {
            store.put(passed);
        }
        room.give(chunk.largeBytes());
        Boundary checkpoint = chunk.checkpoint();
        if (checkpoint != null) {
            store.checkpoint(checkpoint);
        }
    }

    /**
     * The total time that the reader has waited for later stages; not for the store, if it publishes itself. May be called by any thread.
     */
    public Duration waited() {
        return Duration.ofNanos(publisher.waitedNanos() + room.waitedNanos());
    }

    /** The number of chunks that were read and are not in the store yet; 0 if nothing is encoded ahead. May be called by any thread. */
    public int chunks() {
        return publisher.chunks();
    }

    /** Waits until all that was read is in the store. */
    public void drain() throws InterruptedException {
        publisher.drain();
    }

    /** Stops publishing, and closes the reader; chunks that are not in the store yet are dropped, and will be read again. */
    @Override
    public void close() {
        reader.close();
        publisher.close();
    }
}
