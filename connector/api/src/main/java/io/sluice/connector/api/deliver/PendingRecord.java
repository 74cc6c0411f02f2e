package io.sluice.connector.api.deliver;

import io.sluice.connector.api.convert.OutgoingRecord;
import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A record of a batch, and what became of it so far. It is kept until its batch is acked, so that after a failure it can be
 * sent again as it was, or something in its place.
 *
 * <p>The sender's thread drives it; one of the producer's threads tells it the broker's answer, and the batch's count of
 * answers publishes that.
 */
final class PendingRecord implements DeliveryCallback {
    private enum State {
        TO_SEND,
        SENT,
        DELIVERED,
        FAILED,
        PASSED_OVER
    }

    private final PendingBatch batch;
    private final OutgoingRecord record;

    private Message message;
    private boolean isDeadLetter;
    private List<Message> alternatives = List.of();
    private State state = State.TO_SEND;
    private @Nullable DeliveryFailure failure;

    PendingRecord(PendingBatch batch, OutgoingRecord record) {
        this.batch = batch;
        this.record = record;
        this.message = record.message();
    }

    /** The record as it was converted, whatever is sent in its place. */
    OutgoingRecord record() {
        return record;
    }

    /** What is sent. */
    Message message() {
        return message;
    }

    /** Whether something else is sent in its place. */
    boolean isDeadLetter() {
        return isDeadLetter;
    }

    boolean isToSend() {
        return state == State.TO_SEND;
    }

    boolean isDelivered() {
        return state == State.DELIVERED;
    }

    boolean isPassedOver() {
        return state == State.PASSED_OVER;
    }

    /** What the broker said against it when it was sent last; null if it said nothing. */
    @Nullable DeliveryFailure failure() {
        return state == State.FAILED ? failure : null;
    }

    /** Takes it for refused, and does not send it, if there is nothing to send; false if there is. */
    boolean refuseUnmade() {
        OutgoingRecord.Unmade unmade = record.unmade();
        if (unmade == null || isDeadLetter) {
            return false;
        }
        failed(new MessageTooLargeException(unmade.reason()), FailureKind.TOO_LARGE);
        return true;
    }

    void markSent() {
        state = State.SENT;
    }

    /** Has it sent when its batch is handed over the next time. */
    void sendAgain() {
        state = State.TO_SEND;
    }

    /** Takes it for settled, though the broker does not have it. */
    void passOver() {
        state = State.PASSED_OVER;
    }

    /** Sends the first of these that the broker takes, in place of what was refused. */
    void sendInstead(List<Message> letters) {
        message = letters.get(0);
        alternatives = letters.subList(1, letters.size());
        isDeadLetter = true;
        state = State.TO_SEND;
    }

    /** What may be sent instead if it is refused once more; empty if there is nothing. */
    List<Message> alternatives() {
        return alternatives;
    }

    @Override
    public void delivered() {
        state = State.DELIVERED;
        batch.settleOne();
    }

    @Override
    public void failed(Exception cause, FailureKind kind) {
        DeliveryFailure said = new DeliveryFailure(batch.batch().id(), cause, kind);
        failure = said;
        state = State.FAILED;
        batch.settleOne(said);
    }
}
