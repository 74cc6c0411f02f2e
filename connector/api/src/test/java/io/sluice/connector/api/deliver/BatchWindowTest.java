package io.sluice.connector.api.deliver;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class BatchWindowTest {
    private static final Duration NEARBY = Duration.ofMillis(2);
    private static final Duration BETWEEN = Duration.ofMillis(12);
    private static final Duration DISTANT = Duration.ofMillis(20);
    private static final int LOAD = BatchWindow.NEAR - 1;

    private final BatchWindow window = new BatchWindow("shop", OptionalInt.empty(), 0);
    private long now;

    @Test
    void aBrokerIsNearUntilItsAnswersAreKnown() {
        assertThat(window.batches()).isEqualTo(BatchWindow.NEAR);
        assertThat(window.isReached(BatchWindow.NEAR, now)).isTrue();
        assertThat(window.isReached(BatchWindow.NEAR - 1, now)).isFalse();
    }

    @Test
    void moreBatchesAreInFlightToABrokerThatIsFarAway() {
        measure(DISTANT, BatchWindow.SLOW_ANSWERS - 1);
        assertThat(window.batches()).as("a few slow answers").isEqualTo(BatchWindow.NEAR);

        measure(DISTANT, 1);

        assertThat(window.batches()).isEqualTo(BatchWindow.FAR);
        assertThat(window.isReached(BatchWindow.FAR - 1, now)).isFalse();
        assertThat(window.isReached(BatchWindow.FAR, now)).isTrue();
    }

    /** Else a stream that is limited by the processors would take more memory, and be no faster. */
    @Test
    void theTimeForWhichMessagesWaitForThoseBeforeThemDoesNotCount() {
        for (int i = 0; i < 100; i++) {
            answer(DISTANT);
        }

        assertThat(window.batches()).isEqualTo(BatchWindow.NEAR);
    }

    @Test
    void aQuickAnswerBetweenSlowOnesShowsThatTheBrokerIsNear() {
        for (int i = 0; i < 10; i++) {
            measure(DISTANT, BatchWindow.SLOW_ANSWERS - 1);
            answer(NEARBY);
            assertThat(window.batches()).isEqualTo(BatchWindow.NEAR);
        }
    }

    @Test
    void aBrokerThatHasComeNearHasFewBatchesInFlightAgain() {
        measure(DISTANT, BatchWindow.SLOW_ANSWERS);

        answer(NEARBY);

        assertThat(window.batches()).isEqualTo(BatchWindow.NEAR);
        measure(DISTANT, 1);
        assertThat(window.batches()).as("a slow answer after that").isEqualTo(BatchWindow.NEAR);
    }

    @Test
    void answersBetweenQuickAndSlowOnesChangeNothing() {
        measure(BETWEEN, 10);
        assertThat(window.batches()).isEqualTo(BatchWindow.NEAR);
        measure(DISTANT, BatchWindow.SLOW_ANSWERS);

        measure(BETWEEN, 10);

        assertThat(window.batches()).isEqualTo(BatchWindow.FAR);
    }

    @Test
    void theNumberThatTheOperatorHasSetHoldsAtAnyDistance() {
        BatchWindow fixed = new BatchWindow("shop", OptionalInt.of(200), 0);
        for (int i = 0; i < 100; i++) {
            now += BatchWindow.PERIOD.toNanos();
            assertThat(fixed.isReached(199, now)).as("a measurement").isFalse();
            assertThat(fixed.take()).isTrue();
            fixed.answered(true, DISTANT.toNanos(), now);
        }

        assertThat(fixed.batches()).isEqualTo(200);
        assertThat(fixed.isReached(200, now)).isTrue();
    }

    @Test
    void aMeasurementAwaitsAllAnswersAndThenTheAnswerOfASingleBatch() {
        assertThat(window.isReached(LOAD, now)).isFalse();
        pass(BatchWindow.COUNTING_PERIOD);
        assertThat(window.isReached(LOAD, now)).isTrue();
        answer(DISTANT);
        assertThat(window.isReached(1, now))
                .as("until the last one is answered")
                .isTrue();
        assertThat(window.isReached(0, now)).isFalse();

        assertThat(window.take()).as("others with it").isFalse();

        assertThat(window.isReached(1, now)).isTrue();
        answer(DISTANT);
        assertThat(window.isReached(LOAD, now)).isFalse();
        assertThat(window.take()).isTrue();
        pass(BatchWindow.COUNTING_PERIOD.minusNanos(1));
        assertThat(window.isReached(LOAD, now)).isFalse();
        pass(Duration.ofNanos(1));
        assertThat(window.isReached(LOAD, now))
                .as("soon, to see whether it was by chance")
                .isTrue();
    }

    @Test
    void aBatchWithoutMessagesMeasuresNothing() {
        pass(BatchWindow.COUNTING_PERIOD);
        assertThat(window.isReached(LOAD, now)).isTrue();
        window.take();
        window.answered(false, 0, now);

        assertThat(window.isReached(1, now)).as("the next one is measured").isTrue();
    }

    @Test
    void nothingIsMeasuredWithoutLoadNorAfterAQuickAnswer() {
        pass(BatchWindow.PERIOD);
        assertThat(window.isReached(BatchWindow.NEAR / 2, now)).isFalse();
        answer(NEARBY);
        pass(BatchWindow.PERIOD.minusNanos(1));
        ack();
        assertThat(window.isReached(LOAD, now)).isFalse();
        pass(Duration.ofNanos(1));
        assertThat(window.isReached(LOAD, now)).isTrue();
    }

    /** Each measurement costs the time of a few answers. */
    @Test
    void aBrokerWhoseAnswersTakeLongIsMeasuredLessOften() {
        Duration answer = Duration.ofSeconds(5);
        measure(answer, 1);
        pass(answer.multipliedBy(BatchWindow.COUNTING_ANSWERS).minusNanos(1));
        ack();
        assertThat(window.isReached(LOAD, now)).isFalse();
        pass(Duration.ofNanos(1));
        assertThat(window.isReached(LOAD, now)).isTrue();
    }

    @Test
    void aFailureEndsAMeasurement() {
        pass(BatchWindow.COUNTING_PERIOD);
        assertThat(window.isReached(LOAD, now)).isTrue();
        window.failed(now);
        assertThat(window.isReached(LOAD, now)).as("all is sent again").isFalse();
        pass(BatchWindow.COUNTING_PERIOD);
        ack();
        assertThat(window.isReached(LOAD, now)).isTrue();
        window.take();
        window.failed(now);
        assertThat(window.isReached(LOAD, now)).as("the batch is sent again").isFalse();
        answer(DISTANT);
        assertThat(window.take()).isTrue();
    }

    /** Else one partition without an answer would hold up all others. */
    @Test
    void nothingIsMeasuredWhileNothingIsAcked() {
        answer(DISTANT);
        pass(BatchWindow.MIN_PATIENCE.plusNanos(1));

        assertThat(window.isReached(LOAD, now)).isFalse();

        answer(DISTANT);
        assertThat(window.isReached(LOAD, now))
                .as("when batches are acked again")
                .isTrue();
    }

    @Test
    void aMeasurementEndsIfNothingIsAckedMeanwhile() {
        answer(DISTANT);
        pass(BatchWindow.MIN_PATIENCE);
        assertThat(window.isReached(LOAD, now)).isTrue();
        pass(Duration.ofNanos(1));

        assertThat(window.isReached(LOAD, now)).isFalse();
        assertThat(window.take()).as("others with it").isTrue();

        answer(DISTANT);
        assertThat(window.isReached(LOAD, now)).as("soon after it").isFalse();
        pass(BatchWindow.PERIOD);
        answer(DISTANT);
        assertThat(window.isReached(LOAD, now)).isTrue();
    }

    /** Else a broker whose answers take so long would be measured, in vain, all the time. */
    @Test
    void aMeasurementThatEndedSoIsNotRepeatedSoonIfAnswersTakeLong() {
        Duration slow = Duration.ofSeconds(12);
        answer(slow);
        assertThat(window.isReached(LOAD, now)).isTrue();
        pass(slow);
        assertThat(window.isReached(LOAD, now)).isFalse();
        answer(slow);

        pass(BatchWindow.MAX_PERIOD.minus(slow).minusNanos(1));
        ack();
        assertThat(window.isReached(LOAD, now)).isFalse();
        pass(Duration.ofNanos(1));
        assertThat(window.isReached(LOAD, now)).isTrue();
    }

    @Test
    void theAnswerOfTheMeasuredBatchIsNotAwaitedForever() {
        answer(DISTANT);
        pass(BatchWindow.COUNTING_PERIOD.minus(DISTANT));
        assertThat(window.isReached(LOAD, now)).isTrue();
        assertThat(window.isReached(0, now)).isFalse();
        window.take();
        assertThat(window.isReached(1, now)).isTrue();
        pass(BatchWindow.MIN_PATIENCE.plusNanos(1));

        assertThat(window.isReached(1, now)).isFalse();
    }

    @Test
    void aBrokerThatIsKnownToBeFarIsMeasuredSeldom() {
        measure(DISTANT, BatchWindow.SLOW_ANSWERS);
        pass(BatchWindow.PERIOD.minusMillis(500));
        answer(DISTANT);
        assertThat(window.isReached(LOAD, now)).isFalse();
        pass(Duration.ofMillis(480));
        assertThat(window.isReached(LOAD, now)).isTrue();
    }

    @Test
    void aBatchWithoutMessagesDoesNotMakeAFarBrokerNear() {
        measure(DISTANT, BatchWindow.SLOW_ANSWERS);

        window.answered(false, 0, now);

        assertThat(window.batches()).isEqualTo(BatchWindow.FAR);
    }

    @Test
    void fifteenMillisecondsAreSlowAndTenAreNotQuick() {
        measure(BatchWindow.SLOW, BatchWindow.SLOW_ANSWERS);
        assertThat(window.batches()).isEqualTo(BatchWindow.FAR);

        answer(BatchWindow.QUICK);
        assertThat(window.batches()).isEqualTo(BatchWindow.FAR);
        answer(BatchWindow.QUICK.minusNanos(1));
        assertThat(window.batches()).isEqualTo(BatchWindow.NEAR);
    }

    @Test
    void aBatchThatWaitedForABrokerThatWasDownDoesNotEndMeasurementsForLong() {
        measure(Duration.ofMinutes(4), 1);

        pass(BatchWindow.MAX_PERIOD);
        answer(DISTANT);

        assertThat(window.isReached(LOAD, now)).isTrue();
    }

    private void pass(Duration time) {
        now += time.toNanos();
    }

    /** Of a batch without messages, so that nothing is learnt of the broker. */
    private void ack() {
        window.answered(false, 0, now);
    }

    private void measure(Duration time, int times) {
        for (int i = 0; i < times; i++) {
            pass(BatchWindow.PERIOD);
            ack();
            assertThat(window.isReached(LOAD, now)).isTrue();
            assertThat(window.isReached(0, now)).isFalse();
            assertThat(window.take()).isFalse();
            answer(time);
        }
    }

    private void answer(Duration time) {
        pass(time);
        window.answered(true, time.toNanos(), now);
    }
}
