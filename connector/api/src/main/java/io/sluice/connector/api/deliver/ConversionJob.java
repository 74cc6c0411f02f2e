package io.sluice.connector.api.deliver;

import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.PartitionsUnknownException;
import io.sluice.connector.api.producer.PreparedBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The conversion of consecutive batches by one worker, which also has the producer prepare all of their messages together.
 *
 * <p>Begun and asked by the sender's thread, run by a worker.
 */
final class ConversionJob {
    private record Result(
            List<List<PendingMessage>> messages, @Nullable PreparedBatch prepared) {}

    private final List<PendingBatch> batches;
    private final CompletableFuture<Result> result;

    private ConversionJob(List<PendingBatch> batches, CompletableFuture<Result> result) {
        this.batches = batches;
        this.result = result;
    }

    /** Begins to convert batches, oldest first; the signal is raised when it is done. */
    static void begin(
            List<PendingBatch> batches, Conversion conversion, MessageProducer producer, DeliverySignal signal) {
        boolean isPrepared = producer.preparedBytes() > 0;
        List<List<PendingMessage>> messages = new ArrayList<>(batches.size());
        CompletableFuture<Result> result = conversion.begin(() -> {
            while (messages.size() < batches.size()) { // not from the first one if it was interrupted by a wait
                messages.add(batches.get(messages.size()).convert());
            }
            return new Result(messages, isPrepared ? prepare(messages, producer) : null);
        });
        ConversionJob job = new ConversionJob(batches, result);
        for (int i = 0; i < batches.size(); i++) {
            batches.get(i).setConversion(job, i);
        }
        // Its result would be done only after the signal, too late for the thread that it wakes.
        CompletableFuture<?> unused = result.whenComplete((done, failure) -> signal.raise());
    }

    private static @Nullable PreparedBatch prepare(List<List<PendingMessage>> messages, MessageProducer producer) {
        List<Message> all = new ArrayList<>();
        for (List<PendingMessage> ofBatch : messages) {
            for (PendingMessage next : ofBatch) {
                if (!next.isSendable()) {
                    return null; // it is rejected in its turn
                }
                all.add(next.message());
            }
        }
        return all.isEmpty() ? null : producer.prepare(all);
    }

    boolean isDone() {
        return result.isDone();
    }

    /** Why the batches cannot be converted before the broker can be asked; null if they were, or failed otherwise. */
    @Nullable PartitionsUnknownException passingFailure() {
        if (!result.isCompletedExceptionally()) {
            return null;
        }
        Throwable failure = result.handle((done, cause) -> cause).join();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof PartitionsUnknownException unknown) {
                return unknown;
            }
        }
        return null;
    }

    /** The batches that it converts, oldest first. */
    List<PendingBatch> batches() {
        return batches;
    }

    /**
     * The messages of a batch.
     *
     * @throws java.util.concurrent.CompletionException if the conversion failed
     */
    List<PendingMessage> messages(int index) {
        return result.join().messages().get(index);
    }

    /**
     * Whether {@link #handTo} hands over all batches at once.
     *
     * @throws java.util.concurrent.CompletionException if the conversion failed
     */
    boolean isPrepared() {
        return result.join().prepared() != null;
    }

    /** Hands the prepared messages of all batches to the producer; the batches have begun their hand-over. */
    void handTo(MessageProducer producer) {
        Result done = result.join();
        PreparedBatch prepared = done.prepared();
        if (prepared == null) {
            throw new IllegalStateException("a hand-over of messages that are not prepared");
        }
        List<DeliveryCallback> callbacks = new ArrayList<>(prepared.messages().size());
        for (List<PendingMessage> ofBatch : done.messages()) {
            for (PendingMessage next : ofBatch) {
                callbacks.add(next.markSent());
            }
        }
        producer.send(prepared, callbacks);
    }
}
