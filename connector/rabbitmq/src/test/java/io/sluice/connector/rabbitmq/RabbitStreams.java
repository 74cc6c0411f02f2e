package io.sluice.connector.rabbitmq;

import io.sluice.connector.api.deliver.NumberedStream;
import io.sluice.connector.api.deliver.RejectionPolicy;
import io.sluice.connector.api.deliver.SenderConfig;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.connector.api.producer.ProducerContext;
import io.sluice.store.ring.BatchLimit;
import java.time.Duration;
import java.util.Map;

/** Starts streams of numbers to RabbitMQ. What the broker rejects is skipped, so that a failure that is taken for a rejection is seen. */
final class RabbitStreams {
    private RabbitStreams() {}

    /** Begins to send, to some topics in turn. */
    static NumberedStream start(String destination, Map<String, String> properties, String... topics) {
        return NumberedStream.start(
                new SenderConfig(destination, BatchLimit.entries(20), Duration.ofMillis(100), 32),
                number -> topics[number % topics.length],
                number -> 0,
                RejectionPolicy.SKIP,
                new RabbitConnector().configure(properties).create(new ProducerContext(destination, Ownership.SOLE)));
    }
}
