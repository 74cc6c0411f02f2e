package io.sluice.testkit.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.rocketmq.client.exception.MQBrokerException;
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
class RocketMqServerIT {
    private static final Duration SOON = Duration.ofSeconds(30);

    private static RocketMqServer server;

    @BeforeAll
    static void startServer() {
        server = RocketMqServer.start(RocketMqOptions.defaults().with("maxMessageSize", "2000"));
    }

    @AfterAll
    static void closeServer() {
        Path folder = server.folder();
        server.close();
        assertThat(folder).doesNotExist();
    }

    @Test
    void startsWithItsClassArchive() throws IOException {
        assertThat(Files.readString(Path.of("/proc/" + server.pid() + "/maps"))).contains("broker-classes-");
    }

    @Test
    void keepsPortAndMessagesWhenStoppedAndKilled() throws Exception {
        server.createTopic("orders", 1);
        String address = server.broker();
        send("orders", 0, "a");
        server.stop();
        assertThat(server.isRunning()).isFalse();

        server.restart();
        send("orders", 0, "b");
        server.kill();

        server.restart();
        assertThat(server.broker()).isEqualTo(address);
        try (RocketMqReader reader = server.reader()) {
            assertThat(texts(reader.readAtLeast("orders", 2, SOON))).containsExactly("a", "b");
        }
    }

    @Test
    void readsAllQueuesFromTheirBeginning() throws Exception {
        server.createTopic("split", 3);
        for (int i = 0; i < 9; i++) {
            send("split", i % 3, "message " + i);
        }

        try (RocketMqReader reader = server.reader()) {
            List<MessageExt> messages = reader.readToEnd("split", SOON);

            assertThat(messages).hasSize(9);
            assertThat(messages.stream().filter(m -> m.getQueueId() == 1).map(RocketMqServerIT::text))
                    .containsExactly("message 1", "message 4", "message 7");
        }
    }

    @Test
    void reportsThatNothingMoreCame() {
        server.createTopic("short", 1);
        Duration briefly = Duration.ofMillis(200);

        try (RocketMqReader reader = server.reader()) {
            assertThatThrownBy(() -> reader.readAtLeast("short", 1, briefly))
                    .hasMessage("after 0 messages of topic short nothing more came in time");
            assertThatThrownBy(() -> reader.readAtLeast("missing", 1, briefly)).hasMessage("there is no topic missing");
        }
    }

    @Test
    void appliesSettings() {
        server.createTopic("big", 1);

        assertThatThrownBy(() -> send("big", 0, "x".repeat(3_000))).isInstanceOf(MQBrokerException.class);
    }

    private static void send(String topic, int queue, String value) throws Exception {
        DefaultMQProducer producer = new DefaultMQProducer("sender");
        producer.setNamesrvAddr(server.nameServer());
        producer.start();
        try {
            Message message = new Message(topic, value.getBytes(StandardCharsets.UTF_8));
            assertThat(producer.send(message, new MessageQueue(topic, RocketMqServer.BROKER, queue))
                            .getSendStatus())
                    .isEqualTo(SendStatus.SEND_OK);
        } finally {
            new Thread(producer::shutdown).start(); // takes three seconds
        }
    }

    private static List<String> texts(List<MessageExt> messages) {
        return messages.stream().map(RocketMqServerIT::text).toList();
    }

    private static String text(MessageExt message) {
        return new String(message.getBody(), StandardCharsets.UTF_8);
    }
}
