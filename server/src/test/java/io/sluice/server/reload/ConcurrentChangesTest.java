package io.sluice.server.reload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How many changes are made at the same time, and what becomes of them. */
@Timeout(60)
class ConcurrentChangesTest {
    /** As a barrier of more changes than are made at the same time would wait for ever. */
    @Test
    void asManyAreUnderWayAsTheLimitAllowsAndNoMore() {
        int limit = 3;
        CyclicBarrier together = new CyclicBarrier(limit);
        AtomicInteger underWay = new AtomicInteger();
        List<Integer> most = new CopyOnWriteArrayList<>();

        ConcurrentChanges.run(
                changes(4 * limit, () -> {
                    most.add(underWay.incrementAndGet());
                    together.await();
                    underWay.decrementAndGet();
                }),
                limit);

        assertThat(most).hasSize(4 * limit).allMatch(count -> count <= limit).contains(limit);
    }

    @Test
    void allAreMadeIfTheyAreMoreThanThreadsAndNoThreadIsLeft() {
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        AtomicInteger made = new AtomicInteger();

        ConcurrentChanges.run(
                changes(100, () -> {
                    threads.add(Thread.currentThread());
                    made.incrementAndGet();
                }),
                8);

        assertThat(made).hasValue(100);
        threads.remove(Thread.currentThread());
        assertThat(threads).hasSizeLessThan(8).noneMatch(Thread::isAlive);
    }

    @Test
    void oneIsMadeByTheThreadThatAsksForIt() {
        List<Thread> threads = new CopyOnWriteArrayList<>();

        ConcurrentChanges.run(changes(1, () -> threads.add(Thread.currentThread())), 8);
        ConcurrentChanges.run(List.of(), 8);

        assertThat(threads).containsExactly(Thread.currentThread());
    }

    /** Such as at the end of the server, which waits no longer for what is in flight. */
    @Test
    void anInterruptReachesAllThatAreUnderWay() throws Exception {
        CountDownLatch underWay = new CountDownLatch(3);
        AtomicInteger interrupted = new AtomicInteger();
        AtomicBoolean isKept = new AtomicBoolean();
        Thread thread = new Thread(() -> {
            ConcurrentChanges.run(
                    changes(3, () -> {
                        underWay.countDown();
                        try {
                            new CountDownLatch(1).await();
                        } catch (InterruptedException e) {
                            interrupted.incrementAndGet();
                            Thread.currentThread().interrupt();
                        }
                    }),
                    8);
            isKept.set(Thread.currentThread().isInterrupted());
        });
        thread.start();
        underWay.await();

        thread.interrupt();
        thread.join();

        assertThat(interrupted).hasValue(3);
        assertThat(isKept).isTrue();
    }

    @Test
    void anErrorInOneChangeIsThrownWhenAllOthersAreMade() {
        AtomicInteger made = new AtomicInteger();
        List<Runnable> all = Stream.concat(
                        changes(20, () -> {
                                    throw new StackOverflowError("too deep");
                                })
                                .stream(),
                        changes(20, made::incrementAndGet).stream())
                .toList();

        assertThatThrownBy(() -> ConcurrentChanges.run(all, 4)).isInstanceOf(StackOverflowError.class);

        assertThat(made).hasValue(20);
    }

    @FunctionalInterface
    private interface Change {
        void make() throws Exception;
    }

    private static List<Runnable> changes(int count, Change change) {
        return IntStream.range(0, count)
                .<Runnable>mapToObj(i -> () -> {
                    try {
                        change.make();
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                })
                .toList();
    }
}
