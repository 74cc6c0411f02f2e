package io.sluice.connector.api.deliver;

import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import java.nio.charset.StandardCharsets;

/** A broker refused a record for good, and the instance's policy is to stop then. Nothing is lost: the batch is not acked. */
public final class RecordRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private static final int MAX_KEY_LENGTH = 200;

    private RecordRefusedException(String message, Exception cause) {
        super(message, cause);
    }

    static RecordRefusedException of(String instance, RefusedRecord refused) {
        DeliveryFailure failure = refused.failure();
        return new RecordRefusedException(
                ("broker refused a record of instance %s, batch %d, for good: %s of %s at %s%s, %d bytes to topic %s, partition"
                                + " %d%s: %s: remove the cause, or let %s pass such records over, then start the"
                                + " instance again; it goes on with this record")
                        .formatted(
                                instance,
                                failure.batchId(),
                                failure.kind(),
                                refused.tableNames(),
                                refused.place(),
                                refused.gtid() == null ? "" : " (" + refused.gtid() + ")",
                                refused.bytes(),
                                refused.message().topic(),
                                refused.message().partition(),
                                key(refused.message()),
                                failure.cause(),
                                failure.kind() == FailureKind.TOPIC_UNAVAILABLE
                                        ? "canal.mq.onTopicUnavailable"
                                        : "canal.mq.onReject"),
                failure.cause());
    }

    static RecordRefusedException ofDeadLetter(String instance, RefusedRecord refused, Message letter) {
        DeliveryFailure failure = refused.failure();
        return new RecordRefusedException(
                ("broker refused the dead letter for a record of instance %s, batch %d, for good: %s of %s at %s, to topic %s:"
                                + " %s: remove the cause, then start the instance again; it goes on with this record")
                        .formatted(
                                instance,
                                failure.batchId(),
                                failure.kind(),
                                refused.tableNames(),
                                refused.place(),
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
