package io.sluice.server.pull;

import static io.sluice.server.pull.TestEntry.begin;
import static io.sluice.server.pull.TestEntry.end;
import static io.sluice.server.pull.TestEntry.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.sluice.format.entry.Entry;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.time.Time;
import io.sluice.schema.filter.TableFilter;
import io.sluice.server.pace.Pace;
import io.sluice.server.pace.PauseTarget;
import io.sluice.store.cursor.Subscription;
import io.sluice.store.ring.BatchLimit;
import io.sluice.store.ring.EntryRing;
import io.sluice.store.ring.RingConfig;
import io.sluice.testkit.log.LogLines;
import io.sluice.testkit.time.Waiting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PullClientsTest {
    private static final int ONE = 1001;
    private static final int OTHER = 1002;
    private static final int THIRD = 1003;
    private static final Cursor BACK = at(7, 50);

    private final ExecutorService workers = Executors.newFixedThreadPool(2);
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final EntryRing store = new EntryRing(new RingConfig(64, 64, false));
    private final FailingCursors cursors = new FailingCursors();
    private final TableFilter tables = new TableFilter("configured\\..*", "");
    private volatile boolean ours = true;
    private final AtomicBoolean isShortOfThreads = new AtomicBoolean();
    private final ClientFilters filters = new ClientFilters("example", tables, cursors);
    private final BatchNumbers numbers = new BatchNumbers();
    /** The thread in which the stream goes back. */
    private volatile Thread back;

    private final PullClients clients =
            new PullClients("example", store, cursors, this::execute, timer, filters, numbers, 3, () -> this.ours);

    @AfterEach
    void stop() {
        clients.close();
        workers.shutdownNow();
        timer.shutdownNow();
    }

    private void execute(Runnable task) {
        if (isShortOfThreads.compareAndSet(true, false)) {
            throw new OutOfMemoryError("unable to create native thread");
        }
        workers.execute(task);
    }

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

    /** The outcome of a get. */
    private static final class Answer implements PullAnswer {
        volatile PulledBatch batch;
        volatile PullException failure;
        volatile boolean wanted = true;
        volatile RuntimeException defect;

        @Override
        public boolean isWanted() {
            if (defect != null) {
                throw defect;
            }
            return wanted;
        }

        @Override
        public void batch(PulledBatch answered) {
            batch = answered;
        }

        @Override
        public void failed(PullException why) {
            failure = why;
        }

        boolean isDone() {
            return batch != null || failure != null;
        }

        long[] offsets() {
            return batch.entries().stream()
                    .mapToLong(entry -> entry.changeId().offset())
                    .toArray();
        }
    }

    private Answer get(int client, int entries, BatchWait wait) {
        Answer answer = new Answer();
        clients.get(new PullRequest(client, BatchLimit.entries(entries), wait), answer);
        return answer;
    }

    private Answer get(int client, int entries) {
        Answer answer = get(client, entries, BatchWait.NONE);
        assertThat(answer.isDone()).isTrue();
        return answer;
    }

    private void put(Entry... entries) throws InterruptedException {
        store.put(List.of(entries));
    }

    @Test
    void aGetWithoutASubscriptionIsRejected() {
        assertThatThrownBy(() -> get(ONE, 1))
                .isInstanceOf(PullException.class)
                .hasMessageContaining("should subscribe first");
        assertThatThrownBy(() -> clients.ack(ONE, 1)).hasMessageContaining("should subscribe first");
        clients.rollback(ONE); // which the Java client does before it subscribes
        clients.rollback(ONE, 7); // an error would be taken for the answer to the next request
    }

    @Test
    void batchesAreNumberedFromOneAndNothingIsMinusOne() throws InterruptedException {
        clients.subscribe(ONE, "");
        assertThat(get(ONE, 9).batch.id()).isEqualTo(-1);
        put(begin(4), rows(50), end(90));

        assertThat(get(ONE, 2).batch.id()).isEqualTo(1);
        assertThat(get(ONE, 2).batch.id()).isEqualTo(2);
        assertThat(get(ONE, 2).batch.id()).isEqualTo(-1);
    }

    /** A connection outlives a reload of the instance, and may ack then what it got before. */
    @Test
    void theNumbersContinueWithTheNextInstance() throws InterruptedException {
        clients.subscribe(ONE, "");
        clients.subscribe(OTHER, "");
        put(begin(4), end(50));
        assertThat(get(ONE, 2).batch.id()).isEqualTo(1);
        clients.close();
        EntryRing nextStore = new EntryRing(new RingConfig(64, 64, false));
        nextStore.put(List.of(begin(4), end(50), begin(90), end(130)));
        try (PullClients next =
                new PullClients("example", nextStore, cursors, workers, timer, filters, numbers, 3, () -> true)) {
            Answer again = new Answer();
            next.get(new PullRequest(ONE, BatchLimit.entries(2), BatchWait.NONE), again);

            assertThat(again.batch.id()).isEqualTo(2);
            assertThatThrownBy(() -> next.ack(ONE, 1)).hasMessageContaining("batchId:1 is not exist");
            assertThat(nextStore.stats().acked().entries()).isZero();
            next.ack(ONE, 2);

            Answer ofTheOther = new Answer();
            next.get(new PullRequest(OTHER, BatchLimit.entries(2), BatchWait.NONE), ofTheOther);
            assertThat(ofTheOther.batch.id()).isEqualTo(1);
        }
    }

    @Test
    void onlyTheOldestOpenBatchCanBeAcked() throws InterruptedException {
        clients.subscribe(ONE, "");
        put(begin(4), rows(50), end(90), begin(200));
        get(ONE, 2);
        get(ONE, 1);

        assertThatThrownBy(() -> clients.ack(ONE, 2)).hasMessage("batchId:2 is not the firstly:1");
        assertThatThrownBy(() -> clients.ack(ONE, 7))
                .hasMessage("ack error , clientId:1001 batchId:7 is not exist , please check");
        clients.ack(ONE, 1);
        clients.ack(ONE, 2);

        assertThat(store.stats().acked().entries()).isEqualTo(3);
        assertThat(cursors.load(ONE).position().offset()).isEqualTo(90);
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

        Answer limited = get(ONE, 2, BatchWait.forAny(Duration.ofMillis(50)));
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
    void nothingIsHandedOutToGetsOfAClientThatHasUnsubscribed() throws InterruptedException {
        clients.subscribe(ONE, "");
        clients.subscribe(OTHER, "");
        Answer waiting = get(ONE, 2, BatchWait.FOR_EVER);

        clients.unsubscribe(ONE);
        put(begin(4), end(50));

        assertThat(waiting.batch.isEmpty()).isTrue();
        assertThat(get(OTHER, 2).offsets()).containsExactly(4, 50);
    }

    @Test
    void aRollbackHandsOutTheSameEntriesUnderNewNumbers() throws InterruptedException {
        clients.subscribe(ONE, "");
        put(begin(4), rows(50), end(90));
        get(ONE, 2);
        clients.ack(ONE, 1);
        get(ONE, 1);
        clients.rollback(ONE);

        Answer again = get(ONE, 9);
        assertThat(again.batch.id()).isEqualTo(3);
        assertThat(again.offsets()).containsExactly(90);
        assertThatThrownBy(() -> clients.ack(ONE, 2)).hasMessageContaining("is not exist");
    }

    /** With a pause at a target all before it is to be delivered, be it by a second attempt. */
    @Test
    void aRollbackHandsOutTheSameEntriesWhilePaused() throws InterruptedException {
        clients.subscribe(ONE, "");
        Pace pace = new Pace("example", timer, Time.SYSTEM, entries -> {});
        pace.attach(store, null, null);
        pace.pauseAt(new PauseTarget.Position(end(50).cursor().position()));
        put(begin(4), end(50), begin(90), end(130));
        assertThat(get(ONE, 9).offsets()).containsExactly(4, 50);
        assertThat(pace.status().paused()).isTrue();

        clients.rollback(ONE);

        assertThat(get(ONE, 9).offsets()).containsExactly(4, 50);
        assertThat(get(ONE, 9).batch.isEmpty()).isTrue();
    }

    @Test
    void aRollbackOfOneBatchVoidsTheLaterOnesToo() throws InterruptedException {
        clients.subscribe(ONE, "");
        put(begin(4), rows(50), end(90));
        get(ONE, 1);
        get(ONE, 1);

        assertThatThrownBy(() -> clients.rollback(ONE, 2)).hasMessage("batchId:2 is not the firstly:1");
        assertThatThrownBy(() -> clients.rollback(ONE, 5))
                .hasMessage("rollback error, clientId:1001 batchId:5 is not exist , please check");
        clients.rollback(ONE, 1);

        assertThatThrownBy(() -> clients.ack(ONE, 2)).hasMessageContaining("is not exist");
        assertThat(get(ONE, 9).offsets()).containsExactly(4, 50, 90);
    }

    @Test
    void anAckOfOneClientDoesNotPassOverWhatAnotherHolds() throws InterruptedException {
        clients.subscribe(ONE, "");
        clients.subscribe(OTHER, "");
        put(begin(4), end(50), begin(90), end(130));
        get(ONE, 2);
        assertThat(get(OTHER, 2).batch.id()).isEqualTo(1);

        clients.ack(OTHER, 1);
        assertThat(store.stats().acked().entries()).isZero();
        assertThat(cursors.load(OTHER))
                .as("it would pass the batch that the other client holds")
                .isNull();
        clients.ack(ONE, 1);

        assertThat(store.stats().acked().entries()).isEqualTo(4);
        assertThat(cursors.load(ONE).position().offset()).isEqualTo(130);
        assertThat(cursors.load(OTHER).position().offset()).isEqualTo(130);
    }

    @Test
    void aClientThatHoldsNothingDoesNotGetTheBatchesOfAnother() throws InterruptedException {
        clients.subscribe(ONE, "");
        clients.subscribe(OTHER, "");
        put(begin(4), end(50));
        get(ONE, 2);

        clients.rollback(OTHER);
        clients.unsubscribe(OTHER);

        clients.ack(ONE, 1);
        assertThat(store.stats().acked().entries()).isEqualTo(2);
    }

    @Test
    void whatAClientHeldIsHandedOutAgainWhenItUnsubscribes() throws InterruptedException {
        clients.subscribe(ONE, "");
        clients.subscribe(OTHER, "");
        put(begin(4), end(50));
        get(ONE, 2);

        clients.unsubscribe(ONE);

        assertThat(get(OTHER, 9).offsets()).containsExactly(4, 50);
        assertThat(cursors.subscriptions()).hasSize(1);
    }

    @Test
    void aNewClientBeginsBeforeEverythingThatIsNotAcked() throws InterruptedException {
        clients.subscribe(ONE, "");
        assertThat(cursors.load(ONE)).as("the stream has not begun").isNull();
        store.begin(end(4).cursor());
        put(begin(30), end(50), begin(70), end(90));
        clients.subscribe(OTHER, "");
        assertThat(cursors.load(OTHER).position().offset()).isEqualTo(4);

        get(OTHER, 3);
        clients.ack(OTHER, 1);
        clients.subscribe(THIRD, "");
        assertThat(cursors.load(THIRD).position().offset()).isEqualTo(50);
    }

    @Test
    void aClientIsRejectedIfItsCursorCannotBeStored() {
        store.begin(end(4).cursor());
        cursors.failWrites(true);

        assertThatThrownBy(() -> clients.subscribe(ONE, ""))
                .isInstanceOf(PullException.class)
                .hasMessageContaining("cannot be stored");
        assertThatThrownBy(() -> clients.subscribe(ONE, ""))
                .as("the same once more")
                .hasMessageContaining("cannot be stored");

        cursors.failWrites(false);
        clients.subscribe(ONE, "");
        assertThat(cursors.written())
                .extracting(Subscription::cursor)
                .extracting(cursor -> cursor.position().offset())
                .containsExactly(4L);
    }

    /** Else the filter of a client that has been refused would be in force for the others. */
    @Test
    void aNewClientWhoseCursorCannotBeStoredIsNotSubscribedAndItsFilterIsNotInForce() {
        store.begin(end(4).cursor());
        clients.subscribe(ONE, "till\\..*");
        cursors.failWrites(true);

        assertThatThrownBy(() -> clients.subscribe(OTHER, "shop\\..*")).hasMessageContaining("cannot be stored");

        assertThat(tables.includedTables()).isEqualTo("till\\..*");
        assertThat(cursors.subscriptions()).extracting(Subscription::clientId).containsExactly(ONE);
        assertThatThrownBy(() -> clients.subscribe(OTHER, "")).hasMessageContaining("cannot be stored");
        clients.subscribe(ONE, "");
    }

    /** No client could give it back, and nothing would be acked any more. */
    @Test
    void whatANewClientHasGotThatCannotBeStoredIsHandedOutToOthers() throws Exception {
        store.begin(end(4).cursor());
        clients.subscribe(ONE, "");
        put(begin(30), end(50));
        cursors.failWrites(true);
        cursors.beforeWrite(() -> assertThat(get(OTHER, 9).offsets()).containsExactly(30, 50));

        assertThatThrownBy(() -> clients.subscribe(OTHER, "")).hasMessageContaining("cannot be stored");

        assertThat(get(ONE, 9).offsets()).containsExactly(30, 50);
    }

    /** The filter of the one that has left is in force until another client is subscribed. */
    @Test
    void aNewClientThatCannotBeStoredLeavesTheOneThatHasLeftKept() {
        store.begin(end(4).cursor());
        clients.subscribe(ONE, "till\\..*");
        clients.unsubscribe(ONE);
        cursors.failWrites(true);

        assertThatThrownBy(() -> clients.subscribe(OTHER, "shop\\..*")).hasMessageContaining("cannot be stored");

        assertThat(tables.includedTables()).isEqualTo("till\\..*");
        assertThat(cursors.subscriptions()).isEmpty();
        assertThat(cursors.kept()).isEqualTo(cursors.written());
        assertThatThrownBy(() -> clients.subscribe(ONE, "")).hasMessageContaining("cannot be stored");
        assertThat(cursors.kept()).isEqualTo(cursors.written());
        cursors.failWrites(false);
        clients.subscribe(ONE, "");
        assertThat(tables.includedTables()).isEqualTo("till\\..*");
    }

    @Test
    void theFirstClientWhoseCursorCannotBeStoredPutsNoFilterIntoForce() {
        store.begin(end(4).cursor());
        cursors.failWrites(true);

        assertThatThrownBy(() -> clients.subscribe(OTHER, "shop\\..*")).hasMessageContaining("cannot be stored");

        assertThat(tables.includedTables()).isEqualTo("configured\\..*");
        assertThat(cursors.kept()).isEmpty();
    }

    /** Else a start after a crash would read under the former one until the client has come, and drop rows of the other tables. */
    @Test
    void aChangedFilterIsStoredBeforeItIsInForceAndAnswered() {
        store.begin(end(4).cursor());
        clients.subscribe(ONE, "shop\\..*");
        cursors.beforeWrite(() -> assertThat(tables.includedTables()).isEqualTo("shop\\..*"));

        clients.subscribe(ONE, "shop\\..*,till\\..*");

        assertThat(cursors.written()).extracting(Subscription::filter).containsExactly("shop\\..*,till\\..*");
        assertThat(tables.includedTables()).isEqualTo("shop\\..*,till\\..*");
        cursors.failWrites(true);
        assertThatThrownBy(() -> clients.subscribe(ONE, "till\\..*"))
                .isInstanceOf(PullException.class)
                .hasMessageContaining("cannot be stored");
        assertThat(tables.includedTables()).isEqualTo("shop\\..*,till\\..*");
        assertThat(cursors.kept()).isEqualTo(cursors.written());
        clients.subscribe(ONE, "shop\\..*,till\\..*"); // as it is stored
        clients.subscribe(ONE, "");
    }

    /** canal keeps no order of filters, so they get one at the first change. */
    @Test
    void aChangedFilterThatCannotBeStoredLeavesThatOfAnotherClientInForceAfterAMigration() {
        cursors.replaceAll(
                List.of(new Subscription(ONE, "shop\\..*", at(1, 4)), new Subscription(OTHER, "till\\..*", at(1, 4))));
        filters.restore();
        assertThat(tables.includedTables()).isEqualTo("till\\..*");
        cursors.failWrites(true);

        assertThatThrownBy(() -> clients.subscribe(ONE, "shop\\..*")).hasMessageContaining("cannot be stored");

        assertThat(tables.includedTables()).isEqualTo("till\\..*");
        filters.restore();
        assertThat(tables.includedTables()).isEqualTo("till\\..*");
        cursors.failWrites(false);
        clients.subscribe(OTHER, "");
        clients.subscribe(ONE, "shop\\..*");
        assertThat(tables.includedTables()).isEqualTo("shop\\..*");
    }

    /** Else a client would be back after a crash, and its filter in force. */
    @Test
    void thatAClientHasUnsubscribedIsStoredBeforeItIsAnswered() {
        store.begin(end(4).cursor());
        clients.subscribe(ONE, "shop\\..*");
        clients.subscribe(OTHER, "till\\..*");
        cursors.failWrites(true);

        assertThatThrownBy(() -> clients.unsubscribe(OTHER)).hasMessageContaining("cannot be stored");

        assertThat(cursors.kept()).isEqualTo(cursors.written()).hasSize(2);
        assertThat(tables.includedTables()).isEqualTo("till\\..*");
        cursors.failWrites(false);
        clients.unsubscribe(OTHER);
        assertThat(cursors.written()).extracting(Subscription::clientId).containsExactly(ONE);
        assertThat(tables.includedTables()).isEqualTo("shop\\..*");
    }

    @Test
    void nothingWaitsWhileASubscriptionIsStored() throws InterruptedException {
        clients.subscribe(ONE, "");
        put(begin(4), end(50));
        AtomicReference<Answer> answer = new AtomicReference<>();
        Thread pulling = new Thread(() -> answer.set(get(ONE, 2, BatchWait.NONE)));
        cursors.beforeWrite(() -> {
            pulling.start();
            await().until(() -> !pulling.isAlive());
        });

        clients.subscribe(OTHER, "shop\\..*");

        assertThat(answer.get().offsets()).containsExactly(4, 50);
    }

    /** As one that has connected again, since the first answer was late. */
    @Test
    void aRequestThatRepeatsAChangeWhichIsBeingStoredIsRefusedWithIt() {
        store.begin(end(4).cursor());
        clients.subscribe(ONE, "shop\\..*");
        cursors.failWrites(true);
        AtomicReference<Throwable> repeated = new AtomicReference<>();
        cursors.beforeWrite(() -> repeated.set(catchThrowable(() -> clients.subscribe(ONE, "till\\..*"))));

        assertThatThrownBy(() -> clients.subscribe(ONE, "till\\..*")).hasMessageContaining("cannot be stored");

        assertThat(repeated.get()).hasMessageContaining("cannot be stored");
        assertThat(cursors.kept()).isEqualTo(cursors.written());
        cursors.beforeWrite(() -> {
            repeated.set(catchThrowable(() -> clients.subscribe(ONE, "till\\..*")));
            cursors.failWrites(false);
        });
        assertThatThrownBy(() -> clients.subscribe(ONE, "till\\..*")).hasMessageContaining("another request");
        assertThat(tables.includedTables()).isEqualTo("shop\\..*");
    }

    /** Two connections of one client id. */
    @Test
    void aSecondChangeThatCannotBeStoredLeavesTheFirstWhichWasStored() throws InterruptedException {
        store.begin(end(4).cursor());
        clients.subscribe(ONE, "former\\..*");
        AtomicReference<Throwable> refused = new AtomicReference<>();
        CountDownLatch isChanged = new CountDownLatch(1);
        CountDownLatch isFirstAnswered = new CountDownLatch(1);
        Thread second = new Thread(() -> refused.set(catchThrowable(() -> clients.subscribe(ONE, "till\\..*"))));
        cursors.beforeWrite(() -> {
            cursors.beforeWrite(() -> {
                isChanged.countDown();
                waitFor(isFirstAnswered);
                cursors.failWrites(true);
            });
            second.start();
            waitFor(isChanged);
        });

        try {
            clients.subscribe(ONE, "shop\\..*");
        } finally {
            isFirstAnswered.countDown();
        }
        second.join();

        assertThat(refused.get()).hasMessageContaining("cannot be stored");
        assertThat(cursors.kept()).extracting(Subscription::filter).containsExactly("shop\\..*");
        assertThat(tables.includedTables()).isEqualTo("shop\\..*");
    }

    /** The same client has connected again, and what it stores includes the change of its first request. */
    @Test
    void aFilterThatAnotherRequestHasStoredIsInForceAlthoughTheOwnWriteHasFailed() {
        store.begin(end(4).cursor());
        clients.subscribe(ONE, "former\\..*");
        cursors.beforeWrite(() -> {
            clients.subscribe(ONE, "");
            cursors.failWrites(true);
        });

        assertThatThrownBy(() -> clients.subscribe(ONE, "shop\\..*")).hasMessageContaining("cannot be stored");

        assertThat(cursors.written()).extracting(Subscription::filter).containsExactly("shop\\..*");
        assertThat(tables.includedTables()).isEqualTo("shop\\..*");
    }

    private static void waitFor(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Its cursor was stored when the stream began, and is only older than it could be. */
    @Test
    void aClientThatCameBeforeTheStreamBeganReconnectsAlthoughCursorsCannotBeWritten() {
        clients.subscribe(ONE, "");
        store.begin(end(4).cursor());
        cursors.begin(() -> end(4).cursor());
        cursors.failWrites(true);

        clients.subscribe(ONE, "");

        assertThat(cursors.written())
                .extracting(Subscription::cursor)
                .extracting(cursor -> cursor.position().offset())
                .containsExactly(4L);
    }

    /** What follows the stream may give the new client a cursor before it is looked whether it has one. */
    @Test
    void theFirstCursorOfAClientIsStoredAlthoughTheCursorsFollowTheStreamMeanwhile() {
        store.begin(end(4).cursor());
        store.checkpoint(() -> end(700).cursor());
        Thread following = new Thread(clients::follow);
        cursors.beforeLoad(() -> {
            following.start();
            while (following.isAlive() && following.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
        });

        clients.subscribe(ONE, "");

        assertThat(cursors.written()).extracting(Subscription::clientId).containsExactly(ONE);
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
                    new PullRequest(ONE, BatchLimit.entries(2), BatchWait.forAny(Duration.ofMillis(50))), answer);
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

    @Test
    void noMoreThanTwoStoresAreHandedOutUnsent() throws InterruptedException {
        clients.subscribe(ONE, "");
        Entry large = TestEntry.rowsOfSize(4, 64 * 64);
        put(large);
        List<PulledBatch> unsent = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            unsent.add(get(ONE, 1).batch);
            clients.rollback(ONE);
        }
        assertThat(unsent).noneMatch(PulledBatch::isEmpty);
        assertThat(get(ONE, 1).batch.isEmpty()).isTrue();
        Answer answer = get(ONE, 1, BatchWait.FOR_EVER);

        clients.sent(unsent.get(0));

        await().until(answer::isDone);
        assertThat(answer.offsets()).containsExactly(4);
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

    /** Workers that run what they are given when the test says so, in its thread. */
    private static final class HandWorkers implements Executor {
        private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

        @Override
        public void execute(Runnable task) {
            tasks.add(task);
        }

        void runAll() {
            for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                task.run();
            }
        }
    }

    @Test
    void aFilterCountsForAllAndIsKept() {
        clients.subscribe(ONE, "shop\\..*");
        clients.subscribe(OTHER, "");

        assertThat(tables.passes("shop", "orders")).isTrue();
        clients.subscribe(ONE, "");
        assertThat(filtersOfSubscriptions())
                .as("the one in force is kept for a restart")
                .containsExactly("shop\\..*", "");
        assertThatThrownBy(() -> clients.subscribe(OTHER, "("))
                .isInstanceOf(PullException.class)
                .hasMessageContaining("this '(' is never closed");
        assertThatThrownBy(() -> clients.subscribe(OTHER, ".*".repeat(45) + "x"))
                .isInstanceOf(PullException.class)
                .hasMessageContaining("the filter is refused: ");
        assertThat(filtersOfSubscriptions()).containsExactly("shop\\..*", "");
        assertThat(tables.passes("shop", "people")).isTrue();
    }

    /** It would stop all rows for all clients, whose cursors would pass them; canal leaves the filter as it is. */
    @Test
    void aFilterOfBlanksIsNone() {
        clients.subscribe(ONE, "  ");
        assertThat(tables.includedTables()).isEqualTo("configured\\..*");
        clients.subscribe(ONE, "shop\\..*");

        clients.subscribe(OTHER, " \t");

        assertThat(tables.includedTables()).isEqualTo("shop\\..*");
        assertThat(filtersOfSubscriptions()).containsExactly("shop\\..*", "");
    }

    @Test
    void aFilterIsInForceNoMoreWhenItsClientUnsubscribes() {
        clients.subscribe(ONE, "till\\..*");
        clients.subscribe(OTHER, "shop\\..*");
        clients.subscribe(OTHER, "");

        clients.unsubscribe(OTHER);
        assertThat(tables.includedTables()).isEqualTo("till\\..*");

        store.begin(end(4).cursor());
        clients.subscribe(ONE, "");
        clients.unsubscribe(ONE);
        assertThat(tables.includedTables()).as("until another one subscribes").isEqualTo("till\\..*");
        clients.subscribe(OTHER, "");
        assertThat(tables.includedTables()).isEqualTo("configured\\..*");
    }

    private List<String> filtersOfSubscriptions() {
        return cursors.subscriptions().stream().map(Subscription::filter).toList();
    }

    @Test
    void subscriptionsAreLimited() {
        clients.subscribe(ONE, "");
        clients.subscribe(OTHER, "");
        clients.subscribe(1003, "");

        assertThatThrownBy(() -> clients.subscribe(1004, "shop\\..*"))
                .isInstanceOf(PullException.class)
                .hasMessageContaining("has 3 clients, and canal.tcp.max.subscriptions allows no more");
        assertThat(tables.passes("shop", "orders")).isFalse();
        clients.subscribe(1003, "shop\\..*");
        clients.unsubscribe(ONE);
        clients.subscribe(1004, "");
        assertThat(cursors.subscriptions()).hasSize(3);
    }

    @Test
    void nothingIsHandedOutOrAckedWhenTheDestinationIsNotOwnedAnyMore() throws InterruptedException {
        clients.subscribe(ONE, "");
        put(begin(4), end(50));
        get(ONE, 1);

        ours = false;

        assertThatThrownBy(() -> get(ONE, 1)).hasMessage("destination:example should start first");
        assertThatThrownBy(() -> clients.ack(ONE, 1)).hasMessage("destination:example should start first");
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
    void theCursorsAdvanceWithTheStreamWhileThereIsNothingToHandOut() throws InterruptedException {
        clients.subscribe(ONE, "");
        put(begin(4), end(50));
        get(ONE, 2);
        get(ONE, 2);
        assertThat(cursors.load(ONE)).isNull();
        clients.ack(ONE, 1);
        assertThat(cursors.load(ONE).position().offset()).isEqualTo(50);
        store.checkpoint(() -> end(700).cursor());

        get(ONE, 2);

        assertThat(cursors.load(ONE).position().offset()).isEqualTo(700);
    }

    /** Else they would be where the source has no binlog any more when the instance starts again. */
    @Test
    void theCursorsAdvanceWithTheStreamWhileNoClientAsks() {
        clients.start();
        store.begin(end(4).cursor());
        clients.subscribe(ONE, "");
        store.checkpoint(() -> end(700).cursor());

        await().until(() -> cursors.load(ONE).position().offset() == 700);

        clients.unsubscribe(ONE);
        store.checkpoint(() -> end(900).cursor());
        await().until(() -> cursors.kept().get(0).cursor().position().offset() == 900);
        assertThat(cursors.subscriptions()).isEmpty();
    }

    @Test
    void theyDoNotPassWhatNoClientHasAcked() throws InterruptedException {
        store.begin(end(4).cursor());
        clients.subscribe(ONE, "");
        put(begin(4), end(50));
        store.checkpoint(() -> end(700).cursor());
        get(ONE, 1);

        clients.follow();
        assertThat(cursors.load(ONE).position().offset()).isEqualTo(4);

        clients.ack(ONE, 1);
        clients.follow();
        assertThat(cursors.load(ONE).position().offset()).isEqualTo(4);
        get(ONE, 1);
        clients.ack(ONE, 2);
        assertThat(cursors.load(ONE).position().offset()).isEqualTo(700);
    }

    /** Else the next start would begin at the cursor of an idle client, which the source has purged, and be a reset, too. */
    @Test
    void afterAResetTheCursorsOfClientsThatAreIdleMoveWithTheOthers() throws InterruptedException {
        store.begin(end(4).cursor());
        clients.subscribe(ONE, "");
        clients.subscribe(OTHER, "");
        put(begin(4), end(50));
        get(ONE, 1);
        clients.streamWasReset();
        store.checkpoint(() -> end(700).cursor());
        put(begin(800), end(900));

        clients.ack(ONE, 1);
        assertThat(cursors.load(OTHER).position().offset())
                .as("it does not pass what is not acked")
                .isEqualTo(4);
        get(ONE, 1);
        get(ONE, 1);
        clients.ack(ONE, 2);

        assertThat(cursors.load(ONE).position().offset()).isEqualTo(700);
        assertThat(cursors.load(OTHER).position().offset()).isEqualTo(700);
    }

    /** The instance started at the smallest of their cursors, which was purged. */
    @Test
    void afterAResetAtAStartTheCursorsOfAllClientsAreAtTheNewestPosition() throws InterruptedException {
        clients.subscribe(ONE, "");
        clients.subscribe(OTHER, "");
        cursors.save(ONE, end(50).cursor());
        cursors.save(OTHER, end(20).cursor());
        Cursor newest = end(700).cursor();
        store.begin(newest);
        cursors.begin(() -> newest);
        clients.streamWasReset();
        store.checkpoint(() -> newest);

        clients.follow();

        assertThat(cursors.subscriptions()).extracting(Subscription::cursor).containsExactly(newest, newest);

        put(begin(800), end(900));
        get(ONE, 2);
        clients.ack(ONE, 1);
        assertThat(cursors.subscriptions())
                .extracting(client -> client.cursor().position())
                .containsExactly(end(900).cursor().position(), end(900).cursor().position());
    }

    /** The host that was read before may come back, and a restart would begin there, after what has come again from the other one. */
    @Test
    void anAckDuringWhichTheStreamGoesBackSavesNoCursorAfterThat() throws InterruptedException {
        store.begin(at(4, 40));
        clients.subscribe(ONE, "");
        put(rows(20));
        get(ONE, 1);
        checkpointThatIsTakenWhileTheStreamGoesBack();

        clients.ack(ONE, 1);

        assertWentBack();
    }

    @Test
    void cursorsThatFollowTheStreamWhileItGoesBackAreNotAfterThat() throws InterruptedException {
        store.begin(at(4, 40));
        clients.subscribe(ONE, "");
        clients.subscribe(OTHER, "");
        checkpointThatIsTakenWhileTheStreamGoesBack();

        clients.follow();

        assertWentBack();
    }

    @Test
    void aClientThatSubscribesWhileTheStreamGoesBackDoesNotBeginAfterThat() throws InterruptedException {
        store.begin(at(4, 40));
        checkpointThatIsTakenWhileTheStreamGoesBack();

        clients.subscribe(ONE, "");

        assertWentBack();
        assertThat(cursors.written()).isEqualTo(cursors.subscriptions());
    }

    /** They are valid, but what they ack comes again. */
    @Test
    void batchesFromBeforeTheStreamWentBackAreAckedAndNoCursorIsAfterThat() throws InterruptedException {
        store.begin(at(4, 40));
        clients.subscribe(ONE, "");
        clients.subscribe(OTHER, "");
        put(end(20), end(30), end(50));
        get(ONE, 1);
        get(OTHER, 1);
        goBack();
        put(end(800));

        clients.ack(ONE, 1);
        clients.ack(OTHER, 1);
        assertThat(cursors.subscriptions()).extracting(Subscription::cursor).containsExactly(BACK, BACK);
        get(ONE, 1);
        get(OTHER, 1);
        clients.ack(ONE, 2);
        assertThat(cursors.load(ONE)).as("the last one of before").isEqualTo(BACK);
        clients.ack(OTHER, 2);
        assertThat(cursors.load(OTHER)).isEqualTo(end(800).cursor());
    }

    private static Cursor at(long offset, long millis) {
        return new Cursor("db", 3306, new BinlogPosition("binlog.000001", offset), "", 1, millis);
    }

    private void goBack() {
        store.goBack(BACK);
        cursors.goBack(BACK);
    }

    private void checkpointThatIsTakenWhileTheStreamGoesBack() {
        store.checkpoint(() -> {
            if (back == null) {
                back = Waiting.untilEndedOrBlocked(this::goBack);
            }
            return at(700, 60);
        });
    }

    private void assertWentBack() throws InterruptedException {
        back.join();
        assertThat(cursors.subscriptions()).extracting(Subscription::cursor).containsOnly(BACK);
    }

    @Test
    void thatNoThreadCanBeStartedForWhatFollowsTheStreamIsLoggedOncePerShortage() throws InterruptedException {
        List<Runnable> ticks = new ArrayList<>();
        ScheduledThreadPoolExecutor clock = new ScheduledThreadPoolExecutor(1) {
            @Override
            public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, long first, long period, TimeUnit unit) {
                ticks.add(task);
                return schedule(() -> {}, 0, TimeUnit.SECONDS);
            }
        };
        AtomicBoolean isShort = new AtomicBoolean(true);
        Executor pool = task -> {
            if (isShort.get()) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            task.run();
        };
        try (LogLines log = LogLines.of(PullClients.class);
                PullClients idle =
                        new PullClients("example", store, cursors, pool, clock, filters, numbers, 3, () -> true)) {
            idle.start();
            assertThat(ticks).hasSize(1);
            ticks.get(0).run();
            ticks.get(0).run();
            assertThat(log.events()).singleElement().satisfies(event -> {
                assertThat(event.getLevel()).isEqualTo(Level.WARN);
                assertThat(event.getFormattedMessage())
                        .contains("cursors follow the stream later", "instance=example", "native thread");
            });

            isShort.set(false);
            ticks.get(0).run();
            isShort.set(true);
            ticks.get(0).run();
            assertThat(log.texts()).as("the next shortage").hasSize(2);
        } finally {
            clock.shutdownNow();
        }
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
