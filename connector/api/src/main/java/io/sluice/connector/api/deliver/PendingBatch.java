package io.sluice.connector.api.deliver;

import io.sluice.connector.api.convert.BatchConverter;
import io.sluice.connector.api.convert.OutgoingRecord;
import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.store.ring.Batch;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A batch on its way: first it is converted, then its records are handed to the producer, then they are confirmed.
 *
 * <p>The sender's thread drives it; the producer's threads tell it what became of its records.
 */
final class PendingBatch implements DeliveryCallback {
    private final Batch batch;
    private final DeliverySignal signal;

    private @Nullable CompletableFuture<List<OutgoingRecord>> conversion;
    private boolean isHandedOver;
    private int recordCount;
    private long recordBytes;

    private final AtomicInteger unsettled = new AtomicInteger();
    private final AtomicReference<@Nullable DeliveryFailure> firstFailure = new AtomicReference<>();

    private PendingBatch(Batch batch, DeliverySignal signal) {
        this.batch = batch;
        this.signal = signal;
    }

    /** Takes a batch whose conversion begins now, on {@code converters}; the signal is raised when it is done. */
    static PendingBatch convert(Batch batch, BatchConverter converter, Executor converters, DeliverySignal signal) {
        PendingBatch pending = new PendingBatch(batch, signal);
        pending.conversion =
                CompletableFuture.supplyAsync(() -> converter.convert(batch.id(), batch.entries()), converters);
        // Its result would be done only after the signal, too late for whoever that wakes.
        CompletableFuture<?> unused = pending.conversion.whenComplete((records, failure) -> signal.raise());
        return pending;
    }

    Batch batch() {
        return batch;
    }

    boolean isConverted() {
        return conversion == null || conversion.isDone();
    }

    /**
     * Hands the records over, up to the first that is known to have failed.
     *
     * @throws java.util.concurrent.CompletionException if the conversion failed
     */
    void handTo(MessageProducer producer) {
        if (conversion == null) {
            throw new IllegalStateException(batch + " was handed over already");
        }
        List<OutgoingRecord> records = conversion.join();
        conversion = null; // the producer has the records from here on
        recordCount = records.size();
        unsettled.set(recordCount);
        for (int i = 0; i < recordCount; i++) {
            if (signal.hasFailure()) {
                unsettled.addAndGet(i - recordCount);
                return;
            }
            OutgoingRecord next = records.get(i);
            recordBytes += next.message().value().length;
            producer.send(next.message(), this);
        }
        isHandedOver = true;
    }

    @Override
    public void delivered() {
        settleOne();
    }

    @Override
    public void failed(Exception cause, FailureKind kind) {
        firstFailure.compareAndSet(null, new DeliveryFailure(batch.id(), cause, kind));
        signal.raiseFailure();
        settleOne();
    }

    private void settleOne() {
        if (unsettled.decrementAndGet() == 0) {
            signal.raise();
        }
    }

    /** Whether the producer has answered for every record that it was given. */
    boolean isSettled() {
        return unsettled.get() == 0;
    }

    /** Whether the broker has every record. */
    boolean isConfirmed() {
        return isHandedOver && isSettled() && firstFailure.get() == null;
    }

    @Nullable DeliveryFailure failure() {
        return firstFailure.get();
    }

    int recordCount() {
        return recordCount;
    }

    long recordBytes() {
        return recordBytes;
    }
}
