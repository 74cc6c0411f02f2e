package io.sluice.server.pull;

import static io.sluice.server.pull.TestEntry.begin;
import static io.sluice.server.pull.TestEntry.end;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.format.entry.Entry;
import io.sluice.server.HandWorkers;
import io.sluice.store.ring.BatchLimit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class WaitingAnswersTest extends PulledStore {
    /** A timer on which no time passes by itself. */
    private static final class HandTimer extends ScheduledThreadPoolExecutor {
        private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

        HandTimer() {
            super(1);
        }

        @Override
        public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
            tasks.add(task);
            return super.schedule(() -> {}, 0, unit);
        }

        /** Has all times come. */
        void pass() {
            for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                task.run();
            }
        }
    }

    @Test
    void getsThatWaitAreAnsweredWhenAWorkerCanBeStartedAgain() throws InterruptedException {
        clients.subscribe(ONE, "");
        Answer forever = get(ONE, 2, BatchWait.FOR_EVER);
        await().until(() -> !workersAreBusy());
        isShortOfThreads.set(true);
        put(begin(4), end(50));
        await().until(forever::isDone);
        assertThat(forever.batch.entries()).hasSize(2);
        assertThat(isShortOfThreads).isFalse();

        Answer limited = get(ONE, 2, BatchWait.forFull(Duration.ofMillis(50)));
        await().until(() -> !workersAreBusy());
        isShortOfThreads.set(true);
        await().until(limited::isDone);
        assertThat(limited.batch.id()).isEqualTo(-1);
    }

    /** It waits for a batch that is larger than the store; what waits for room puts nothing before the next ack. */
    @Test
    void aGetThatWaitsForAFullBatchIsAnsweredWhenAPutWaitsForRoom() throws Exception {
        clients.subscribe(ONE, "");
        put(TestEntry.rowsOfSize(4, 3000));
        Answer first = get(ONE, 100, BatchWait.FOR_EVER);
        await().until(() -> !workersAreBusy());
        assertThat(first.isDone()).isFalse();
        FutureTask<Void> put = new FutureTask<>(() -> {
            put(TestEntry.rowsOfSize(50, 3000));
            return null;
        });
        new Thread(put).start();

        await().until(first::isDone);
        assertThat(first.offsets()).containsExactly(4);
        clients.ack(ONE, 1);
        put.get(30, TimeUnit.SECONDS);
    }

    /** As the reader does. */
    @Test
    void aGetThatWaitsForAFullBatchIsAnsweredWhenAnOfferDoesNotFit() throws InterruptedException {
        clients.subscribe(ONE, "");
        put(TestEntry.rowsOfSize(4, 3000));
        Answer first = get(ONE, 100, BatchWait.FOR_EVER);
        await().until(() -> !workersAreBusy());
        assertThat(first.isDone()).isFalse();
        AtomicBoolean hasRoom = new AtomicBoolean();
        List<Entry> next = List.of(TestEntry.rowsOfSize(50, 3000));

        assertThat(store.offer(next, 0, () -> hasRoom.set(true))).isZero();

        await().until(first::isDone);
        assertThat(first.offsets()).containsExactly(4);
        clients.ack(ONE, 1);
        assertThat(hasRoom).isTrue();
    }

    private boolean workersAreBusy() {
        ThreadPoolExecutor pool = (ThreadPoolExecutor) workers;
        return pool.getCompletedTaskCount() < pool.getTaskCount();
    }

    @Test
    void aWaitingGetIsAnsweredWhenItsBatchIsFull() throws InterruptedException {
        clients.subscribe(ONE, "");
        Answer answer = get(ONE, 2, BatchWait.FOR_EVER);
        put(begin(4));
        assertThat(answer.isDone()).isFalse();

        put(end(50));

        await().until(answer::isDone);
        assertThat(answer.offsets()).containsExactly(4, 50);
    }

    /** What was taken for it is not handed out again. */
    @Test
    void aWaitingGetIsAnsweredAlthoughAnotherOneFails() throws InterruptedException {
        clients.subscribe(ONE, "");
        clients.subscribe(OTHER, "");
        Answer answer = get(ONE, 2, BatchWait.FOR_EVER);
        AtomicBoolean fails = new AtomicBoolean();
        Runnable unused =
                clients.get(new PullRequest(OTHER, BatchLimit.entries(2), BatchWait.FOR_EVER), new PullAnswer() {
                    @Override
                    public boolean isWanted() {
                        if (fails.get()) {
                            throw new IllegalStateException("a defect");
                        }
                        return true;
                    }

                    @Override
                    public void batch(PulledBatch batch) {}

                    @Override
                    public void failed(PullException why) {}
                });
        fails.set(true);

        put(begin(4), end(50));

        await().dontCatchUncaughtExceptions().until(answer::isDone);
        assertThat(answer.offsets()).containsExactly(4, 50);
    }

    @Test
    void aGetWhoseWaitEndsByADefectIsAnsweredByAFailure() {
        HandTimer hand = new HandTimer();
        Answer answer = new Answer();
        try (PullClients waiting =
                new PullClients("example", store, cursors, workers, hand, filters, numbers, 3, () -> true)) {
            waiting.subscribe(ONE, "");
            Runnable unused = waiting.get(
                    new PullRequest(ONE, BatchLimit.entries(2), BatchWait.forFull(Duration.ofMillis(50))), answer);
            answer.defect = new IllegalStateException("a defect");
            hand.pass();

            await().dontCatchUncaughtExceptions().until(answer::isDone);
        } finally {
            hand.shutdownNow();
        }

        assertThat(answer.failure).hasMessageContaining("client 1001").hasMessageContaining("a defect");
    }

    @Test
    void getsThatWaitAreAnsweredAlthoughTheAnswerToAnotherOneFails() {
        clients.subscribe(ONE, "");
        Runnable unused =
                clients.get(new PullRequest(ONE, BatchLimit.entries(2), BatchWait.FOR_EVER), new PullAnswer() {
                    @Override
                    public boolean isWanted() {
                        return true;
                    }

                    @Override
                    public void batch(PulledBatch batch) {
                        throw new IllegalStateException("a defect");
                    }

                    @Override
                    public void failed(PullException why) {
                        throw new IllegalStateException("a defect");
                    }
                });
        Answer answer = get(ONE, 2, BatchWait.FOR_EVER);

        assertThatThrownBy(() -> clients.rollback(ONE)).hasMessage("a defect");

        assertThat(answer.batch.isEmpty()).isTrue();
    }

    @Test
    void aWaitingGetIsAnsweredWithWhatIsThereWhenItsTimeIsOver() throws InterruptedException {
        clients.subscribe(ONE, "");
        put(begin(4));
        Answer answer = get(ONE, 2, BatchWait.forFull(Duration.ofMillis(50)));

        await().until(answer::isDone);
        assertThat(answer.offsets()).containsExactly(4);

        Answer nothing = get(ONE, 2, BatchWait.forFull(Duration.ofMillis(1)));
        await().until(nothing::isDone);
        assertThat(nothing.batch.id()).isEqualTo(-1);
    }

    @Test
    void aGetOfAClientThatHasDisconnectedTakesNothing() throws InterruptedException {
        clients.subscribe(ONE, "");
        Answer gone = new Answer();
        Runnable cancel = clients.get(new PullRequest(ONE, BatchLimit.entries(1), BatchWait.FOR_EVER), gone);
        Answer closing = get(ONE, 1, BatchWait.FOR_EVER);
        closing.wanted = false;
        cancel.run();
        cancel.run();

        put(begin(4));

        assertThat(get(ONE, 1).offsets()).containsExactly(4);
        assertThat(gone.isDone()).isFalse();
        assertThat(closing.isDone()).isFalse();
    }

    @Test
    void aRollbackEndsWaitsOfOtherClientsButNotThoseOfALostConnection() throws InterruptedException {
        clients.subscribe(ONE, "");
        clients.subscribe(OTHER, "");
        put(begin(4), end(50));
        get(ONE, 2);
        Answer lost = get(ONE, 2, BatchWait.FOR_EVER);
        Answer waiting = get(OTHER, 2, BatchWait.FOR_EVER);

        clients.rollback(ONE);

        await().until(waiting::isDone);
        assertThat(waiting.offsets()).containsExactly(4, 50);
        assertThat(lost.batch.isEmpty()).isTrue();
    }

    /** The stream may wait for just these bytes, so that no change of the store would have the get checked again. */
    @Test
    void aGetThatWaitsForUnsentBytesIsCheckedAgainWhenTheyAreSent() throws InterruptedException {
        HandWorkers hand = new HandWorkers();
        try (PullClients byHand = by(hand)) {
            byHand.subscribe(ONE, "");
            put(TestEntry.rowsOfSize(4, 64 * 64));
            PullRequest request = new PullRequest(ONE, BatchLimit.entries(1), BatchWait.FOR_EVER);
            List<Answer> unsent = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                Answer answer = new Answer();
                byHand.get(request, answer);
                unsent.add(answer);
                byHand.rollback(ONE);
            }
            assertThat(unsent).allMatch(Answer::isDone);
            Answer waiting = new Answer();
            byHand.get(request, waiting);
            hand.runAll();
            assertThat(waiting.isDone()).isFalse();

            byHand.sent(unsent.get(0).batch);
            hand.runAll();

            assertThat(waiting.isDone()).isTrue();
            assertThat(waiting.offsets()).containsExactly(4);
        }
    }

    /** The parser asks whether any get waits, which none does yet. */
    @Test
    void aGetIsAnsweredByWhatComesBeforeItWaitsAndAfterItWasChecked() {
        HandWorkers hand = new HandWorkers();
        try (PullClients byHand = by(hand)) {
            byHand.subscribe(ONE, "");
            cursors.afterSaveAll(() -> {
                assertThat(store.offer(List.of(begin(4)), 0, () -> {})).isOne();
            });
            Answer waiting = new Answer();

            byHand.get(new PullRequest(ONE, BatchLimit.entries(1), BatchWait.FOR_EVER), waiting);
            assertThat(waiting.isDone()).isFalse();
            hand.runAll();

            assertThat(waiting.isDone()).isTrue();
            assertThat(waiting.offsets()).containsExactly(4);
        }
    }

    /** Clients of the same store whose waiting gets are checked only when the test has them checked. */
    private PullClients by(HandWorkers hand) {
        return new PullClients("example", store, cursors, hand, timer, filters, numbers, 3, () -> this.ours);
    }

    @Test
    void aGetWhoseTimeIsOverWhenTheDestinationIsNotOwnedAnyMoreGetsNothing() throws InterruptedException {
        HandTimer hand = new HandTimer();
        try (PullClients waiting =
                new PullClients("example", store, cursors, workers, hand, filters, numbers, 3, () -> this.ours)) {
            waiting.subscribe(ONE, "");
            put(begin(4));
            Answer answer = new Answer();
            Runnable unused = waiting.get(
                    new PullRequest(ONE, BatchLimit.entries(2), BatchWait.forFull(Duration.ofSeconds(2))), answer);
            ours = false;
            hand.pass();

            await().until(answer::isDone);
            assertThat(answer.batch.isEmpty()).isTrue();
        } finally {
            hand.shutdownNow();
        }
    }

    /** As after a lease that was confirmed too late; the store does not change any more, since it is full, or the source is idle. */
    @Test
    void aGetThatWaitsIsAnsweredWhenTheDestinationIsOwnedAgain() throws InterruptedException {
        clients.subscribe(ONE, "");
        Answer waiting = get(ONE, 2, BatchWait.FOR_EVER);
        ours = false;
        put(begin(4), end(50));
        await().until(() -> !workersAreBusy());
        assertThat(waiting.isDone()).isFalse();
        ours = true;

        clients.follow();

        await().until(waiting::isDone);
        assertThat(waiting.offsets()).containsExactly(4, 50);
    }

    @Test
    void closingEndsEveryWait() {
        clients.subscribe(ONE, "");
        Answer answer = get(ONE, 2, BatchWait.FOR_EVER);

        clients.close();

        assertThat(answer.failure).hasMessage("destination:example should start first");
        assertThatThrownBy(() -> get(ONE, 1)).hasMessage("destination:example should start first");
    }
}
