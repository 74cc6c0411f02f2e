package io.sluice.connector.api.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class BoundedCloseTest {
    private final CountDownLatch brokerAnswers = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);

    private void close() {
        try {
            brokerAnswers.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        closed.countDown();
    }

    @Test
    void returnsWhenTheClientIsClosedOrTheTimeIsOver() throws Exception {
        BoundedClose.run(Duration.ZERO, "test-close", this::close);
        BoundedClose.run(Duration.ofMillis(-1), "test-close", this::close);
        BoundedClose.run(Duration.ofMillis(1), "test-close", this::close);
        assertThat(closed.getCount()).isOne();

        brokerAnswers.countDown();
        BoundedClose.run(Duration.ofSeconds(50), "test-close", this::close);

        assertThat(closed.getCount()).isZero();
    }

    @Test
    void aClientThatFailsToCloseIsLeft() throws Exception {
        BoundedClose.run(Duration.ofSeconds(50), "test-close", () -> {
            closed.countDown();
            throw new IllegalStateException("closed already");
        });

        assertThat(closed.getCount()).isZero();
    }
}
