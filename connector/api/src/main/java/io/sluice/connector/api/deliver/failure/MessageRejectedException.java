package io.sluice.connector.api.deliver.failure;

import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;

/**
 * A broker rejected a message, and the instance's policy is to stop then. Nothing is lost: the batch is not acked. The text names the tables
 * and the place in the binlog, and not the key, which is a value of a row: errors are in logs, and are shown to users without the right to see values.
 */
public final class MessageRejectedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private MessageRejectedException(String message, Exception cause) {
        super(message, cause);
    }

    /** Of a message that was rejected. */
    public static MessageRejectedException of(String instance, RejectedMessage rejected) {
        DeliveryFailure failure = rejected.failure();
        return new MessageRejectedException(
                ("broker rejected a message of instance %s, batch %d, for good: %s of %s at %s%s, %d bytes to topic %s, partition"
                                + " %d: %s: remove the cause, or let %s skip such messages, then start the"
                                + " instance again, or restart the server if keys of the broker have changed; it resumes with this message")
                        .formatted(
                                instance,
                                failure.batchId(),
                                failure.kind(),
                                rejected.tableNames(),
                                rejected.place(),
                                rejected.gtid() == null ? "" : " (" + rejected.gtid() + ")",
                                rejected.bytes(),
                                rejected.message().topic(),
                                rejected.message().partition(),
                                failure.cause(),
                                failure.kind() == FailureKind.TOPIC_UNAVAILABLE
                                        ? "canal.mq.onTopicUnavailable"
                                        : "canal.mq.onReject"),
                failure.cause());
    }

    /** Of a dead letter that was rejected, too, for a message that was. */
    public static MessageRejectedException ofDeadLetter(String instance, RejectedMessage rejected, Message letter) {
        DeliveryFailure failure = rejected.failure();
        return new MessageRejectedException(
                ("broker rejected the dead letter for a message of instance %s, batch %d, for good: %s of %s at %s, to topic %s:"
                                + " %s: remove the cause, then start the instance again, or restart the server if keys of the broker have changed; it resumes with this message")
                        .formatted(
                                instance,
                                failure.batchId(),
                                failure.kind(),
                                rejected.tableNames(),
                                rejected.place(),
                                letter.topic(),
                                failure.cause()),
                failure.cause());
    }
}
