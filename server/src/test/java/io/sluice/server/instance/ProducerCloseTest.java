package io.sluice.server.instance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.UnbufferedProducer;
import io.sluice.testkit.log.LogLines;
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

    /** As at the limit of threads of a process, of which each producer has some. */
    @Test
    void aProducerIsClosedThoughNoThreadCanBeStarted() {
        CountDownLatch closed = new CountDownLatch(1);

        ProducerClose.close("shop", closedBy(closed::countDown), LONG, LONG, NoThread::new);

        assertThat(closed.getCount()).isZero();
    }

    @Test
    void theLogSaysWhenAProducerThatWasLeftHasClosed() {
        try (LogLines log = LogLines.of(ProducerClose.class)) {
            leaveOne(() -> {});

            brokerAnswers.countDown();

            await().until(() ->
                    log.texts().contains("a producer that had not closed in time has closed: destination=shop"));
        }
    }

    @Test
    void theLogSaysWhyAProducerThatWasLeftHasFailed() {
        try (LogLines log = LogLines.of(ProducerClose.class)) {
            leaveOne(() -> doThrow(new UnsupportedOperationException("defect")));

            brokerAnswers.countDown();

            await().until(() -> log.texts()
                    .contains("a producer that had not closed in time failed while it was closed: destination=shop"));
        }
    }

    private void leaveOne(Runnable end) {
        Runnable close = () -> {
            awaitAnswer();
            end.run();
        };
        assertThatThrownBy(() -> ProducerClose.close("shop", closedBy(close), Duration.ZERO, Duration.ofMillis(1)))
                .isInstanceOf(IllegalStateException.class);
    }

    private static final class NoThread extends Thread {
        NoThread(Runnable unused) {}

        @Override
        public synchronized void start() {
            throw new OutOfMemoryError("unable to create native thread");
        }
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
