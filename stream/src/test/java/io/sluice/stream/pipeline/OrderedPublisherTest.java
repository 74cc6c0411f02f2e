package io.sluice.stream.pipeline;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.format.entry.Entry;
import io.sluice.format.entry.LogFile;
import io.sluice.format.entry.Origin;
import io.sluice.format.entry.StatementEntry;
import io.sluice.format.protobuf.EncodingPool;
import io.sluice.mysql.transaction.Boundary;
import io.sluice.protocol.entry.EventType;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.SourceServer;
import io.sluice.store.ring.Batch;
import io.sluice.store.ring.BatchLimit;
import io.sluice.store.ring.EntryRing;
import io.sluice.store.ring.Readiness;
import io.sluice.store.ring.RingConfig;
import io.sluice.store.ring.StoreClosedException;
import io.sluice.stream.event.Chunk;
import io.sluice.stream.event.ChunkBuffers;
import io.sluice.testkit.time.HandTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(300) // a wait without end must fail the build, not stop it
class OrderedPublisherTest {
    private static final int LIMIT = 4;
    private static final LogFile FILE = new LogFile(SourceServer.at("localhost", 3306), "binlog.000001");

    private final EntryRing ring = new EntryRing(new RingConfig(8, 1024, false));
    private final Queue<Runnable> work = new ArrayDeque<>();
    private final AtomicInteger failures = new AtomicInteger();
    private final HandTime time = new HandTime();
    private final OrderedPublisher publisher = new OrderedPublisher(
            ring,
            work::add,
            new BoundaryFilter(false),
            new LargeEventBudget(ring, time),
            LIMIT,
            failures::incrementAndGet,
            time);
    private final ExecutorService others = Executors.newCachedThreadPool();

    @AfterEach
    void stopOtherThreads() throws InterruptedException {
        others.shutdownNow();
        assertThat(others.awaitTermination(30, SECONDS)).isTrue();
    }

    @Test
    void isIdleUntilAChunkIsTakenAndAgainWhenItIsInTheStore() throws InterruptedException {
        assertThat(publisher.isIdle()).isTrue();

        Chunk chunk = chunk(1);
        publisher.accept(chunk);
        assertThat(publisher.isIdle()).isFalse();

        chunk.encode(new EncodingPool(Runnable::run));
        publisher.advance();
        assertThat(publisher.isIdle()).isTrue();
    }

    @Test
    void chunksArePublishedInOrderWhicheverIsEncodedFirst() throws InterruptedException {
        Chunk first = chunk(1, 2);
        Chunk second = chunk(3);
        publisher.accept(first);
        publisher.accept(second);

        second.encode(new EncodingPool(Runnable::run));
        publisher.advance();
        assertThat(ring.stats().put().entries()).isZero();

        first.encode(new EncodingPool(Runnable::run));
        publisher.advance();
        assertThat(offsets(taken())).containsExactly(1L, 2L, 3L);
    }

    @Test
    void continuesAfterAFullStoreWhereItStopped() throws InterruptedException {
        Chunk large = chunk(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
        large.encode(new EncodingPool(Runnable::run));
        publisher.accept(large);
        publisher.advance();
        Batch full = taken();
        assertThat(offsets(full)).hasSize(8);
        assertThat(work).as("no task waits in a pool").isEmpty();

        ring.ack(full);
        work.remove().run();

        assertThat(offsets(taken())).containsExactly(9L, 10L);
        assertThat(work).isEmpty();
    }

    /** The store calls back once only: without a worker the stream would stay where it is. */
    @Test
    void continuesAfterAFullStoreAlthoughNoWorkerCanBeStarted() throws InterruptedException {
        EncoderTasks workers = new EncoderTasks(
                task -> {
                    throw new OutOfMemoryError("unable to create native thread");
                },
                time);
        OrderedPublisher alone = new OrderedPublisher(
                ring,
                workers,
                new BoundaryFilter(false),
                new LargeEventBudget(ring, time),
                LIMIT,
                failures::incrementAndGet,
                time);
        Chunk large = chunk(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
        large.encode(new EncodingPool(Runnable::run));
        alone.accept(large);
        alone.advance();

        ring.ack(taken());

        assertThat(offsets(taken())).containsExactly(9L, 10L);
        alone.drain();
        assertThat(failures).hasValue(0);
    }

    /** As by a pool that has taken it, and fails to start a thread for it. */
    @Test
    void aChunkIsEncodedOnce() {
        Chunk chunk = chunk(1);
        chunk.encode(new EncodingPool(Runnable::run));
        Entry encoded = chunk.entries().get(0);
        chunk.entries().add(null);

        chunk.encode(new EncodingPool(Runnable::run));

        chunk.throwFailure();
        assertThat(chunk.entries().get(0)).isSameAs(encoded);
    }

    @Test
    void aCheckpointFollowsTheEntriesOfItsChunk() throws InterruptedException {
        Chunk chunk = chunk(1);
        chunk.setCheckpoint(new Boundary(
                SourceServer.at("localhost", 3306), new BinlogPosition("binlog.000001", 77), null, 1, 1000, null, 0));
        chunk.encode(new EncodingPool(Runnable::run));
        publisher.accept(chunk);
        publisher.advance();

        assertThat(ring.takeCursor()).isNull();
        ring.ack(taken());
        assertThat(ring.takeCursor()).isNotNull();
    }

    @Test
    void theReaderWaitsAtTheLimit() throws Exception {
        List<Chunk> chunks = new ArrayList<>();
        for (int i = 0; i < LIMIT; i++) {
            chunks.add(chunk(i));
            publisher.accept(chunks.get(i));
        }
        assertThat(publisher.waitedNanos()).isZero();
        AtomicReference<Thread> reader = new AtomicReference<>();
        Future<?> waits = others.submit(() -> {
            reader.set(Thread.currentThread());
            publisher.accept(chunk(LIMIT));
            return null;
        });
        await().until(() -> reader.get() != null && reader.get().getState() == Thread.State.WAITING);
        assertThat(waits).isNotDone();
        time.passSeconds(5);

        chunks.get(0).encode(new EncodingPool(Runnable::run));
        publisher.advance();

        waits.get(30, SECONDS);
        assertThat(publisher.waitedNanos()).isEqualTo(SECONDS.toNanos(5));
    }

    @Test
    void aClosedStoreReachesTheReaderThatWaits() throws Exception {
        for (long i = 0; i < LIMIT; i++) {
            Chunk chunk = chunk(3 * i, 3 * i + 1, 3 * i + 2);
            chunk.encode(new EncodingPool(Runnable::run));
            publisher.accept(chunk);
        }
        publisher.advance();
        Future<?> waits = others.submit(() -> {
            publisher.drain();
            return null;
        });

        ring.close();
        work.remove().run();

        assertThatThrownBy(() -> waits.get(30, SECONDS)).hasCauseInstanceOf(StoreClosedException.class);
        assertThat(failures).hasValue(1);
        assertThatThrownBy(() -> publisher.accept(chunk(9))).isInstanceOf(StoreClosedException.class);
    }

    @Test
    void whatCannotBeEncodedReachesTheReader() throws InterruptedException {
        Chunk bad = new Chunk(new ChunkBuffers(), 1);
        bad.entries().add(null);
        publisher.accept(bad);

        bad.encode(new EncodingPool(Runnable::run));
        publisher.advance();

        assertThatThrownBy(publisher::drain).isInstanceOf(NullPointerException.class);
        assertThat(failures).hasValue(1);
    }

    @Test
    void nothingIsPutOnceItIsClosed() throws InterruptedException {
        Chunk chunk = chunk(1);
        chunk.encode(new EncodingPool(Runnable::run));
        publisher.accept(chunk);

        publisher.close();
        publisher.advance();

        assertThat(ring.stats().put().entries()).isZero();
    }

    /** Whatever the pace of encoders and acks: entries are published as they were read, in order. */
    @ParameterizedTest
    @MethodSource("seeds")
    void nothingIsLostOrReordered(long seed) throws Exception {
        Random random = new Random(seed);
        ExecutorService pool = Executors.newFixedThreadPool(1 + random.nextInt(3));
        OrderedPublisher busy = new OrderedPublisher(
                ring,
                pool,
                new BoundaryFilter(false),
                new LargeEventBudget(ring, time),
                1 + random.nextInt(8),
                () -> {},
                time);
        int chunks = 300;
        List<Integer> sizes = random.ints(chunks, 0, 20).boxed().toList();
        Future<Long> reader = others.submit(() -> {
            long offset = 0;
            for (int size : sizes) {
                Chunk chunk = new Chunk(new ChunkBuffers(), 1);
                for (int i = 0; i < size; i++) {
                    chunk.entries().add(entry(offset++));
                }
                busy.accept(chunk);
                pool.execute(() -> {
                    chunk.encode(new EncodingPool(Runnable::run));
                    busy.advance();
                });
            }
            busy.drain();
            return offset;
        });
        List<Long> arrived = new ArrayList<>();
        while (!reader.isDone() || ring.stats().put().entries() > arrived.size()) {
            Batch batch = ring.getIfReady(
                    BatchLimit.entries(1 + random.nextInt(12)), random.nextBoolean() ? Readiness.FULL : Readiness.ANY);
            if (batch != null) {
                arrived.addAll(offsets(batch));
                ring.ack(batch);
            }
        }
        pool.shutdownNow();

        assertThat(arrived)
                .as("seed %d", seed)
                .containsExactlyElementsOf(
                        LongStream.range(0, result(reader)).boxed().toList());
    }

    static LongStream seeds() {
        return LongStream.range(0, 20);
    }

    private static long result(Future<Long> future) throws ExecutionException, InterruptedException {
        return future.get();
    }

    private Batch taken() {
        return Objects.requireNonNull(ring.getIfReady(BatchLimit.entries(100), Readiness.ANY), "nothing is there");
    }

    private static List<Long> offsets(Batch batch) {
        return batch.entries().stream().map(entry -> entry.changeId().offset()).toList();
    }

    private static Chunk chunk(long... offsets) {
        Chunk chunk = new Chunk(new ChunkBuffers(), 1);
        for (long offset : offsets) {
            chunk.entries().add(entry(offset));
        }
        return chunk;
    }

    private static Entry entry(long offset) {
        Origin origin = new Origin(FILE, offset, 1, 1000, 31, 0, null, false);
        return new StatementEntry(origin, EventType.QUERY, "", null, null, "select 1", "");
    }
}
