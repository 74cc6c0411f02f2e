package io.sluice.server.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.protocol.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HealthWatchTest {
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

    @AfterEach
    void stop() {
        timer.shutdownNow();
    }

    @Test
    void aLookThatEndsWithAnErrorIsFollowedByOthers() throws InterruptedException {
        CountDownLatch looks = new CountDownLatch(2);
        HealthWatch watch = HealthWatch.start(
                () -> {
                    looks.countDown();
                    if (looks.getCount() == 1) {
                        throw new OutOfMemoryError("unable to create native thread");
                    }
                    return List.of();
                },
                Duration.ofMillis(4),
                timer,
                Time.SYSTEM);

        assertThat(looks.await(1, TimeUnit.MINUTES)).isTrue();
        watch.close();
    }
}
