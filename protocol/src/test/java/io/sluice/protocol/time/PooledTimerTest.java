package io.sluice.protocol.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PooledTimerTest {
    private static final Duration SOON = Duration.ofMillis(1);

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final ExecutorService pool = Executors.newCachedThreadPool();
    private final AtomicBoolean isShort = new AtomicBoolean(true);
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final PooledTimer tasks = new PooledTimer(
            timer,
            task -> {
                if (isShort.compareAndSet(true, false)) {
                    throw new OutOfMemoryError("unable to create native thread");
                }
                pool.execute(task);
            },
            failures::add);

    @AfterEach
    void stop() {
        timer.shutdownNow();
        pool.shutdownNow();
    }

    @Test
    void aTaskForWhichNoThreadCanBeStartedIsRunLater() throws InterruptedException {
        CountDownLatch now = new CountDownLatch(1);
        tasks.execute(now::countDown);
        assertThat(now.await(1, TimeUnit.MINUTES)).isTrue();

        isShort.set(true);
        CountDownLatch later = new CountDownLatch(1);
        var unused = tasks.schedule(later::countDown, SOON);
        assertThat(later.await(1, TimeUnit.MINUTES)).isTrue();

        assertThat(failures).hasSize(2).allMatch(OutOfMemoryError.class::isInstance);
    }

    @Test
    void aTaskIsRunEveryPeriodAlsoAfterARunForWhichNoThreadCouldBeStarted() throws InterruptedException {
        CountDownLatch runs = new CountDownLatch(2);

        var unused = tasks.every(SOON, runs::countDown);

        assertThat(runs.await(1, TimeUnit.MINUTES)).isTrue();
        assertThat(failures).hasSize(1);
    }

    @Test
    void nothingIsRunAfterTheEndOfThePool() {
        PooledTimer rejecting = new PooledTimer(
                timer,
                task -> {
                    throw new RejectedExecutionException();
                },
                failures::add);
        rejecting.execute(() -> {});
        timer.shutdownNow();
        tasks.execute(() -> {});

        assertThat(failures).singleElement().isInstanceOf(OutOfMemoryError.class);
    }
}
