package io.sluice.connector.api.deliver;

import io.sluice.connector.api.producer.Message;

/** Where records keep their order: a partition of a topic. */
record Lane(String topic, int partition) {
    static Lane of(Message message) {
        return new Lane(message.topic(), message.partition());
    }
}
