package io.sluice.connector.api.deliver;

import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import java.nio.charset.StandardCharsets;

/** A broker rejected a message, and the instance's policy is to stop then. Nothing is lost: the batch is not acked. */
public final class MessageRejectedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private static final int MAX_KEY_LENGTH = 200;

    private MessageRejectedException(String message, Exception cause) {
        super(message, cause);
    }

    static MessageRejectedException of(String instance, RejectedMessage rejected) {
        DeliveryFailure failure = rejected.failure();
        return new MessageRejectedException(
                ("broker rejected a message of instance %s, batch %d, for good: %s of %s at %s%s, %d bytes to topic %s, partition"
                                + " %d%s: %s: remove the cause, or let %s skip such messages, then start the"
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
                                key(rejected.message()),
                                failure.cause(),
                                failure.kind() == FailureKind.TOPIC_UNAVAILABLE
                                        ? "canal.mq.onTopicUnavailable"
                                        : "canal.mq.onReject"),
                failure.cause());
    }

    static MessageRejectedException ofDeadLetter(String instance, RejectedMessage rejected, Message letter) {
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

    private static String key(Message message) {
        byte[] key = message.key();
        if (key == null) {
            return "";
        }
        String text = new String(key, 0, Math.min(key.length, MAX_KEY_LENGTH), StandardCharsets.UTF_8);
        return ", key " + text + (key.length > MAX_KEY_LENGTH ? "…" : "");
    }
}
