package io.sluice.server.pull;

import static io.sluice.server.pull.TestEntry.begin;
import static io.sluice.server.pull.TestEntry.end;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.sluice.store.cursor.Subscription;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class ClientSubscriptionsTest extends PulledStore {
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
}
