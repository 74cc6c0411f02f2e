package io.sluice.connector.api.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.sluice.testkit.log.LogLines;
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

    /** Or messages would fail again and again, and no line would state why. */
    @Test
    void aTaskThatFailsIsLogged() throws InterruptedException {
        LogLines log = LogLines.of(Watch.class);
        Watch watch = new Watch("watch");
        CountDownLatch next = new CountDownLatch(1);
        try (log) {
            watch.execute(() -> {
                throw new IllegalStateException("cannot ask");
            });
            watch.execute(next::countDown);

            assertThat(next.await(1, TimeUnit.MINUTES)).isTrue();
            assertThat(log.events()).singleElement().satisfies(event -> {
                assertThat(event.getLevel()).isEqualTo(Level.ERROR);
                assertThat(event.getThrowableProxy().getMessage()).isEqualTo("cannot ask");
            });
        } finally {
            watch.stop();
        }
    }
}
