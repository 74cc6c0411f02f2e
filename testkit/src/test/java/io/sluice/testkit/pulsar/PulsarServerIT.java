package io.sluice.testkit.pulsar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("thorough")
class PulsarServerIT {
    private static final Duration SOON = Duration.ofSeconds(30);

    private static PulsarServer server;
    private static PulsarClient client;

    @BeforeAll
    static void startServer() {
        server = PulsarServer.start();
        client = server.client();
    }

    @AfterAll
    static void closeServer() throws PulsarClientException {
        if (server != null) {
            client.close();
            Path folder = server.log().getParent();
            server.close();
            assertThat(folder).doesNotExist();
        }
    }

    @Test
    void startsWithItsClassArchive() throws IOException {
        assertThat(Files.readString(Path.of("/proc/" + server.pid() + "/maps"))).contains("broker-classes-");
    }

    @Test
    void keepsPortsAndMessagesWhenStoppedAndKilled() throws PulsarClientException {
        String address = server.serviceUrl();
        send("orders", "a");
        server.stop();
        assertThat(server.isRunning()).isFalse();

        server.restart();
        send("orders", "b");
        server.kill();

        server.restart();
        assertThat(server.serviceUrl()).isEqualTo(address);
        assertThat(texts(server.reader().readToEnd("orders", SOON))).containsExactly("a", "b");
    }

    @Test
    void readsAllPartitionsFromTheirBeginning() throws PulsarClientException {
        server.createTopic("split", 3);
        for (int i = 0; i < 9; i++) {
            send("split-partition-" + i % 3, "message " + i);
        }

        List<PulsarMessage> messages = server.reader().readAtLeast("split", 9, SOON);

        assertThat(messages.stream().filter(m -> m.partition() == 1).map(PulsarServerIT::text))
                .containsExactly("message 1", "message 4", "message 7");
        assertThat(messages).allSatisfy(m -> {
            assertThat(m.key()).isEqualTo("key");
            assertThat(m.properties()).containsEntry("length", "9");
        });
    }

    @Test
    void reportsThatNothingMoreCame() throws PulsarClientException {
        send("short", "only");
        Duration briefly = Duration.ofMillis(500);

        assertThatThrownBy(() -> server.reader().readAtLeast("short", 2, Duration.ofSeconds(5)))
                .hasMessage("after 1 messages of topic short nothing more came in time");
        assertThatThrownBy(() -> server.reader().readAtLeast("missing", 1, briefly))
                .hasMessage("there is no topic missing");
    }

    private static void send(String topic, String value) throws PulsarClientException {
        try (Producer<byte[]> producer = client.newProducer().topic(topic).create()) {
            producer.newMessage()
                    .key("key")
                    .property("length", Integer.toString(value.length()))
                    .value(value.getBytes(StandardCharsets.UTF_8))
                    .send();
        }
    }

    private static List<String> texts(List<PulsarMessage> messages) {
        return messages.stream().map(PulsarServerIT::text).toList();
    }

    private static String text(PulsarMessage message) {
        return new String(message.value(), StandardCharsets.UTF_8);
    }
}
