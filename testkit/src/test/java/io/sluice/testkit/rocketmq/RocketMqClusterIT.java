package io.sluice.testkit.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.SendStatus;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("thorough")
class RocketMqClusterIT {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Duration COPIED =
            Duration.ofMinutes(3); // a slave asks its master for new topics once a minute

    private static RocketMqCluster cluster;

    @BeforeAll
    static void startCluster() {
        cluster = RocketMqCluster.start(2);
    }

    @AfterAll
    static void closeCluster() {
        cluster.close();
    }

    @Test
    void eachBrokerIsStoppedAndStartedByItself() throws Exception {
        cluster.createTopic("alone", 1);
        send("alone", "broker-a", "a");
        send("alone", "broker-b", "b");
        cluster.broker(1).stop();

        assertThat(cluster.broker(0).isRunning()).isTrue();
        try (RocketMqReader reader = cluster.reader()) {
            assertThat(texts(reader.readToEnd("alone", SOON))).containsExactly("a");
            cluster.broker(1).restart();
            await().atMost(SOON).until(() -> reader.count("alone") == 2);
            assertThat(texts(reader.readToEnd("alone", SOON))).containsExactly("a", "b");
            assertThat(reader.count("alone", "broker-b")).isEqualTo(1);
        }
    }

    @Test
    void aBrokerThatIsAddedHasTopicsOfItsOwn() throws Exception {
        RocketMqServer added = cluster.add();
        added.createTopic("added", 1);

        send("added", added.name(), "c");

        try (RocketMqReader reader = cluster.reader()) {
            assertThat(texts(reader.readAtLeast("added", 1, SOON))).containsExactly("c");
        }
    }

    @Test
    void aSlaveHasWhatItsMasterHasStored() throws Exception {
        cluster.broker(0).createTopic("copied", 1);
        cluster.addSlave(0);
        send("copied", "broker-a", "a");
        await().atMost(COPIED).until(() -> cluster.isCopied(0, "copied"));
        cluster.broker(0).kill();
        try {
            await().atMost(SOON).until(() -> !cluster.isListed(0)); // else a reader asks the master
            try (RocketMqReader reader = cluster.reader()) {
                assertThat(texts(reader.readAtLeast("copied", 1, SOON))).containsExactly("a");
            }
        } finally {
            cluster.broker(0).restart();
        }
    }

    @Test
    void theNameServerHearsOfItsBrokersAgain() throws Exception {
        cluster.createTopic("named", 1);
        cluster.names().kill();
        cluster.names().restart();

        await().atMost(SOON).ignoreExceptions().untilAsserted(() -> send("named", "broker-b", "b"));
    }

    private static void send(String topic, String broker, String value) throws Exception {
        DefaultMQProducer producer = new DefaultMQProducer("sender");
        producer.setNamesrvAddr(cluster.nameServer());
        producer.start();
        try {
            Message message = new Message(topic, value.getBytes(StandardCharsets.UTF_8));
            assertThat(producer.send(message, new MessageQueue(topic, broker, 0))
                            .getSendStatus())
                    .isEqualTo(SendStatus.SEND_OK);
        } finally {
            new Thread(producer::shutdown).start(); // takes three seconds
        }
    }

    private static List<String> texts(List<MessageExt> messages) {
        return messages.stream()
                .map(message -> new String(message.getBody(), StandardCharsets.UTF_8))
                .toList();
    }
}
