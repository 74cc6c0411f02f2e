package io.sluice.connector.api.deliver;

import io.sluice.protocol.position.LogPosition;
import io.sluice.store.cursor.CursorStore;
import io.sluice.store.ring.EntryStore;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The batches that were taken from the store and are not acked yet, oldest first: those handed to the producer, then those
 * that are still converted.
 *
 * <p>The broker confirms in any order. The store is acked in batch order, and a batch only when its last record is
 * confirmed, so the cursor never passes a record that could still be lost. For the sender's thread alone.
 */
final class InFlightBatches {
    private final EntryStore store;
    private final CursorStore cursors;
    private final Deque<PendingBatch> handedOver = new ArrayDeque<>();
    private final Deque<PendingBatch> converting = new ArrayDeque<>();

    InFlightBatches(EntryStore store, CursorStore cursors) {
        this.store = store;
        this.cursors = cursors;
    }

    void add(PendingBatch batch) {
        converting.addLast(batch);
    }

    int size() {
        return handedOver.size() + converting.size();
    }

    /** The batch whose records go to the producer next; null if all have gone. */
    @Nullable PendingBatch nextToHandOver() {
        return converting.peekFirst();
    }

    /** Notes that the records of {@link #nextToHandOver} go to the producer now. */
    void beginHandOver() {
        handedOver.addLast(converting.removeFirst());
    }

    /** Whether the oldest batch can be acked. */
    boolean isOldestConfirmed() {
        PendingBatch oldest = handedOver.peekFirst();
        return oldest != null && oldest.isConfirmed();
    }

    /** Takes out the oldest batch if the broker has it in full, and acks it; null if it has not. */
    @Nullable PendingBatch ackOldestConfirmed() {
        PendingBatch oldest = handedOver.peekFirst();
        if (oldest == null || !oldest.isConfirmed()) {
            return null;
        }
        handedOver.removeFirst();
        store.ack(oldest.batch());
        LogPosition cursor = oldest.batch().cursor();
        if (cursor != null) {
            cursors.save(CursorStore.QUEUE_CLIENT, cursor);
        }
        return oldest;
    }

    /** Lets the cursor follow the stream while there is nothing to send: to where all that came before is acked. */
    void followStream() {
        if (size() == 0) {
            LogPosition mark = store.takeMark();
            if (mark != null) {
                cursors.save(CursorStore.QUEUE_CLIENT, mark);
            }
        }
    }

    /** Whether the producer has answered for every record that it was given. */
    boolean areSettled() {
        return handedOver.stream().allMatch(PendingBatch::isSettled);
    }

    /** The failure of the oldest batch that has one: those behind it may go well, or fail anew, when it is their turn. */
    @Nullable DeliveryFailure oldestFailure() {
        for (PendingBatch batch : handedOver) {
            DeliveryFailure failure = batch.failure();
            if (failure != null) {
                return failure;
            }
        }
        return null;
    }

    /** Gives up on all that is in flight. The store hands it out again, so some records reach the broker twice. */
    void rollback() {
        handedOver.clear();
        converting.clear();
        store.rollback();
    }
}
