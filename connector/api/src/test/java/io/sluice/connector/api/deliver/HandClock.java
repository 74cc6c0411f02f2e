package io.sluice.connector.api.deliver;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/** Time that passes when the test says so: sleeps take none and are remembered, unless the clock is stopped. */
final class HandClock implements Sleeper {
    private final List<Duration> sleeps = new CopyOnWriteArrayList<>();
    private final AtomicLong nanos = new AtomicLong();
    private volatile boolean stopped;

    /** Lets so much time pass at once. */
    void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    @Override
    public long nanos() {
        return nanos.get();
    }

    /** From now on a sleep lasts until the sleeper is told to stop. */
    void stop() {
        stopped = true;
    }

    List<Duration> sleeps() {
        return List.copyOf(sleeps);
    }

    @Override
    public void sleep(Duration time, CountDownLatch ended) throws InterruptedException {
        sleeps.add(time);
        if (stopped) {
            ended.await();
        }
    }
}
