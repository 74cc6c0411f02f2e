package io.sluice.connector.api.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

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
        Logger logger = (Logger) LoggerFactory.getLogger(Watch.class);
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        logger.addAppender(log);
        Watch watch = new Watch("watch");
        CountDownLatch next = new CountDownLatch(1);
        try {
            watch.execute(() -> {
                throw new IllegalStateException("cannot ask");
            });
            watch.execute(next::countDown);

            assertThat(next.await(1, TimeUnit.MINUTES)).isTrue();
            assertThat(log.list).singleElement().satisfies(event -> {
                assertThat(event.getLevel()).isEqualTo(Level.ERROR);
                assertThat(event.getThrowableProxy().getMessage()).isEqualTo("cannot ask");
            });
        } finally {
            watch.stop();
            logger.detachAppender(log);
        }
    }
}
