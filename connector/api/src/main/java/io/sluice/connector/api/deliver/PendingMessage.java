package io.sluice.connector.api.deliver;

import io.sluice.connector.api.convert.OutgoingMessage;
import io.sluice.connector.api.deliver.failure.DeliveryFailure;
import io.sluice.connector.api.deliver.failure.MessageTooLargeException;
import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.PartitionsUnknownException;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * A message of a batch, and its state. It is kept until its batch is acked, so that after a failure it can be
 * sent again as it was, or something instead of it.
 *
 * <p>The sender's thread drives it; one of the producer's threads passes on the broker's answer, and the batch's count of
 * answers publishes that. Each hand-over takes one answer: a second one, or a late one to an earlier hand-over, has no effect.
 */
final class PendingMessage implements DeliveryCallback {
    private static final AtomicIntegerFieldUpdater<PendingMessage> STATE =
            AtomicIntegerFieldUpdater.newUpdater(PendingMessage.class, "state");

    private static final int TO_SEND = 0;
    private static final int SENT = 1;
    private static final int DELIVERED = 2;
    private static final int FAILED = 3;
    private static final int PASSED_OVER = 4;

    /** What a hand-over adds to the state, so that answers to earlier ones do not fit it. */
    private static final int NEXT_HAND_OVER = 8;

    private final PendingBatch batch;
    private final OutgoingMessage outgoing;

    private Message message;
    private boolean isDeadLetter;
    private boolean wasSentOnceMore;
    private List<Message> alternatives = List.of();

    /** One of the constants, and a multiple of {@link #NEXT_HAND_OVER}. */
    private volatile int state;

    private @Nullable DeliveryFailure failure;

    PendingMessage(PendingBatch batch, OutgoingMessage outgoing) {
        this.batch = batch;
        this.outgoing = outgoing;
        this.message = outgoing.message();
    }

    /** The message as it was converted, whatever is sent instead. */
    OutgoingMessage outgoing() {
        return outgoing;
    }

    /** What is sent. */
    Message message() {
        return message;
    }

    /** Whether something else is sent instead. */
    boolean isDeadLetter() {
        return isDeadLetter;
    }

    boolean isToSend() {
        return is(TO_SEND);
    }

    boolean isDelivered() {
        return is(DELIVERED);
    }

    boolean isPassedOver() {
        return is(PASSED_OVER);
    }

    private boolean is(int sought) {
        return state % NEXT_HAND_OVER == sought;
    }

    /** Why the broker did not take it when it was sent last; null if it did, or has not answered. */
    @Nullable DeliveryFailure failure() {
        return is(FAILED) ? failure : null;
    }

    /** Whether it can be handed to the producer: it has a value, and a partition. */
    boolean isSendable() {
        return isDeadLetter || outgoing.unmade() == null && batch.unavailable(message.topic()) == null;
    }

    /** Rejects it without sending it if it cannot be handed to the producer; returns false if it can. */
    boolean rejectUnsendable() {
        if (isSendable()) {
            return false;
        }
        OutgoingMessage.Unmade unmade = outgoing.unmade();
        PartitionsUnknownException unavailable = batch.unavailable(message.topic());
        DeliveryCallback callback = markSent();
        if (unavailable != null) {
            callback.failed(unavailable, unavailable.kind());
        } else if (unmade != null) {
            callback.failed(new MessageTooLargeException(unmade.reason()), FailureKind.TOO_LARGE);
        }
        return true;
    }

    /** Notes that it is handed over; the result takes the answer. */
    DeliveryCallback markSent() {
        int sent = state / NEXT_HAND_OVER * NEXT_HAND_OVER + SENT;
        STATE.lazySet(this, sent); // the producer publishes it with the message
        return sent == SENT ? this : new Repetition(sent);
    }

    /** Has it sent when its batch is handed over the next time. */
    void sendAgain() {
        toSend();
    }

    /** Notes that it is sent once more without a back-off; returns false if it was before. */
    boolean sendOnceMore() {
        boolean isFirst = !wasSentOnceMore;
        wasSentOnceMore = true;
        return isFirst;
    }

    private void toSend() {
        state = (state / NEXT_HAND_OVER + 1) * NEXT_HAND_OVER + TO_SEND;
    }

    /** Marks it as settled, though the broker does not have it. */
    void passOver() {
        state = PASSED_OVER;
    }

    /** Sends the first of these that the broker takes, in place of what was rejected. */
    void sendInstead(List<Message> letters) {
        message = letters.get(0);
        alternatives = letters.subList(1, letters.size());
        isDeadLetter = true;
        wasSentOnceMore = false;
        toSend();
    }

    /** What may be sent instead if it is rejected once more; empty if there is nothing. */
    List<Message> alternatives() {
        return alternatives;
    }

    @Override
    public void delivered() {
        delivered(SENT);
    }

    @Override
    public void failed(Exception cause, FailureKind kind) {
        failed(SENT, cause, kind);
    }

    private void delivered(int sent) {
        if (STATE.compareAndSet(this, sent, sent - SENT + DELIVERED)) {
            batch.settleOne();
        }
    }

    private void failed(int sent, Exception cause, FailureKind kind) {
        if (STATE.compareAndSet(this, sent, sent - SENT + FAILED)) {
            DeliveryFailure failed = new DeliveryFailure(batch.batch().id(), cause, kind);
            failure = failed;
            batch.settleOne(failed);
        }
    }

    /** Takes the answer to a hand-over that is not the first one. */
    private final class Repetition implements DeliveryCallback {
        private final int sent;

        Repetition(int sent) {
            this.sent = sent;
        }

        @Override
        public void delivered() {
            PendingMessage.this.delivered(sent);
        }

        @Override
        public void failed(Exception cause, FailureKind kind) {
            PendingMessage.this.failed(sent, cause, kind);
        }
    }
}
