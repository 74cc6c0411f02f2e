package io.sluice.testkit.pulsar;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("thorough")
class PulsarClusterIT {
    private static final Duration SOON = Duration.ofSeconds(60);

    private static PulsarCluster cluster;

    @BeforeAll
    static void startCluster() {
        cluster = PulsarCluster.start();
    }

    @AfterAll
    static void closeCluster() {
        if (cluster != null) {
            cluster.close();
        }
    }

    @Test
    void aTopicIsMovedAndKeepsItsMessages() throws Exception {
        cluster.createTopic("moved", 1);
        String partition = "moved-partition-0";
        send(partition, "a");
        int first = cluster.ownerOf(partition);

        cluster.move(partition, 1 - first);
        assertThat(cluster.ownerOf(partition)).isEqualTo(1 - first);
        send(partition, "b");
        cluster.broker(1 - first).kill();
        cluster.awaitOwner(partition, first);
        send(partition, "c");
        cluster.restore();
        cluster.splitBundle(partition);

        assertThat(cluster.reader().readToEnd("moved", SOON))
                .extracting(message -> new String(message.value(), StandardCharsets.UTF_8))
                .containsExactly("a", "b", "c");
    }

    private static void send(String topic, String text) throws Exception {
        try (PulsarClient client = cluster.client();
                Producer<byte[]> producer =
                        client.newProducer().topic("public/default/" + topic).create()) {
            producer.send(text.getBytes(StandardCharsets.UTF_8));
        }
    }
}
