package io.sluice.parse.pipeline;

import io.sluice.parse.binlog.EventSource;
import io.sluice.parse.entry.BinlogEntry;
import io.sluice.store.ring.EntrySink;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Carries one stream from its source into its store: the calling thread reads, workers of a shared pool encode, and a
 * thread of its own hands over in order.
 *
 * <pre>
 *   source ──▶ reader ──chunks──▶ encoders (pool)
 *                 └────the same chunks, in order────▶ hand-over ──entries──▶ store
 * </pre>
 *
 * <p>Large events wait until there is {@linkplain LargeRoom room} for them. The queue of chunks is short: when the store is full the hand-over waits, then the reader waits, then the source does.
 */
public final class StreamPipeline implements AutoCloseable {
    private final EventReader reader;
    private final EntrySink store;
    private final @Nullable Executor encoders;
    private final BorderRules borders;
    private final BlockingQueue<Chunk> inOrder;
    private final Thread handOver;
    private final Runnable onFailure;
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final LargeRoom room;
    private final Chunk last = new Chunk(1);

    /**
     * Makes a pipeline; its hand-over starts at once.
     *
     * @param name for the thread's name and messages
     * @param reader the serial stage
     * @param store takes the entries
     * @param encoders a pool, which other streams may share; null if entries keep their row images
     * @param chunksInFlight how many chunks may be between reader and store, at least 1
     * @param thinsBorders whether begins and ends of transactions are left out, but for one every five seconds
     * @param onFailure called when handing over failed: the reader, which may wait for its source, must be woken
     */
    public StreamPipeline(
            String name,
            EventReader reader,
            EntrySink store,
            @Nullable Executor encoders,
            int chunksInFlight,
            boolean thinsBorders,
            Runnable onFailure) {
        this.reader = reader;
        this.store = store;
        this.encoders = encoders;
        this.borders = new BorderRules(thinsBorders);
        this.onFailure = onFailure;
        this.room = new LargeRoom(store);
        this.inOrder = new ArrayBlockingQueue<>(chunksInFlight);
        this.handOver = new Thread(this::handOver, name + "-hand-over");
        this.handOver.setDaemon(true);
        this.handOver.start();
    }

    /**
     * Reads the source to its end; all that was read is handed on, also if the source breaks.
     *
     * @throws IOException if the source broke; a new one may go on from {@link EventReader#resumePoint}
     * @throws StreamException if the stream cannot go on
     * @throws io.sluice.store.ring.StoreClosedException if the store was closed
     * @throws InterruptedException if the thread was interrupted
     */
    public void read(EventSource source) throws IOException, InterruptedException {
        boolean more = true;
        while (more) {
            Chunk chunk = new Chunk(reader.expectedChunkBytes());
            int largeBytes = reader.awaitedBytes();
            if (largeBytes > 0) {
                room.take(largeBytes, this::throwFailure);
                chunk.takesLarge(largeBytes);
            }
            try {
                more = reader.read(source, chunk);
            } finally {
                hand(chunk);
            }
        }
    }

    private void hand(Chunk chunk) throws InterruptedException {
        chunk.close(encoders == null);
        throwFailure();
        if (chunk.entries().isEmpty() && chunk.mark() == null) {
            room.give(chunk.largeBytes());
            return;
        }
        if (encoders == null || chunk.entries().isEmpty()) {
            chunk.skipEncoding();
        } else {
            encoders.execute(chunk::encode);
        }
        inOrder.put(chunk);
        throwFailure();
    }

    /** Waits until all that was read is in the store. */
    public void drain() throws InterruptedException {
        last.skipEncoding();
        inOrder.put(last);
        handOver.join();
        throwFailure();
    }

    private void throwFailure() {
        Throwable thrown = failure.get();
        if (thrown instanceof RuntimeException e) {
            throw e;
        }
        if (thrown instanceof Error e) {
            throw e;
        }
    }

    private void handOver() {
        try {
            while (true) {
                Chunk chunk = inOrder.take();
                chunk.awaitEncoded();
                if (chunk == last) {
                    return;
                }
                List<BinlogEntry> passed = borders.filter(chunk.entries());
                if (!passed.isEmpty()) {
                    store.put(passed);
                }
                room.give(chunk.largeBytes());
                Mark mark = chunk.mark();
                if (mark != null) {
                    store.mark(mark);
                }
            }
        } catch (InterruptedException e) {
            failure.compareAndSet(null, new StreamException("the hand-over of entries was interrupted", e));
        } catch (RuntimeException | Error e) {
            failure.compareAndSet(null, e);
            // The reader may wait for room in the queue: make room, so that it sees the failure.
            inOrder.clear();
            onFailure.run();
        }
    }

    /** Stops handing over, and closes the reader; what is not in the store yet is dropped, and will be read again. */
    @Override
    public void close() {
        reader.close();
        handOver.interrupt();
        boolean interrupted = false;
        while (handOver.isAlive()) {
            try {
                handOver.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
