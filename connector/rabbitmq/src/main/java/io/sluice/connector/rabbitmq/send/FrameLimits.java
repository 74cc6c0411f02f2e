package io.sluice.connector.rabbitmq.send;

import com.rabbitmq.client.impl.Frame;
import io.sluice.connector.api.attempt.SendException;
import io.sluice.connector.api.producer.FailureKind;
import java.io.UnsupportedEncodingException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Rejects messages that AMQP cannot carry, which the client would find while it writes them. */
final class FrameLimits {
    private static final int MAX_ROUTING_KEY_BYTES = 255;
    private static final int MAX_BYTES_PER_CHAR = 3;

    /** What a content header has besides the table of headers: the frame, and the other properties. */
    private static final int HEADER_OVERHEAD_BYTES = 64;

    private FrameLimits() {}

    /**
     * Checks that a topic can be a routing key.
     *
     * @throws SendException if it is too long
     */
    static void checkRoutingKey(String topic) throws SendException {
        if (topic.length() * MAX_BYTES_PER_CHAR <= MAX_ROUTING_KEY_BYTES) {
            return;
        }
        int bytes = topic.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_ROUTING_KEY_BYTES) {
            throw new SendException(
                    FailureKind.TOPIC_UNAVAILABLE,
                    "the topic %s has %d bytes, a routing key of RabbitMQ has at most %d"
                            .formatted(topic, bytes, MAX_ROUTING_KEY_BYTES));
        }
    }

    /**
     * Checks that the headers of a message fit in one frame.
     *
     * @param frameMax the size of a frame that the broker has agreed to; 0 for any size
     * @throws SendException if they are too large
     */
    static void checkHeaders(String topic, Map<String, Object> headers, int frameMax) throws SendException {
        if (frameMax == 0 || headers.isEmpty()) {
            return;
        }
        long bytes = HEADER_OVERHEAD_BYTES + tableBytes(headers);
        if (bytes > frameMax) {
            throw new SendException(
                    FailureKind.INVALID,
                    "key and headers of a message for %s take %d bytes, a frame of RabbitMQ takes %d (frame_max)"
                            .formatted(topic, bytes, frameMax));
        }
    }

    private static long tableBytes(Map<String, Object> headers) {
        try {
            return Frame.tableSize(headers);
        } catch (UnsupportedEncodingException e) {
            throw new IllegalStateException(e); // UTF-8 is supported everywhere
        }
    }
}
