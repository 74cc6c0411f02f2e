package io.sluice.connector.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.connector.api.deliver.NumberedStream;
import io.sluice.connector.api.deliver.SenderConfig;
import io.sluice.connector.api.deliver.failure.RejectionPolicy;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.connector.api.producer.ProducerContext;
import io.sluice.connector.rabbitmq.node.NodeOrder;
import io.sluice.connector.rabbitmq.settings.RabbitSettingsReader;
import io.sluice.store.ring.BatchLimit;
import io.sluice.testkit.rabbitmq.RabbitMqCluster;
import io.sluice.testkit.rabbitmq.RabbitMqServer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Streams of numbers to RabbitMQ, and what they leave in its queues. What the broker rejects is skipped, so that a failure that is taken for a rejection is seen. */
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

    /** With all nodes of a cluster, and short limits; then keys and their values. */
    static Map<String, String> settings(RabbitMqCluster cluster, String... others) {
        Map<String, String> settings = new HashMap<>(Map.of(
                "rabbitmq.host", cluster.addresses(),
                "rabbitmq.exchange", RabbitMqCluster.EXCHANGE,
                "rabbitmq.confirm.timeout.ms", "4000",
                "rabbitmq.connect.timeout.ms", "10000",
                "rabbitmq.block.timeout.ms", "1500"));
        for (int i = 0; i < others.length; i += 2) {
            settings.put(others[i], others[i + 1]);
        }
        return settings;
    }

    /** The node that the first connection of a destination is made to. */
    static RabbitMqServer firstNodeOf(RabbitMqCluster cluster, String destination) {
        int port = new NodeOrder(RabbitSettingsReader.read(settings(cluster)).addresses(), destination)
                .current()
                .port();
        return cluster.nodes().stream()
                .filter(node -> node.port() == port)
                .findFirst()
                .orElseThrow();
    }

    /** A destination whose first connection is made to a node. */
    static String destinationAt(RabbitMqCluster cluster, RabbitMqServer node) {
        return IntStream.range(0, 1_000)
                .mapToObj("at%d.shop"::formatted)
                .filter(name -> firstNodeOf(cluster, name) == node)
                .findFirst()
                .orElseThrow();
    }

    /** That the last copies of numbers are in order, and none is missing. */
    static void assertLastCopiesAreInOrder(List<Integer> numbers, List<Integer> expected) {
        assertThat(NumberedStream.lastCopies(numbers)).isEqualTo(expected);
    }
}
