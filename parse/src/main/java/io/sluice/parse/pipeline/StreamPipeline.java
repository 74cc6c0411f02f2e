package io.sluice.parse.pipeline;

import io.sluice.parse.binlog.EventSource;
import io.sluice.parse.entry.BinlogEntry;
import io.sluice.store.ring.EntrySink;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
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
 * <p>A small chunk with nothing in front of it is encoded and handed over by the reader, which had only to wait for its source:
 * each thread that is woken makes a change later.
 *
 * <p>The queue of chunks is short: when the store is full the hand-over waits, then the reader waits, then the source does.
 */
public final class StreamPipeline implements AutoCloseable {
    /** What takes less time to encode than to wake an encoder and the hand-over. */
    private static final int SMALL_BYTES = 16 * 1024;

    private final EventReader reader;
    private final EntrySink store;
    private final @Nullable Executor encoders;
    private final BorderRules borders;
    private final BlockingQueue<Chunk> inOrder;
    private final Thread handOver;
    private final Runnable onFailure;
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final Chunk last = new Chunk(1);

    /** Chunks that were given to the hand-over, and are not in the store yet. */
    private final AtomicInteger ahead = new AtomicInteger();

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
            return;
        }
        boolean isHandedOverHere = ahead.get() == 0 && chunk.events().size() <= SMALL_BYTES;
        if (encoders == null || chunk.entries().isEmpty()) {
            chunk.skipEncoding();
        } else if (isHandedOverHere) {
            chunk.encode();
        } else {
            encoders.execute(chunk::encode);
        }
        if (isHandedOverHere) {
            handOver(chunk);
        } else {
            ahead.incrementAndGet();
            inOrder.put(chunk);
            throwFailure();
        }
    }

    /** Puts a chunk's entries into the store when they are encoded. By one thread at a time. */
    private void handOver(Chunk chunk) throws InterruptedException {
        chunk.awaitEncoded();
        List<BinlogEntry> passed = borders.filter(chunk.entries());
        if (!passed.isEmpty()) {
            store.put(passed);
        }
        Mark mark = chunk.mark();
        if (mark != null) {
            store.mark(mark);
        }
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
                if (chunk == last) {
                    return;
                }
                handOver(chunk);
                ahead.decrementAndGet();
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
