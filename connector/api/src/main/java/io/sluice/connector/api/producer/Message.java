package io.sluice.connector.api.producer;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A message to be sent to a broker.
 *
 * @param topic the topic's name, not empty
 * @param partition the partition's index, from 0; ignored by brokers without partitions
 * @param key the message key, such as the primary key of a row; null if it has none. It does not choose the partition
 * @param value its bytes; handed over, so they must not be changed any more
 * @param headers in order; mostly empty
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, and a copy of every value would be waste
public record Message(String topic, int partition, byte @Nullable [] key, byte[] value, List<MessageHeader> headers) {
    /** A message without a key and headers. */
    public Message(String topic, int partition, byte[] value) {
        this(topic, partition, null, value, List.of());
    }
}
