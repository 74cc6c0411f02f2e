package io.sluice.server.pull;

import static io.sluice.server.pull.TestEntry.begin;
import static io.sluice.server.pull.TestEntry.end;
import static io.sluice.server.pull.TestEntry.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.format.entry.Entry;
import io.sluice.protocol.time.Time;
import io.sluice.server.pace.Pace;
import io.sluice.server.pace.PauseTarget;
import io.sluice.store.ring.BatchLimit;
import io.sluice.store.ring.EntryRing;
import io.sluice.store.ring.RingConfig;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PullClientsTest extends PulledStore {
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

    @Test
    void nothingIsHandedOutOrAckedWhenTheDestinationIsNotOwnedAnyMore() throws InterruptedException {
        clients.subscribe(ONE, "");
        put(begin(4), end(50));
        get(ONE, 1);

        ours = false;

        assertThatThrownBy(() -> get(ONE, 1)).hasMessage("destination:example should start first");
        assertThatThrownBy(() -> clients.ack(ONE, 1)).hasMessage("destination:example should start first");
    }
}
