package io.sluice.connector.kafka.produce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.connector.api.producer.Message;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What other threads hand to a loop, by the loop's own network client. */
class SubmittedBatchesTest {
    private final LoopParts loop = new LoopParts();

    @AfterEach
    void close() {
        loop.close();
    }

    /** It would be sent a second later otherwise: as long as the loop waits, at the most. */
    @Test
    @Timeout(60) // without the wake the client waits for ten minutes
    void aSubmissionEndsTheWaitThatTheLoopHasBegun() {
        loop.state(List.of(1), Map.of(1, 1));
        loop.submitted.moveTo(loop.queues::add);
        assertThat(loop.submitted.beginWait(600_000)).isEqualTo(600_000);

        submit("1");

        assertThat(loop.cluster.client().poll(600_000, loop.cluster.nowMillis()))
                .isEmpty();
        assertThat(loop.submitted.beginWait(600_000)).as("before it is taken").isZero();
    }

    /** They are answered at the end of the loop: those that are not in a queue by this list alone. */
    @Test
    void whatCannotBeQueuedIsLeftInTheOrderOfItsSubmission() {
        submit("1");
        submit("2");
        List<OutgoingBatch> queued = new ArrayList<>();

        assertThatThrownBy(() -> loop.submitted.moveTo(batch -> {
                    if (!queued.isEmpty()) {
                        throw new OutOfMemoryError("no room for a second one");
                    }
                    queued.add(batch);
                }))
                .isInstanceOf(OutOfMemoryError.class);
        submit("3");

        assertThat(queued).hasSize(1);
        assertThat(loop.submitted.left())
                .extracting(batch -> new String(batch.records().message(0).value(), StandardCharsets.US_ASCII))
                .containsExactly("2", "3");
    }

    private void submit(String number) {
        Message message = new Message("shop", 0, number.getBytes(StandardCharsets.US_ASCII));
        assertThat(loop.submitted.add(
                        loop.writer.write(List.of(message), loop.limits::limitOf), List.of(loop.noting(number))))
                .isTrue();
    }
}
