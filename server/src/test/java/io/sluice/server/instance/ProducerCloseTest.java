package io.sluice.server.instance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.UnbufferedProducer;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ProducerCloseTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    private final CountDownLatch brokerAnswers = new CountDownLatch(1);
    private final CountDownLatch interrupted = new CountDownLatch(1);

    @Test
    void aProducerThatDoesNotKeepToItsLimitIsLeft() {
        assertThatThrownBy(() ->
                        ProducerClose.close("shop", closedBy(this::awaitAnswer), Duration.ZERO, Duration.ofMillis(1)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("the producer of shop (" + getClass().getName());

        brokerAnswers.countDown();
    }

    @Test
    void oneThatClosesInTimeIsWaitedFor() {
        CountDownLatch closed = new CountDownLatch(1);

        ProducerClose.close("shop", closedBy(closed::countDown), LONG);

        assertThat(closed.getCount()).isZero();
    }

    @Test
    void whatAProducerThrowsIsThrown() {
        UnsupportedOperationException failure = new UnsupportedOperationException("defect");
        NoClassDefFoundError error = new NoClassDefFoundError("client/Metrics");

        assertThatThrownBy(() -> ProducerClose.close("shop", closedBy(() -> doThrow(failure)), LONG))
                .isSameAs(failure);
        assertThatThrownBy(() -> ProducerClose.close("shop", closedBy(() -> doThrow(error)), LONG))
                .isSameAs(error);
    }

    /** As when the server ends: the contract of a producer is to wait no longer then. */
    @Test
    void anInterruptReachesTheProducerAndStays() {
        Thread.currentThread().interrupt();

        ProducerClose.close("shop", closedBy(this::awaitAnswer), LONG);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(interrupted.getCount()).isZero();
    }

    private static void doThrow(RuntimeException failure) {
        throw failure;
    }

    private static void doThrow(Error error) {
        throw error;
    }

    private void awaitAnswer() {
        try {
            brokerAnswers.await();
        } catch (InterruptedException e) {
            interrupted.countDown();
        }
    }

    private static UnbufferedProducer closedBy(Runnable close) {
        return new UnbufferedProducer() {
            @Override
            public void send(Message message, DeliveryCallback callback) {}

            @Override
            public void close(Duration longest) {
                close.run();
            }
        };
    }
}
