package io.sluice.connector.api.convert;

import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.MessageHeader;
import java.util.List;

/**
 * Where a record goes.
 *
 * @param topic the topic's name, not empty
 * @param partition the partition's index, from 0
 */
public record Target(String topic, int partition) {
    public Target {
        if (topic.isBlank()) {
            throw new IllegalArgumentException("canal.mq.topic is empty");
        }
        if (partition < 0) {
            throw new IllegalArgumentException("canal.mq.partition is less than 0: " + partition);
        }
    }

    /** A message to it. */
    Message message(byte[] value, List<MessageHeader> headers) {
        return new Message(topic, partition, null, value, headers);
    }
}
