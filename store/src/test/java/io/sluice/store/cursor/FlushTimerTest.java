package io.sluice.store.cursor;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.protocol.time.Time;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FlushTimerTest {
    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();

    @AfterEach
    void stop() {
        scheduler.shutdownNow();
    }

    /** As when direct memory is used up, for which the JVM does not end. */
    @Test
    void aFlushThatEndsWithAnErrorIsFollowedByOthers() throws InterruptedException {
        CountDownLatch flushes = new CountDownLatch(2);
        FlushTimer timer = new FlushTimer(
                () -> {
                    flushes.countDown();
                    if (flushes.getCount() == 1) {
                        throw new OutOfMemoryError("Cannot reserve 8192 bytes of direct buffer memory");
                    }
                },
                "meta.dat",
                scheduler,
                Duration.ofMillis(1),
                Time.SYSTEM);

        assertThat(flushes.await(1, TimeUnit.MINUTES)).isTrue();
        assertThat(timer.close()).isTrue();
    }
}
