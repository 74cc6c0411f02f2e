package io.sluice.connector.api.deliver;

import io.sluice.connector.api.convert.BatchConverter;
import io.sluice.connector.api.convert.OutgoingMessage;
import io.sluice.connector.api.deliver.failure.DeliveryFailure;
import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.NotAdmittedException;
import io.sluice.connector.api.producer.PartitionsUnknownException;
import io.sluice.store.ring.Batch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A batch on its way: first it is converted, then its messages are handed to the producer, then they are confirmed. After a
 * failure those that are not at the broker are handed over again.
 *
 * <p>The sender's thread drives it; the producer's threads pass on the broker's answers.
 */
final class PendingBatch {
    private final Batch batch;
    private final BatchConverter converter;
    private final DeliverySignal signal;

    private @Nullable ConversionJob conversion;
    private int indexInConversion;
    private boolean isLastOfConversion;
    private List<PendingMessage> messages = List.of();
    private boolean isHandedOver;
    private long bytes;
    private long handedOverNanos;
    private boolean wasSent;

    private final AtomicInteger unsettled = new AtomicInteger();
    private final AtomicReference<@Nullable DeliveryFailure> firstFailure = new AtomicReference<>();

    private PendingBatch(Batch batch, BatchConverter converter, DeliverySignal signal) {
        this.batch = batch;
        this.converter = converter;
        this.signal = signal;
    }

    /**
     * Takes batches whose conversion begins now; the signal is raised when it is done.
     *
     * @param batches consecutive ones, oldest first
     * @param producer prepares their messages together, if it prepares any
     */
    static List<PendingBatch> convert(
            List<Batch> batches, Conversion conversion, MessageProducer producer, DeliverySignal signal) {
        List<PendingBatch> all = new ArrayList<>(batches.size());
        for (Batch next : batches) {
            all.add(new PendingBatch(next, conversion.converter().forBatch(), signal));
        }
        ConversionJob.begin(all, conversion, producer, signal);
        return all;
    }

    void setConversion(ConversionJob job, int index) {
        conversion = job;
        indexInConversion = index;
        isLastOfConversion = index == job.batches().size() - 1;
    }

    boolean isLastOfConversion() {
        return isLastOfConversion;
    }

    /** Converts the batch; called by a worker. */
    List<PendingMessage> convert() {
        List<PendingMessage> converted = pendingMessages(converter.convert(batch.id(), batch.entries()));
        long unused = batch.rows(); // known without effort now, and asked for when the batch is acked
        return converted;
    }

    private List<PendingMessage> pendingMessages(List<OutgoingMessage> converted) {
        List<PendingMessage> pending = new ArrayList<>(converted.size());
        for (OutgoingMessage next : converted) {
            pending.add(new PendingMessage(this, next));
        }
        return pending;
    }

    /** Why a topic takes none of its messages, whose partitions are not known; null if it may take them. */
    @Nullable PartitionsUnknownException unavailable(String topic) {
        Map<String, PartitionsUnknownException> unavailable = converter.unavailable();
        return unavailable.isEmpty() ? null : unavailable.get(topic);
    }

    Batch batch() {
        return batch;
    }

    boolean isConverted() {
        return conversion == null || conversion.isDone();
    }

    /** Its conversion, until it is handed over for the first time; null then. */
    @Nullable ConversionJob conversion() {
        return conversion;
    }

    /** The failure of its conversion, which is to be repeated; null if there is none. */
    @Nullable DeliveryFailure conversionFailure() {
        PartitionsUnknownException unknown = conversion == null ? null : conversion.passingFailure();
        if (unknown == null) {
            return null;
        }
        Exception cause = unknown.getCause() instanceof NotAdmittedException refused ? refused : unknown;
        return new DeliveryFailure(batch.id(), cause, unknown.kind());
    }

    private void takeConverted() {
        if (conversion != null) {
            messages = conversion.messages(indexInConversion);
            conversion = null;
        }
    }

    /**
     * Begins the hand-over of all messages, which its {@link ConversionJob} does.
     *
     * @return how many are handed over
     */
    int beginHandOver(long now) {
        takeConverted();
        handedOverNanos = now;
        wasSent = !messages.isEmpty();
        bytes = 0;
        for (PendingMessage next : messages) {
            bytes += next.message().value().length;
        }
        unsettled.set(messages.size());
        isHandedOver = true;
        return messages.size();
    }

    /**
     * Hands over the messages that are to be sent, up to the first that is known to have failed.
     *
     * @return how many were handed over
     * @throws java.util.concurrent.CompletionException if the conversion failed
     */
    int handTo(MessageProducer producer, long now) {
        takeConverted();
        handedOverNanos = now;
        if (producer.preparedBytes() > 0 && messages.stream().allMatch(PendingMessage::isSendable)) {
            return handPreparedTo(producer);
        }
        int all = 0;
        for (PendingMessage next : messages) {
            all += next.isToSend() ? 1 : 0;
        }
        int handedOver = 0;
        bytes = 0;
        unsettled.set(all);
        wasSent = all > 0;
        for (PendingMessage next : messages) {
            if (next.isToSend()) {
                if (signal.hasFailure()) {
                    unsettled.addAndGet(handedOver - all);
                    return handedOver;
                }
                handedOver++;
                bytes += next.message().value().length;
                if (!next.rejectUnsendable()) {
                    producer.send(next.message(), next.markSent());
                }
            }
        }
        isHandedOver = true;
        return handedOver;
    }

    private int handPreparedTo(MessageProducer producer) {
        List<Message> toSend = new ArrayList<>(messages.size());
        List<DeliveryCallback> callbacks = new ArrayList<>(messages.size());
        bytes = 0;
        for (PendingMessage next : messages) {
            if (next.isToSend()) {
                toSend.add(next.message());
                callbacks.add(next.markSent());
                bytes += next.message().value().length;
            }
        }
        unsettled.set(toSend.size());
        wasSent = !toSend.isEmpty();
        isHandedOver = true;
        if (!toSend.isEmpty()) {
            producer.send(producer.prepare(toSend), callbacks);
        }
        return toSend.size();
    }

    /** Whether its messages were given to the producer, some of them at least, now or before a failure. */
    boolean wasHandedOver() {
        return conversion == null;
    }

    /** When it was handed over last. */
    long handedOverNanos() {
        return handedOverNanos;
    }

    /** Whether it had messages that were to be sent when it was handed over last. */
    boolean wasSent() {
        return wasSent;
    }

    /** How many bytes of values were handed over the last time. */
    long bytes() {
        return bytes;
    }

    /** Notes that a message was delivered. */
    void settleOne() {
        if (unsettled.decrementAndGet() == 0) {
            signal.raise();
        }
    }

    /** Notes that a message failed. */
    void settleOne(DeliveryFailure failure) {
        firstFailure.compareAndSet(null, failure);
        signal.raiseFailure();
        settleOne();
    }

    /** How many messages the producer was given and has not answered for. */
    int unansweredCount() {
        return unsettled.get();
    }

    /** Whether the producer has answered for every message that it was given. */
    boolean isSettled() {
        return unsettled.get() == 0;
    }

    /** Whether the broker has every message that is not passed over. */
    boolean isConfirmed() {
        return isHandedOver && isSettled() && firstFailure.get() == null;
    }

    /** The first failure of one of its messages since it was handed over last; null if there is none. */
    @Nullable DeliveryFailure failure() {
        return firstFailure.get();
    }

    /** Its messages; none before it was handed over. Not changed when some are replaced. */
    List<PendingMessage> messages() {
        return messages;
    }

    /** The messages of the single entries and rows of one of its messages; see {@link MessagePieces}. */
    List<OutgoingMessage> pieces(OutgoingMessage outgoing) {
        return MessagePieces.of(batch, converter, outgoing);
    }

    /** Replaces a message by others. */
    void replace(PendingMessage old, List<OutgoingMessage> pieces) {
        List<PendingMessage> changed = new ArrayList<>(messages.size() + pieces.size());
        for (PendingMessage next : messages) {
            if (next == old) {
                changed.addAll(pendingMessages(pieces));
            } else {
                changed.add(next);
            }
        }
        messages = changed;
    }

    /**
     * Has every message sent again that is not at the broker, and those at the broker whose partition has one before them that is
     * sent again: a message that failed may have arrived all the same, and repeated alone it would follow them.
     *
     * @param again the partitions in which something is sent again; those of this batch are added
     * @return how many messages that were sent are sent again
     */
    int prepareAgain(Set<TopicPartition> again) {
        int resent = 0;
        for (PendingMessage next : messages) {
            if (next.isPassedOver()) {
                continue;
            }
            TopicPartition partition = TopicPartition.of(next.message());
            if (next.isDelivered() && !again.contains(partition)) {
                continue;
            }
            again.add(partition);
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
