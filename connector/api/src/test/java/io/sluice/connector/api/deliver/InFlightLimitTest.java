package io.sluice.connector.api.deliver;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class InFlightLimitTest {
    private static final Duration NEARBY = Duration.ofMillis(2);
    private static final Duration BETWEEN = Duration.ofMillis(12);
    private static final Duration DISTANT = Duration.ofMillis(20);
    private static final int LOAD = InFlightLimit.NEAR - 1;

    private final InFlightLimit limit = new InFlightLimit("shop", OptionalInt.empty(), 0);
    private long now;

    @Test
    void aBrokerIsNearUntilItsAnswersAreKnown() {
        assertThat(limit.batches()).isEqualTo(InFlightLimit.NEAR);
        assertThat(limit.isReached(InFlightLimit.NEAR, now)).isTrue();
        assertThat(limit.isReached(InFlightLimit.NEAR - 1, now)).isFalse();
    }

    @Test
    void moreBatchesAreInFlightToABrokerThatIsFarAway() {
        measure(DISTANT, InFlightLimit.SLOW_ANSWERS - 1);
        assertThat(limit.batches()).as("a few slow answers").isEqualTo(InFlightLimit.NEAR);

        measure(DISTANT, 1);

        assertThat(limit.batches()).isEqualTo(InFlightLimit.FAR);
        assertThat(limit.isReached(InFlightLimit.FAR - 1, now)).isFalse();
        assertThat(limit.isReached(InFlightLimit.FAR, now)).isTrue();
    }

    /** Else a stream that is limited by the processors would take more memory, and be no faster. */
    @Test
    void theTimeForWhichMessagesWaitForThoseBeforeThemDoesNotCount() {
        for (int i = 0; i < 100; i++) {
            answer(DISTANT);
        }

        assertThat(limit.batches()).isEqualTo(InFlightLimit.NEAR);
    }

    @Test
    void aQuickAnswerBetweenSlowOnesShowsThatTheBrokerIsNear() {
        for (int i = 0; i < 10; i++) {
            measure(DISTANT, InFlightLimit.SLOW_ANSWERS - 1);
            answer(NEARBY);
            assertThat(limit.batches()).isEqualTo(InFlightLimit.NEAR);
        }
    }

    @Test
    void aBrokerThatHasComeNearHasFewBatchesInFlightAgain() {
        measure(DISTANT, InFlightLimit.SLOW_ANSWERS);

        answer(NEARBY);

        assertThat(limit.batches()).isEqualTo(InFlightLimit.NEAR);
        measure(DISTANT, 1);
        assertThat(limit.batches()).as("a slow answer after that").isEqualTo(InFlightLimit.NEAR);
    }

    @Test
    void answersBetweenQuickAndSlowOnesChangeNothing() {
        measure(BETWEEN, 10);
        assertThat(limit.batches()).isEqualTo(InFlightLimit.NEAR);
        measure(DISTANT, InFlightLimit.SLOW_ANSWERS);

        measure(BETWEEN, 10);

        assertThat(limit.batches()).isEqualTo(InFlightLimit.FAR);
    }

    @Test
    void theNumberThatTheOperatorHasSetHoldsAtAnyDistance() {
        InFlightLimit fixed = new InFlightLimit("shop", OptionalInt.of(200), 0);
        for (int i = 0; i < 100; i++) {
            now += InFlightLimit.PERIOD.toNanos();
            assertThat(fixed.isReached(199, now)).as("a measurement").isFalse();
            assertThat(fixed.take()).isTrue();
            fixed.answered(true, DISTANT.toNanos(), now);
        }

        assertThat(fixed.batches()).isEqualTo(200);
        assertThat(fixed.isReached(200, now)).isTrue();
    }

    @Test
    void aMeasurementAwaitsAllAnswersAndThenTheAnswerOfASingleBatch() {
        assertThat(limit.isReached(LOAD, now)).isFalse();
        pass(InFlightLimit.COUNTING_PERIOD);
        assertThat(limit.isReached(LOAD, now)).isTrue();
        answer(DISTANT);
        assertThat(limit.isReached(1, now)).as("until the last one is answered").isTrue();
        assertThat(limit.isReached(0, now)).isFalse();

        assertThat(limit.take()).as("others with it").isFalse();

        assertThat(limit.isReached(1, now)).isTrue();
        answer(DISTANT);
        assertThat(limit.isReached(LOAD, now)).isFalse();
        assertThat(limit.take()).isTrue();
        pass(InFlightLimit.COUNTING_PERIOD.minusNanos(1));
        assertThat(limit.isReached(LOAD, now)).isFalse();
        pass(Duration.ofNanos(1));
        assertThat(limit.isReached(LOAD, now))
                .as("soon, to see whether it was by chance")
                .isTrue();
    }

    @Test
    void aBatchWithoutMessagesMeasuresNothing() {
        pass(InFlightLimit.COUNTING_PERIOD);
        assertThat(limit.isReached(LOAD, now)).isTrue();
        limit.take();
        limit.answered(false, 0, now);

        assertThat(limit.isReached(1, now)).as("the next one is measured").isTrue();
    }

    @Test
    void nothingIsMeasuredWithoutLoadNorAfterAQuickAnswer() {
        pass(InFlightLimit.PERIOD);
        assertThat(limit.isReached(InFlightLimit.NEAR / 2, now)).isFalse();
        answer(NEARBY);
        pass(InFlightLimit.PERIOD.minusNanos(1));
        assertThat(limit.isReached(LOAD, now)).isFalse();
        pass(Duration.ofNanos(1));
        assertThat(limit.isReached(LOAD, now)).isTrue();
    }

    /** Each measurement costs the time of a few answers. */
    @Test
    void aBrokerWhoseAnswersTakeLongIsMeasuredLessOften() {
        Duration answer = Duration.ofSeconds(5);
        measure(answer, 1);
        pass(answer.multipliedBy(20).minusNanos(1));
        assertThat(limit.isReached(LOAD, now)).isFalse();
        pass(Duration.ofNanos(1));
        assertThat(limit.isReached(LOAD, now)).isTrue();
    }

    @Test
    void aFailureEndsAMeasurement() {
        pass(InFlightLimit.COUNTING_PERIOD);
        assertThat(limit.isReached(LOAD, now)).isTrue();
        limit.failed(now);
        assertThat(limit.isReached(LOAD, now)).as("all is sent again").isFalse();
        pass(InFlightLimit.COUNTING_PERIOD);
        assertThat(limit.isReached(LOAD, now)).isTrue();
        limit.take();
        limit.failed(now);
        assertThat(limit.isReached(LOAD, now)).as("the batch is sent again").isFalse();
        answer(DISTANT);
        assertThat(limit.take()).isTrue();
    }

    private void pass(Duration time) {
        now += time.toNanos();
    }

    private void measure(Duration time, int times) {
        for (int i = 0; i < times; i++) {
            pass(InFlightLimit.PERIOD);
            assertThat(limit.isReached(LOAD, now)).isTrue();
            assertThat(limit.isReached(0, now)).isFalse();
            assertThat(limit.take()).isFalse();
            answer(time);
        }
    }

    private void answer(Duration time) {
        pass(time);
        limit.answered(true, time.toNanos(), now);
    }
}
