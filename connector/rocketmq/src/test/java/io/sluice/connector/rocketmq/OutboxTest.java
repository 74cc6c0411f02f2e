package io.sluice.connector.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.rocketmq.Lane.Waiting;
import java.util.List;
import org.apache.rocketmq.common.message.Message;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OutboxTest {
    private static final DeliveryCallback NOBODY = new DeliveryCallback() {
        @Override
        public void delivered() {}

        @Override
        public void failed(Exception cause, FailureKind kind) {}
    };

    private final Outbox outbox = new Outbox(1_000, 100, message -> false);
    private final Lane lane = outbox.lane("orders", 0);

    @BeforeEach
    void takeMessages() {
        for (int i = 0; i < 3; i++) {
            outbox.add(lane, new Message("orders", new byte[10]), 50, NOBODY);
        }
        assertThat(outbox.next(lane, true)).hasSize(2);
    }

    @AfterEach
    void clearInterrupt() {
        boolean unused = Thread.interrupted();
    }

    @Test
    void whatWasAbandonedIsWaitedForUntilItIsAnswered() {
        List<Waiting> abandoned = outbox.abandon(failure()).messages();

        assertThat(abandoned).hasSize(3);
        requireUnanswered();
        outbox.settle(abandoned);
        requireAnswered();
    }

    @Test
    void whatWasGivenUpAtTheEndIsWaitedForUntilItIsAnswered() {
        List<Waiting> givenUp = outbox.giveUp();

        assertThat(givenUp).hasSize(3);
        requireUnanswered();
        outbox.settle(givenUp);
        requireAnswered();
    }

    /** An interrupted thread does not wait: it fails if there is something to wait for. */
    private void requireUnanswered() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(outbox::awaitAnswers).isInstanceOf(InterruptedException.class);
    }

    private void requireAnswered() {
        Thread.currentThread().interrupt();
        assertThatCode(outbox::awaitAnswers).doesNotThrowAnyException();
    }

    private static SendFailure failure() {
        return new SendFailure(new IllegalStateException("no answer"), FailureKind.PASSING, null);
    }
}
