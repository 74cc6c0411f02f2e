package io.sluice.connector.api.producer;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A message to be sent to a broker. Safe for use by several threads, since nothing of it is changed once it is made.
 *
 * @param topic the topic's name, not empty; whether the broker accepts it is found when the message is sent
 * @param partition the partition's index, 0 or more; ignored by brokers without partitions. Where it exceeds what the topic has, the
 *     producer rejects the message, or begins with the first one again, as canal does with the same broker
 * @param key the message key, such as the primary key of a row; null if it has none. It does not choose the partition
 * @param value its bytes, for which {@link MessageProducer#maxValueBytes} is the limit; handed over, so they must not be changed any more
 * @param headers in order, with different names; mostly empty
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, and a copy of every value would be waste
public record Message(String topic, int partition, byte @Nullable [] key, byte[] value, List<MessageHeader> headers) {
    /** A message without a key and headers. */
    public Message(String topic, int partition, byte[] value) {
        this(topic, partition, null, value, List.of());
    }
}
