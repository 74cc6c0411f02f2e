package io.sluice.connector.api.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WatchTest {
    @Test
    void aCheckThatEndsWithAnErrorIsFollowedByOthers() throws InterruptedException {
        CountDownLatch checks = new CountDownLatch(2);
        Watch watch = new Watch("watch");
        try {
            watch.every(Duration.ofMillis(1), () -> {
                checks.countDown();
                if (checks.getCount() == 1) {
                    throw new OutOfMemoryError("unable to create native thread");
                }
            });

            assertThat(checks.await(1, TimeUnit.MINUTES)).isTrue();
        } finally {
            watch.stop();
        }
    }
}
