package io.sluice.connector.rocketmq;

import io.sluice.connector.api.attempt.SendException;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.MessageHeader;
import io.sluice.connector.api.producer.Ownership;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.apache.rocketmq.client.Validators;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.common.message.MessageConst;

/**
 * Converts messages to RocketMQ's: the value is the body, the key the keys, headers are user properties, and an owner's
 * epoch is the user property {@code sluice-epoch}.
 */
final class MessageMaker {
    private static final String EPOCH = "sluice-epoch";

    /** What the client adds to each message, and what a batch has around it; an upper bound. */
    private static final int OVERHEAD_BYTES = 256;

    /** What a broker takes, less what the client adds. */
    private static final int MAX_PROPERTY_BYTES = Short.MAX_VALUE - OVERHEAD_BYTES;

    /** With these the client separates properties. */
    private static final Pattern SEPARATORS = Pattern.compile("[\u0001\u0002]");

    private final String tag;
    private final String epoch;

    MessageMaker(String tag, Ownership ownership) {
        this.tag = tag;
        this.epoch = ownership.epoch() == 0 ? "" : Long.toString(ownership.epoch());
    }

    /**
     * Makes one.
     *
     * @throws SendException if no broker takes it, with the reason
     */
    org.apache.rocketmq.common.message.Message of(Message message) throws SendException {
        if (message.value().length == 0) {
            throw new SendException(FailureKind.INVALID, "RocketMQ takes no message without a body");
        }
        org.apache.rocketmq.common.message.Message made =
                new org.apache.rocketmq.common.message.Message(message.topic(), tag, message.value());
        byte[] key = message.key();
        if (key != null && key.length > 0) {
            made.setKeys(withoutSeparators(new String(key, StandardCharsets.UTF_8)));
        }
        for (MessageHeader header : message.headers()) {
            made.putUserProperty(header.name(), withoutSeparators(header.value()));
        }
        if (!epoch.isEmpty()) {
            made.putUserProperty(EPOCH, epoch);
        }
        int properties = propertyBytes(made);
        if (properties > MAX_PROPERTY_BYTES) {
            throw new SendException(
                    FailureKind.INVALID,
                    "the message's key and headers take %d bytes, RocketMQ takes %d"
                            .formatted(properties, MAX_PROPERTY_BYTES));
        }
        return made;
    }

    /**
     * Checks that messages may be sent to a topic of this name.
     *
     * @throws SendException if not, with the reason
     */
    static void checkTopic(String topic) throws SendException {
        try {
            Validators.checkTopic(topic);
            Validators.isNotAllowedSendTopic(topic);
        } catch (MQClientException e) {
            throw new SendException(FailureKind.TOPIC_UNAVAILABLE, String.valueOf(e.getErrorMessage()), e);
        }
    }

    private static String withoutSeparators(String text) {
        return SEPARATORS.matcher(text).replaceAll(" ");
    }

    /** About what a message takes in a request. */
    static int bytesOf(org.apache.rocketmq.common.message.Message made) {
        return made.getBody().length + propertyBytes(made) + OVERHEAD_BYTES;
    }

    private static int propertyBytes(org.apache.rocketmq.common.message.Message made) {
        int bytes = 0;
        for (var property : made.getProperties().entrySet()) {
            boolean isShort = property.getKey().equals(MessageConst.PROPERTY_WAIT_STORE_MSG_OK);
            bytes += isShort ? 0 : utf8Length(property.getKey()) + utf8Length(property.getValue()) + 2;
        }
        return bytes;
    }

    /** At most: a pair of surrogates takes four bytes, so two for each. */
    private static int utf8Length(String text) {
        int bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            bytes += c < 0x80 ? 1 : c < 0x800 ? 2 : 3;
        }
        return bytes;
    }
}
