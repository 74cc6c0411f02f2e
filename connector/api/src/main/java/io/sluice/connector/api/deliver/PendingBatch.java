package io.sluice.connector.api.deliver;

import io.sluice.connector.api.convert.BatchConverter;
import io.sluice.connector.api.convert.OutgoingRecord;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.store.ring.Batch;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A batch on its way: first it is converted, then its records are handed to the producer, then they are confirmed. After a
 * failure those that are not at the broker are handed over again.
 *
 * <p>The sender's thread drives it; the producer's threads tell it what became of its records.
 */
final class PendingBatch {
    private final Batch batch;
    private final BatchConverter converter;
    private final DeliverySignal signal;

    private @Nullable CompletableFuture<List<PendingRecord>> conversion;
    private List<PendingRecord> records = List.of();
    private boolean isHandedOver;
    private long bytes;

    private final AtomicInteger unsettled = new AtomicInteger();
    private final AtomicReference<@Nullable DeliveryFailure> firstFailure = new AtomicReference<>();

    private PendingBatch(Batch batch, BatchConverter converter, DeliverySignal signal) {
        this.batch = batch;
        this.converter = converter;
        this.signal = signal;
    }

    /** Takes a batch whose conversion begins now; the signal is raised when it is done. */
    static PendingBatch convert(Batch batch, Conversion conversion, DeliverySignal signal) {
        BatchConverter own = conversion.converter().forBatch();
        PendingBatch pending = new PendingBatch(batch, own, signal);
        pending.conversion = conversion.begin(batch, own, pending::pendingRecords);
        // Its result would be done only after the signal, too late for the thread that it wakes.
        CompletableFuture<?> unused = pending.conversion.whenComplete((records, failure) -> signal.raise());
        return pending;
    }

    private List<PendingRecord> pendingRecords(List<OutgoingRecord> converted) {
        List<PendingRecord> pending = new ArrayList<>(converted.size());
        for (OutgoingRecord next : converted) {
            pending.add(new PendingRecord(this, next));
        }
        return pending;
    }

    Batch batch() {
        return batch;
    }

    boolean isConverted() {
        return conversion == null || conversion.isDone();
    }

    /**
     * Hands over the records that are to be sent, up to the first that is known to have failed.
     *
     * @return how many were handed over
     * @throws java.util.concurrent.CompletionException if the conversion failed
     */
    int handTo(MessageProducer producer) {
        if (conversion != null) {
            records = conversion.join();
            conversion = null;
        }
        int all = 0;
        for (PendingRecord next : records) {
            all += next.isToSend() ? 1 : 0;
        }
        int handedOver = 0;
        bytes = 0;
        unsettled.set(all);
        for (PendingRecord next : records) {
            if (next.isToSend()) {
                if (signal.hasFailure()) {
                    unsettled.addAndGet(handedOver - all);
                    return handedOver;
                }
                handedOver++;
                bytes += next.message().value().length;
                if (!next.refuseUnmade()) {
                    producer.send(next.message(), next.markSent());
                }
            }
        }
        isHandedOver = true;
        return handedOver;
    }

    /** How many bytes of values were handed over the last time. */
    long bytes() {
        return bytes;
    }

    /** Notes that a record was delivered. */
    void settleOne() {
        if (unsettled.decrementAndGet() == 0) {
            signal.raise();
        }
    }

    /** Notes that a record failed. */
    void settleOne(DeliveryFailure failure) {
        firstFailure.compareAndSet(null, failure);
        signal.raiseFailure();
        settleOne();
    }

    /** How many records the producer was given and has not answered for. */
    int unansweredCount() {
        return unsettled.get();
    }

    /** Whether the producer has answered for every record that it was given. */
    boolean isSettled() {
        return unsettled.get() == 0;
    }

    /** Whether the broker has every record that is not passed over. */
    boolean isConfirmed() {
        return isHandedOver && isSettled() && firstFailure.get() == null;
    }

    /** What was said first against one of its records, since it was handed over last. */
    @Nullable DeliveryFailure failure() {
        return firstFailure.get();
    }

    /** Its records; none before it was handed over. Not changed when some are replaced. */
    List<PendingRecord> records() {
        return records;
    }

    /** The records of the single entries and rows of one of its records; see {@link RecordPieces}. */
    List<OutgoingRecord> pieces(OutgoingRecord record) {
        return RecordPieces.of(batch, converter, record);
    }

    /** Puts other records into the place of one. */
    void replace(PendingRecord old, List<OutgoingRecord> pieces) {
        List<PendingRecord> changed = new ArrayList<>(records.size() + pieces.size());
        for (PendingRecord next : records) {
            if (next == old) {
                changed.addAll(pendingRecords(pieces));
            } else {
                changed.add(next);
            }
        }
        records = changed;
    }

    /**
     * Has every record sent again that is not at the broker, and those at the broker whose lane has one before them that is
     * sent again: what a broker says has failed may have arrived, and repeated by itself it would follow them.
     *
     * @param again the lanes in which something is sent again; those of this batch are added
     * @return how many records that were sent are sent again
     */
    int prepareAgain(Set<Lane> again) {
        int resent = 0;
        for (PendingRecord next : records) {
            if (next.isPassedOver()) {
                continue;
            }
            Lane lane = Lane.of(next.message());
            if (next.isDelivered() && !again.contains(lane)) {
                continue;
            }
            again.add(lane);
            if (!next.isToSend()) {
                resent++;
                next.sendAgain();
            }
        }
        firstFailure.set(null);
        isHandedOver = false;
        return resent;
    }
}
