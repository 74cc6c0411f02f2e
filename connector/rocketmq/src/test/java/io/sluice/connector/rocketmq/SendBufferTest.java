package io.sluice.connector.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.connector.api.attempt.Attempt;
import io.sluice.connector.api.attempt.NotSentException;
import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.rocketmq.PartitionQueue.Waiting;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(300)
class SendBufferTest {
    private static final RequestFailure PASSING =
            new RequestFailure(new IllegalStateException("no answer"), FailureKind.PASSING, null);

    private static final DeliveryCallback IGNORED = new DeliveryCallback() {
        @Override
        public void delivered() {}

        @Override
        public void failed(Exception cause, FailureKind kind) {}
    };

    private final Attempt attempt = new Attempt(made -> null);
    private final SendBuffer buffer = new SendBuffer(attempt, 1_000, 100, message -> false);
    private final PartitionQueue queue = buffer.queue("orders", 0);

    /** The first two messages. */
    private List<Waiting> request = List.of();

    @BeforeEach
    void takeMessages() throws Exception {
        for (int i = 0; i < 3; i++) {
            add(queue, 50);
        }
        request = buffer.next(queue, true);
        assertThat(request).hasSize(2);
    }

    private void add(PartitionQueue to, int bytes) throws Exception {
        buffer.add(to, new Message(to.topic(), new byte[10]), bytes, IGNORED);
    }

    private List<Waiting> end(RequestFailure failure) {
        return Objects.requireNonNull(buffer.end(queue, request, failure), "it goes again");
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

    /** It would be answered twice, and what is sent again would go beside it. */
    @Test
    void aRequestThatWasAbandonedIsNotAnswered() {
        List<Waiting> abandoned = buffer.abandon().messages();

        assertThat(buffer.end(queue, request, null)).isNull();

        buffer.settle(abandoned);
        requireAnswered();
    }

    @Test
    void whatWasTakenAfterAFailedMessageIsGivenUpInAllQueues() throws Exception {
        PartitionQueue other = buffer.queue("orders", 1);
        add(other, 50);

        List<Waiting> dropped = end(PASSING);

        assertThat(dropped).extracting(Waiting::sequence).containsExactlyInAnyOrder(2L, 3L);
        assertThat(attempt.failure()).isSameAs(PASSING.cause());
        buffer.settle(queue, request, dropped);
        assertThat(buffer.next(queue, true)).isEmpty();
        assertThat(buffer.next(other, true)).isEmpty();
        requireAnswered();
    }

    /** Its callbacks may be slow, and those of the next request would be called before them. */
    @Test
    void nothingFollowsARequestBeforeItIsAnswered() {
        assertThat(buffer.end(queue, request, null)).isEmpty();

        assertThat(buffer.next(queue, true)).isEmpty();
        buffer.settle(queue, request, List.of());
        assertThat(buffer.next(queue, true)).extracting(Waiting::sequence).containsExactly(2L);
    }

    @ParameterizedTest
    @EnumSource(names = {"TOO_LARGE", "INVALID"})
    void whichOfSeveralMessagesIsAtFaultIsFoundOneByOne(FailureKind kind) {
        RequestFailure ofOne = new RequestFailure(new IllegalStateException("one of them"), kind, null);

        assertThat(buffer.end(queue, request, ofOne)).isNull();

        assertThat(attempt.failure()).isNull();
        request = buffer.next(queue, true);
        assertThat(request).extracting(Waiting::sequence).containsExactly(0L);
        assertThat(end(ofOne)).extracting(Waiting::sequence).containsExactly(1L, 2L);
        assertThat(attempt.failure()).isSameAs(ofOne.cause());
    }

    @Test
    void theQueueOfARequestWithoutAnAnswerIsInDoubtUntilARestartHasWaitedForIt() {
        MessageQueue silent = new MessageQueue("orders", "broker-a", 0);

        assertThat(end(new RequestFailure(PASSING.failure(), silent))).hasSize(1);

        assertThat(buffer.doubtful()).containsExactly(silent);
        buffer.reopen();
        assertThat(buffer.doubtful()).isEmpty();
    }

    @Test
    void nothingIsTakenThatWaitsForRoomWhenAnotherMessageFails() throws Exception {
        CompletableFuture<Void> taken = new CompletableFuture<>();
        Thread waiting = new Thread(() -> {
            try {
                add(queue, 900);
                taken.complete(null);
            } catch (Exception e) {
                taken.completeExceptionally(e);
            }
        });
        waiting.start();
        while (waiting.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }

        buffer.settle(queue, request, end(PASSING));
        waiting.join();

        assertThatThrownBy(taken::get).hasCauseInstanceOf(NotSentException.class);
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
