package io.sluice.connector.api.deliver;

import io.sluice.connector.api.deliver.failure.DeliveryFailure;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.store.cursor.AckedCursors;
import io.sluice.store.cursor.Subscription;
import io.sluice.store.ring.EntryStore;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The batches that were taken from the store and are not acked yet, oldest first: those handed to the producer, then those
 * that wait for it, since they are still converted, or are sent again.
 *
 * <p>The broker confirms in any order. The store is acked in batch order, and a batch only when its last message is
 * confirmed, so the cursor never passes a message that could still be lost. For the sender's thread alone.
 */
final class InFlightBatches {
    /**
     * From here on no other batch is taken. Messages may be many times as large as the entries that they are made of, which the
     * store counts. The garbage collector copies all of them at every collection, so this is little more than what a broker is sent
     * before it must answer, which is up to 14 MB for Kafka.
     */
    private static final long MAX_BYTES = 12L << 20;

    private static final Set<Integer> SENDER = Set.of(Subscription.QUEUE_CLIENT);

    private final EntryStore store;
    private final AckedCursors cursors;
    private final Deque<PendingBatch> handedOver = new ArrayDeque<>();
    private final Deque<PendingBatch> waiting = new ArrayDeque<>();
    private long handedOverMessages;
    private long handedOverBytes;
    private int conversions;

    InFlightBatches(EntryStore store, AckedCursors cursors) {
        this.store = store;
        this.cursors = cursors;
    }

    /** Adds the batches of one conversion. */
    void addAll(List<PendingBatch> batches) {
        waiting.addAll(batches);
        conversions++;
    }

    int size() {
        return handedOver.size() + waiting.size();
    }

    /** How many conversions have batches that are not acked yet. */
    int conversions() {
        return conversions;
    }

    /** Whether the messages that are not confirmed take so much memory that no other batch should be taken. */
    boolean isHeavy() {
        return handedOverBytes >= MAX_BYTES;
    }

    /** The batch whose messages go to the producer next; null if all have gone. */
    @Nullable PendingBatch nextToHandOver() {
        return waiting.peekFirst();
    }

    /** Hands the messages of {@link #nextToHandOver} to the producer, with those of the batches that were prepared with it. */
    void handOverNextTo(MessageProducer producer, long now) {
        ConversionJob conversion = waiting.getFirst().conversion();
        if (conversion == null || !conversion.isPrepared()) {
            PendingBatch next = waiting.removeFirst();
            handedOver.addLast(next);
            handedOverMessages += next.handTo(producer, now);
            handedOverBytes += next.bytes();
            return;
        }
        for (PendingBatch next : conversion.batches()) {
            waiting.removeFirst();
            handedOver.addLast(next);
            handedOverMessages += next.beginHandOver(now);
            handedOverBytes += next.bytes();
        }
        conversion.handTo(producer);
    }

    /** Begins the conversions again that have failed and are to be repeated. */
    void convertAgain(Conversion conversion, MessageProducer producer, DeliverySignal signal) {
        for (PendingBatch batch : waiting) {
            ConversionJob failed = batch.conversion();
            if (failed != null && failed.passingFailure() != null) {
                ConversionJob.begin(failed.batches(), conversion, producer, signal);
            }
        }
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
        handedOverBytes -= oldest.bytes();
        conversions -= oldest.isLastOfConversion() ? 1 : 0;
        store.ack(oldest.batch());
        saveCursor();
        return oldest;
    }

    /** Saves the newest cursor that the store gives out: it advances also while nothing becomes an entry. */
    void saveCursor() {
        cursors.save(SENDER, store::takeCursor);
    }

    /** Whether the producer has answered every message that it was given. */
    boolean areSettled() {
        return handedOver.stream().allMatch(PendingBatch::isSettled);
    }

    /** The failure of the oldest batch that has one: those after it may succeed, or fail again, when it is their turn. */
    @Nullable DeliveryFailure oldestFailure() {
        for (PendingBatch batch : handedOver) {
            DeliveryFailure failure = batch.failure();
            if (failure != null) {
                return failure;
            }
        }
        return null;
    }

    /** How many messages the producer has not answered. */
    long unansweredCount() {
        return handedOver.stream().mapToLong(PendingBatch::unansweredCount).sum();
    }

    /** How many messages the producer has answered since the sender was made. */
    long answeredCount() {
        return handedOverMessages - unansweredCount();
    }

    /** The batches that were handed over, oldest first. */
    List<PendingBatch> handedOver() {
        return List.copyOf(handedOver);
    }

    /**
     * Has everything that is not at the broker handed over once more, in the order of the first time.
     *
     * @return how many messages that were sent are sent again
     */
    long startAgain() {
        Set<TopicPartition> again = new HashSet<>();
        long resent = 0;
        for (PendingBatch batch : handedOver) {
            resent += batch.prepareAgain(again);
        }
        while (!handedOver.isEmpty()) {
            waiting.addFirst(handedOver.removeLast());
        }
        handedOverBytes = 0;
        return resent;
    }

    /**
     * Whether the broker may still store a message that the producer was given: one that was not confirmed, be it answered or not. What
     * was confirmed comes no more, even if its batch is not acked.
     */
    boolean hasDoubtful() {
        return handedOver.stream().anyMatch(batch -> !batch.isConfirmed())
                || waiting.stream().anyMatch(PendingBatch::wasHandedOver);
    }

    /** Discards all that is in flight. The store hands it out again, so some messages reach the broker twice. */
    void rollback() {
        handedOver.clear();
        handedOverBytes = 0;
        conversions = 0;
        waiting.clear();
        store.rollback();
    }
}
