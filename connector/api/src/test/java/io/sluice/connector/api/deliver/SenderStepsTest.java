package io.sluice.connector.api.deliver;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.connector.api.TextEntry;
import io.sluice.connector.api.convert.Converters;
import io.sluice.connector.api.deliver.PartitionedBroker.Fate;
import io.sluice.connector.api.deliver.failure.LoginFailures;
import io.sluice.connector.api.deliver.failure.RejectionPolicy;
import io.sluice.connector.api.route.FixedRouter;
import io.sluice.format.entry.EntryKind;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.time.Backoff;
import io.sluice.protocol.time.Time;
import io.sluice.store.cursor.MemoryCursorStore;
import io.sluice.store.cursor.Subscription;
import io.sluice.store.ring.BatchLimit;
import io.sluice.store.ring.EntryRing;
import io.sluice.store.ring.RingConfig;
import io.sluice.testkit.time.HandTime;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When a sender does what, by a clock that the test moves. */
class SenderStepsTest {
    private static final Duration GET_TIMEOUT = Duration.ofMillis(30);
    private static final int MAX_IN_FLIGHT = 8;
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(20);

    private final EntryRing ring = new EntryRing(new RingConfig(1024, 1024, false));
    private final MemoryCursorStore cursors = new MemoryCursorStore();
    private final PartitionedBroker broker = new PartitionedBroker();
    private final HandTime clock = new HandTime();
    private SenderSteps steps = stepsFor(BatchLimit.entries(2));

    private SenderSteps stepsFor(BatchLimit limit) {
        return stepsFor(limit, OptionalInt.of(MAX_IN_FLIGHT));
    }

    private SenderSteps stepsFor(BatchLimit limit, OptionalInt maxInFlight) {
        return new SenderSteps(
                new SenderConfig("shop", limit, GET_TIMEOUT, maxInFlight, ANSWER_LIMIT),
                ring,
                cursors,
                Converters.OF_TEXTS.flat(new FixedRouter("shop", 0), Time.SYSTEM),
                Runnable::run,
                broker,
                new Backoff(Duration.ofMillis(100), Duration.ofSeconds(2), new Random(1)),
                clock,
                RejectionPolicy.STOP,
                new DeliverySignal());
    }

    @BeforeEach
    void subscribe() {
        cursors.subscribe(Subscription.QUEUE_CLIENT, "");
    }

    @Test
    void pausesLongerAfterEachFailureAndShortlyAgainAfterSuccess() throws InterruptedException {
        AtomicInteger failures = new AtomicInteger(8);
        broker.decide(message -> failures.getAndDecrement() > 0 ? Fate.LOST : Fate.DELIVERED);
        ring.put(TextEntry.range(0, 1));
        long[] most = {100, 200, 400, 800, 1600, 2000, 2000, 2000};
        for (long longest : most) {
            failAndPause(longest);
        }
        run();
        broker.answerAll();
        run();
        assertThat(ring.stats().acked().entries()).isEqualTo(1);

        failures.set(1);
        ring.put(TextEntry.range(1, 2));

        failAndPause(100);
    }

    /** A server of accounts may lock one after a number of them. */
    @Test
    void afterFiveRejectedLoginsInARowTheNextOneWaitsForAMinute() throws InterruptedException {
        AtomicInteger rejected = new AtomicInteger(7);
        broker.decide(message -> rejected.getAndDecrement() > 0 ? Fate.NOT_ADMITTED_YET : Fate.LOST);
        ring.put(TextEntry.range(0, 1));
        for (long longest : new long[] {100, 200, 400, 800}) {
            failAndPause(longest);
        }

        for (int i = LoginFailures.ENOUGH; i <= 7; i++) {
            failAndPauseFor(LoginFailures.PAUSE);
        }

        failAndPause(2000); // that was no login
    }

    private void failAndPauseFor(Duration expected) {
        run();
        broker.answerAll();
        run();
        assertThat(state()).isEqualTo(SenderState.BACKING_OFF);
        assertThat(steps.progress().status().backOff()).isEqualTo(expected);
        clock.pass(expected);
    }

    /** Or those of one batch, which is acked at its end, would cost longer and longer pauses. */
    @Test
    void whatIsSentOnceMoreBeforeItIsJudgedNeedsNoPauseAndIsNoFailure() throws InterruptedException {
        steps = stepsFor(BatchLimit.entries(30));
        Set<Integer> asked = new HashSet<>();
        broker.decide(message -> {
            int number = PartitionedBroker.numbers(message).get(0);
            return number % 3 == 0 && asked.add(number) ? Fate.SENT_ONCE_MORE : Fate.DELIVERED;
        });
        ring.put(TextEntry.range(0, 30));

        for (int i = 0; i < 20; i++) {
            run();
            broker.answerAll();
        }

        assertThat(ring.stats().acked().entries()).isEqualTo(30);
        assertThat(steps.progress().status().failures()).isZero();
        assertThat(steps.progress().failuresInARow()).isZero();
    }

    @Test
    void whatIsToBeSentOnceMoreAgainIsPausedForAndFails() throws InterruptedException {
        broker.decide(message -> Fate.SENT_ONCE_MORE);
        ring.put(TextEntry.range(0, 1));
        run();
        broker.answerAll();
        run();
        assertThat(state()).isEqualTo(SenderState.RUNNING);

        failAndPause(100);
        failAndPause(200);

        assertThat(steps.progress().failuresInARow()).isEqualTo(2);
    }

    @Test
    void aPauseIsMadeIfAnotherMessageHasFailedWithOneThatIsSentOnceMore() throws InterruptedException {
        broker.decide(
                message -> PartitionedBroker.numbers(message).contains(1) ? Fate.SENT_ONCE_MORE : Fate.KEPT_BUT_FAILED);
        ring.put(TextEntry.range(0, 2));

        failAndPause(100);

        assertThat(steps.progress().failuresInARow()).isEqualTo(1);
    }

    /** Else those of former tries would keep the sender from taking anything for as long as it runs. */
    @Test
    void theBytesOfAMessageThatIsSentAgainAreCountedOnce() throws InterruptedException {
        AtomicInteger failures = new AtomicInteger(4);
        broker.decide(message -> failures.getAndDecrement() > 0 ? Fate.LOST : Fate.DELIVERED);
        ring.put(List.of(new TextEntry(0, EntryKind.ROWS, "x".repeat(5 << 20), 1)));
        for (long longest : new long[] {100, 200, 400, 800}) {
            failAndPause(longest);
        }
        run();
        broker.answerAll();
        run();
        assertThat(ring.stats().acked().entries()).isEqualTo(1);

        ring.put(TextEntry.range(1, 2));
        run();

        assertThat(broker.unansweredCount()).isEqualTo(1);
    }

    private void failAndPause(long mostMillis) {
        run();
        broker.answerAll();
        StepWait pause = run();
        assertThat(state()).isEqualTo(SenderState.BACKING_OFF);
        long nanos = pause.nanosLeft(clock);
        assertThat(Duration.ofNanos(nanos))
                .isBetween(Duration.ofMillis(mostMillis / 2), Duration.ofMillis(mostMillis))
                .isEqualTo(steps.progress().status().backOff());
        clock.pass(Duration.ofNanos(nanos - 1));
        assertThat(pause.isOver(clock)).isFalse();
        clock.pass(Duration.ofNanos(1));
        assertThat(pause.isOver(clock)).isTrue();
    }

    @Test
    void aStopEndsAPauseAndWhatWasNotAckedIsHandedOutAgain() throws InterruptedException {
        broker.decide(message -> Fate.LOST);
        ring.put(TextEntry.range(0, 1));
        run();
        broker.answerAll();
        StepWait pause = run();
        assertThat(pause.isOver(clock)).isFalse();

        steps.stop();

        assertThat(pause.isOver(clock)).isTrue();
        run();
        assertThat(state()).isEqualTo(SenderState.STOPPED);
        assertThat(steps.progress().isDoubtful())
                .as("what failed may arrive, so the next owner waits")
                .isTrue();
        assertThat(broker.restarts()).isZero();
        assertThat(ring.stats().got().entries()).isZero();
    }

    /** Else the next start would read again what became no entry. */
    @Test
    void aSenderThatStopsSavesWhereTheStreamIs() {
        Cursor reached = new Cursor("db", 3306, new BinlogPosition("binlog.000001", 4711), "", 1, 0);
        run();
        ring.checkpoint(() -> reached);

        steps.stop();
        run();

        assertThat(state()).isEqualTo(SenderState.STOPPED);
        assertThat(cursors.load(Subscription.QUEUE_CLIENT)).isEqualTo(reached);
    }

    @Test
    void anIdleSenderLooksAgainAfterTheGetTimeout() {
        assertThat(run().nanosLeft(clock)).isEqualTo(GET_TIMEOUT.toNanos());
    }

    /** Or it would take one step after the other in vain. */
    @Test
    void neitherAStopNorAnEntryEndsTheWaitForAnswers() throws InterruptedException {
        broker.decide(message -> Fate.LOST);
        ring.put(TextEntry.range(0, 4));
        run();
        broker.answerOne();
        StepWait settling = run();
        assertThat(state()).isEqualTo(SenderState.SETTLING);

        steps.stop();
        ring.put(TextEntry.range(4, 6));

        assertThat(settling.isOver(clock)).isFalse();
        broker.answerAll();
        assertThat(settling.isOver(clock)).isTrue();
    }

    @Test
    void aSilentBrokerIsReportedAndAbandonedAtTheLimit() throws InterruptedException {
        ring.put(TextEntry.range(0, 4));
        StepWait wait = run();
        assertThat(broker.unansweredCount()).isEqualTo(4);
        Duration silent = Duration.ZERO;
        while (broker.abandonments() == 0) {
            Duration step = Duration.ofNanos(wait.nanosLeft(clock));
            silent = silent.plus(step);
            clock.pass(step);
            wait = run();
            if (broker.abandonments() == 0 && silent.compareTo(Duration.ofSeconds(2)) > 0) {
                assertThat(steps.progress().status().silence()).isBetween(silent.minus(Duration.ofSeconds(1)), silent);
            }
        }

        assertThat(silent).isBetween(ANSWER_LIMIT, ANSWER_LIMIT.plusSeconds(2));
        assertThat(state()).isEqualTo(SenderState.BACKING_OFF);
        clock.pass(Duration.ofNanos(wait.nanosLeft(clock)));
        run();
        assertThat(broker.unansweredCount()).isEqualTo(4);
        broker.answerAll();
        clock.pass(Duration.ofSeconds(1));
        run();
        assertThat(ring.stats().acked().entries()).isEqualTo(4);
        assertThat(steps.progress().status().silence()).isZero();
    }

    /** The thread of its candidate waits for the end of the sender meanwhile. */
    @Test
    void aSenderThatStopsAbandonsWhatIsUnansweredWhenTheDestinationIsNotOwnedAnyMore() throws InterruptedException {
        ring.put(TextEntry.range(0, 4));
        run();
        steps.stop();
        run();
        assertThat(state()).isEqualTo(SenderState.STOPPING);
        assertThat(broker.unansweredCount()).isEqualTo(4);

        loseOwnershipAndPassHalfASecond();

        assertThat(state()).isEqualTo(SenderState.STOPPED);
        assertThat(broker.unansweredCount()).isZero();
        assertThat(steps.progress().isDoubtful()).isTrue();
    }

    @Test
    void aSenderThatSettlesAbandonsWhatIsUnansweredWhenTheDestinationIsNotOwnedAnyMore() throws InterruptedException {
        broker.decide(message -> Fate.LOST);
        ring.put(TextEntry.range(0, 4));
        run();
        broker.answerOne();
        run();
        assertThat(state()).isEqualTo(SenderState.SETTLING);
        steps.stop();

        loseOwnershipAndPassHalfASecond();

        assertThat(state()).isEqualTo(SenderState.STOPPED);
        assertThat(broker.unansweredCount()).isZero();
    }

    @Test
    void aSenderAbandonsWhatIsUnansweredWhenTheDestinationIsNotOwnedAnyMore() throws InterruptedException {
        ring.put(TextEntry.range(0, 4));
        run();

        loseOwnershipAndPassHalfASecond();

        assertThat(broker.abandonments()).isEqualTo(1);
        assertThat(state()).isEqualTo(SenderState.BACKING_OFF);
    }

    private void loseOwnershipAndPassHalfASecond() throws InterruptedException {
        broker.loseOwnership();
        clock.pass(Duration.ofMillis(500));
        run();
    }

    /** Or batches would be sent one by one as soon as there is room for one. */
    @Test
    void entriesAreGatheredUntilThereIsRoomForAsManyAsAreSentTogether() throws InterruptedException {
        steps = stepsFor(BatchLimit.bytes(1)); // each entry is a batch
        long size = TextEntry.range(0, 1).get(0).sizeBytes();
        broker.prepareTogether(Math.toIntExact(3 * size));
        ring.put(TextEntry.range(0, 12));
        run();
        assertThat(broker.unansweredCount()).as("no room for four more").isEqualTo(6);

        broker.answerOne();
        run();
        assertThat(broker.unansweredCount()).isEqualTo(5);

        broker.answerOne();
        run();
        assertThat(broker.unansweredCount()).isEqualTo(7);
    }

    /** Or the next entries would be converted only when all of these are confirmed. */
    @Test
    void noMoreThanHalfOfWhatMayBeInFlightIsPreparedTogether() throws InterruptedException {
        steps = stepsFor(BatchLimit.bytes(1)); // each entry is a batch
        broker.prepareTogether(1_000_000);
        ring.put(TextEntry.range(0, 12));

        while (broker.unansweredCount() == 0) {
            steps.step();
        }

        assertThat(broker.unansweredCount()).isEqualTo(MAX_IN_FLIGHT / 2);
    }

    /** Or they would wait for entries that are not sent with them. */
    @Test
    void asManyEntriesAreGatheredAsAreSentTogether() throws InterruptedException {
        steps = stepsFor(BatchLimit.bytes(1)); // each entry is a batch
        broker.prepareTogether(1_000_000);
        ring.put(TextEntry.range(0, MAX_IN_FLIGHT / 2));
        run();
        assertThat(broker.unansweredCount()).isEqualTo(MAX_IN_FLIGHT / 2);

        ring.put(TextEntry.range(MAX_IN_FLIGHT / 2, MAX_IN_FLIGHT));
        run();

        assertThat(broker.unansweredCount()).isEqualTo(MAX_IN_FLIGHT);
    }

    @Test
    void entriesAreGatheredThoughABatchMayBeLargerThanWhatIsSentTogether() throws InterruptedException {
        long size = TextEntry.range(0, 1).get(0).sizeBytes();
        steps = stepsFor(BatchLimit.bytes(6 * size));
        broker.prepareTogether(Math.toIntExact(3 * size));
        ring.put(TextEntry.range(0, 1));
        run();
        ring.put(TextEntry.range(1, 2));
        run();
        assertThat(broker.unansweredCount()).isEqualTo(1);

        ring.put(TextEntry.range(2, 4));
        run();
        assertThat(broker.unansweredCount()).isEqualTo(4);
    }

    /** What is in flight may wait for a partition without a leader, and the entries may be for other partitions. */
    @Test
    void entriesAreNotGatheredWithoutEndWhileTheBrokerDoesNotAnswer() throws InterruptedException {
        broker.prepareTogether(1_000_000);
        ring.put(TextEntry.range(0, 1));
        run();
        ring.put(TextEntry.range(1, 2));
        StepWait gathering = run();
        assertThat(broker.unansweredCount()).isEqualTo(1);
        assertThat(gathering.nanosLeft(clock)).isEqualTo(Duration.ofMillis(100).toNanos());

        clock.pass(Duration.ofMillis(100));
        run();

        assertThat(broker.unansweredCount()).isEqualTo(2);
        ring.put(TextEntry.range(2, 3));
        run();
        assertThat(broker.unansweredCount()).isEqualTo(2);
        broker.answerAll();
        run();
        assertThat(broker.unansweredCount()).isEqualTo(1);
    }

    /** Under load each message waits for those before it, be the broker far or near. */
    @Test
    void underLoadASingleBatchIsSentNowAndThenAndMoreAreIfItsAnswersTakeLong() throws InterruptedException {
        steps = stepsFor(BatchLimit.bytes(1), OptionalInt.empty()); // each entry is a batch
        ring.put(TextEntry.range(0, 1000));
        for (int i = 0; i < BatchWindow.SLOW_ANSWERS; i++) {
            run();
            assertThat(broker.unansweredCount()).isEqualTo(BatchWindow.NEAR);
            assertThat(steps.progress().status().maxBatchesInFlight()).isEqualTo(BatchWindow.NEAR);
            measure(20);
        }

        run();

        assertThat(broker.unansweredCount()).isEqualTo(BatchWindow.FAR);
        assertThat(steps.progress().status().maxBatchesInFlight()).isEqualTo(BatchWindow.FAR);
        clock.pass(BatchWindow.PERIOD);
        measure(2);
        run();
        assertThat(broker.unansweredCount()).as("it is near again").isEqualTo(BatchWindow.NEAR);
    }

    @Test
    void batchesThatAreMeasuredAreNotPreparedTogether() throws InterruptedException {
        steps = stepsFor(BatchLimit.bytes(1), OptionalInt.empty()); // each entry is a batch
        broker.prepareTogether(1_000_000);
        ring.put(TextEntry.range(0, 1000));

        run();
        measure(20);

        run();
        assertThat(broker.unansweredCount()).isEqualTo(BatchWindow.NEAR);
    }

    /** As while the leader of a partition is elected. */
    @Test
    void anAnswerThatDoesNotComeHoldsUpNothingBeforeTheLimit() throws InterruptedException {
        steps = stepsFor(BatchLimit.bytes(1), OptionalInt.empty()); // each entry is a batch
        ring.put(TextEntry.range(0, 100));
        run();
        assertThat(broker.unansweredCount()).isEqualTo(100);
        clock.pass(Duration.ofSeconds(12));
        ring.put(TextEntry.range(100, 1000));

        run();

        assertThat(broker.unansweredCount()).isEqualTo(BatchWindow.NEAR);
    }

    @Test
    void aFailureEndsAMeasurementAndAllIsSentAgain() throws InterruptedException {
        steps = stepsFor(BatchLimit.bytes(1), OptionalInt.empty()); // each entry is a batch
        ring.put(TextEntry.range(0, 1000));
        broker.decide(message -> PartitionedBroker.numbers(message).contains(50) ? Fate.LOST : Fate.DELIVERED);
        run();
        answerAfter(1_000, 1);
        run();
        assertThat(broker.unansweredCount()).as("nothing is taken").isEqualTo(BatchWindow.NEAR - 1);

        broker.decide(message -> Fate.DELIVERED);
        broker.answerAll();
        clock.pass(Duration.ofNanos(run().nanosLeft(clock)));
        run();

        assertThat(broker.unansweredCount()).isEqualTo(BatchWindow.NEAR);
        assertThat(ring.stats().acked().entries()).isEqualTo(50);
    }

    /** Has one answer come after others, and all others, and then that of a single batch after so long. */
    private void measure(long millis) {
        answerAfter(1_000, 1);
        StepWait measuring = run();
        int left = broker.unansweredCount();
        assertThat(measuring.isOver(clock)).isFalse();
        answerAfter(1, left - 1);
        measuring = run();
        assertThat(broker.unansweredCount()).isEqualTo(1);
        assertThat(measuring.isOver(clock)).isFalse();
        broker.answerOne();
        measuring = run();
        assertThat(broker.unansweredCount()).as("one batch").isEqualTo(1);
        assertThat(measuring.isOver(clock)).isFalse();
        answerAfter(millis, 1);
        assertThat(measuring.isOver(clock)).isTrue();
    }

    private void answerAfter(long millis, int answers) {
        clock.pass(Duration.ofMillis(millis));
        for (int i = 0; i < answers; i++) {
            broker.answerOne();
        }
    }

    private SenderState state() {
        return steps.progress().state();
    }

    /** Runs all steps that are due, and returns what the next one waits for. */
    private StepWait run() {
        StepWait wait = StepWait.NONE;
        for (int i = 0; i < 1_000 && !steps.hasEnded(); i++) {
            wait = steps.step();
            if (!wait.isOver(clock)) {
                return wait;
            }
        }
        assertThat(steps.hasEnded()).as("it steps without end").isTrue();
        return wait;
    }
}
