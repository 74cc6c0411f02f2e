package io.sluice.connector.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.connector.api.attempt.Attempt;
import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.rocketmq.PartitionQueue.Waiting;
import java.util.List;
import org.apache.rocketmq.common.message.Message;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SendBufferTest {
    private static final DeliveryCallback IGNORED = new DeliveryCallback() {
        @Override
        public void delivered() {}

        @Override
        public void failed(Exception cause, FailureKind kind) {}
    };

    private final SendBuffer buffer = new SendBuffer(new Attempt(attempt -> null), 1_000, 100, message -> false);
    private final PartitionQueue queue = buffer.queue("orders", 0);

    @BeforeEach
    void takeMessages() throws Exception {
        for (int i = 0; i < 3; i++) {
            buffer.add(queue, new Message("orders", new byte[10]), 50, IGNORED);
        }
        assertThat(buffer.next(queue, true)).hasSize(2);
    }

    @AfterEach
    void clearInterrupt() {
        boolean unused = Thread.interrupted();
    }

    @Test
    void whatWasAbandonedIsWaitedForUntilItIsAnswered() {
        List<Waiting> abandoned = buffer.abandon().messages();

        assertThat(abandoned).hasSize(3);
        requireUnanswered();
        buffer.settle(abandoned);
        requireAnswered();
    }

    /** An interrupted thread does not wait: it fails if there is something to wait for. */
    private void requireUnanswered() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(buffer::awaitAnswers).isInstanceOf(InterruptedException.class);
    }

    private void requireAnswered() {
        Thread.currentThread().interrupt();
        assertThatCode(buffer::awaitAnswers).doesNotThrowAnyException();
    }
}
