package io.sluice.connector.api.deliver;

import io.sluice.connector.api.producer.Message;

/** Where messages keep their order: a partition of a topic. */
record TopicPartition(String topic, int partition) {
    static TopicPartition of(Message message) {
        return new TopicPartition(message.topic(), message.partition());
    }
}
