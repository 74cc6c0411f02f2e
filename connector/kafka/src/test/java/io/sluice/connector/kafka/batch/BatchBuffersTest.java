package io.sluice.connector.kafka.batch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BatchBuffersTest {
    private static final int LARGE = 1 << 20;

    private final BatchBuffers buffers = new BatchBuffers(4 * LARGE);

    @Test
    void aReleasedBufferIsUsedAgain() {
        ByteBuffer first = buffers.take(LARGE);
        first.putInt(17).flip();

        buffers.release(first);

        ByteBuffer second = buffers.take(LARGE - 5);
        assertThat(second).isSameAs(first);
        assertThat(second.position()).isZero();
        assertThat(second.limit()).isEqualTo(LARGE - 5);
        assertThat(buffers.take(LARGE)).isNotSameAs(first);
    }

    @Test
    void smallBuffersAreOnTheHeapAndNotKept() {
        ByteBuffer small = buffers.take(BatchBuffers.MIN_DIRECT_BYTES - 1);

        buffers.release(small);

        assertThat(small.isDirect()).isFalse();
        assertThat(buffers.freeBytes()).isZero();
    }

    /** A pool that is full of buffers of other sizes would have every batch allocate its own. */
    @Test
    void aStreamWhoseBatchesChangeTheirSizeHasItsBuffersPooled() {
        takeAndRelease(64, 64 * 1024);
        assertThat(buffers.freeBytes()).isEqualTo(4 * LARGE);

        takeAndRelease(3, LARGE);

        ByteBuffer pooled = buffers.take(LARGE);
        buffers.release(pooled);
        assertThat(buffers.take(LARGE)).isSameAs(pooled);
        assertThat(buffers.freeBytes()).isEqualTo(3 * LARGE);
    }

    @Test
    void aBufferThatIsLargerThanThePoolIsNotKept() {
        takeAndRelease(4, LARGE);

        buffers.release(buffers.take(5 * LARGE));

        assertThat(buffers.freeBytes()).isEqualTo(4 * LARGE);
    }

    @Test
    void withoutDirectMemoryBuffersAreOnTheHeap() {
        BatchBuffers exhausted = new BatchBuffers(LARGE, bytes -> {
            throw new OutOfMemoryError("Cannot reserve %d bytes of direct buffer memory".formatted(bytes));
        });

        ByteBuffer taken = exhausted.take(LARGE / 2);

        assertThat(taken.isDirect()).isFalse();
        assertThat(taken.remaining()).isEqualTo(LARGE / 2);
        exhausted.release(taken);
        assertThat(exhausted.freeBytes()).isZero();
    }

    @Test
    void aPoolFollowsTheHeap() {
        BatchBuffers ofSmallHeap = BatchBuffers.forHeap(32 << 20);
        List<ByteBuffer> taken = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            taken.add(ofSmallHeap.take(LARGE));
        }
        taken.forEach(ofSmallHeap::release);

        assertThat(ofSmallHeap.freeBytes()).isEqualTo(8 * LARGE);
    }

    private void takeAndRelease(int count, int bytes) {
        List<ByteBuffer> taken = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            taken.add(buffers.take(bytes));
        }
        taken.forEach(buffers::release);
    }

    static LongStream seeds() {
        return LongStream.range(0, 50);
    }

    /** Whatever is taken and released: no buffer is used twice at a time, each is large enough, and the pool keeps its limit. */
    @ParameterizedTest
    @MethodSource("seeds")
    void noBufferIsGivenOutTwice(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        BatchBuffers small = new BatchBuffers(200_000);
        List<ByteBuffer> inUse = new ArrayList<>();
        Set<ByteBuffer> distinct = Collections.newSetFromMap(new IdentityHashMap<>());
        for (int step = 0; step < 500; step++) {
            if (inUse.isEmpty() || random.nextInt(inUse.size() + 8) < 6) {
                int bytes = 1 + random.nextInt(1 << random.nextInt(18));
                ByteBuffer taken = small.take(bytes);
                assertThat(taken.remaining()).isEqualTo(bytes);
                assertThat(distinct.add(taken)).isTrue();
                inUse.add(taken);
            } else {
                ByteBuffer released = inUse.remove(random.nextInt(inUse.size()));
                distinct.remove(released);
                small.release(released);
            }
            assertThat(small.freeBytes()).isBetween(0L, 200_000L);
        }
    }
}
