package io.sluice.testkit.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("thorough")
class KafkaServerIT {
    private static final Duration SOON = Duration.ofSeconds(60);

    private static KafkaServer server;

    @BeforeAll
    static void startServer() {
        server = KafkaServer.start(KafkaOptions.defaults().with("message.max.bytes", "2000"));
    }

    @AfterAll
    static void closeServer() {
        Path folder = server.log().getParent();
        server.close();
        assertThat(folder).doesNotExist();
    }

    @Test
    void startsWithItsClassArchive() throws IOException {
        assertThat(Files.readString(Path.of("/proc/" + server.pid() + "/maps"))).contains("broker-classes-");
    }

    @Test
    void keepsPortAndRecordsWhenStoppedAndKilled() {
        server.createTopic("orders", 1);
        String address = server.bootstrapServers();
        send("orders", 0, "a");
        server.stop();
        assertThat(server.isRunning()).isFalse();

        server.restart();
        send("orders", 0, "b");
        server.kill();

        server.restart();
        assertThat(server.bootstrapServers()).isEqualTo(address);
        assertThat(texts(server.reader().readToEnd("orders", SOON))).containsExactly("a", "b");
    }

    @Test
    void deletedTopicsDoNotExist() {
        server.createTopic("passing", 1);
        server.createTopic("staying", 1);

        server.deleteTopics(List.of("passing"));

        try (Admin admin = server.admin()) {
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(admin.listTopics().names().get())
                            .contains("staying")
                            .doesNotContain("passing"));
        }
    }

    @Test
    void readsAllPartitionsFromTheirBeginning() {
        server.createTopic("split", 3);
        for (int i = 0; i < 9; i++) {
            send("split", i % 3, "record " + i);
        }

        List<ConsumerRecord<byte[], byte[]>> records = server.reader().readAtLeast("split", 9, SOON);

        assertThat(records.stream().filter(r -> r.partition() == 1).map(r -> text(r)))
                .containsExactly("record 1", "record 4", "record 7");
    }

    @Test
    void aReaderOfCommittedRecordsWaitsForTheEndOfATransaction() {
        Map<String, Object> settings =
                Map.of("bootstrap.servers", server.bootstrapServers(), "transactional.id", "waited for");
        try (Producer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.initTransactions();
            producer.beginTransaction();
            Future<RecordMetadata> unused =
                    producer.send(new ProducerRecord<>("transactions", 0, null, "a".getBytes(StandardCharsets.UTF_8)));
            producer.flush();
            assertThatThrownBy(() -> server.reader().committed().readToEnd("transactions", Duration.ofSeconds(5)))
                    .hasMessage("after 0 records of topic transactions nothing more came in time");

            producer.commitTransaction();

            assertThat(texts(server.reader().committed().readToEnd("transactions", SOON)))
                    .containsExactly("a");
        }
    }

    @Test
    void readsRecordsUntilAConditionHolds() {
        send("stream", 0, "first");
        send("stream", 0, "last");
        List<String> seen = new ArrayList<>();

        server.reader().read("stream", r -> seen.add(text(r)), () -> seen.contains("last"), SOON);

        assertThat(seen).containsExactly("first", "last");
    }

    @Test
    void reportsThatNothingMoreCame() {
        send("short", 0, "only");
        Duration briefly = Duration.ofMillis(500);

        assertThatThrownBy(() -> server.reader().readAtLeast("short", 2, Duration.ofSeconds(5)))
                .hasMessage("after 1 records of topic short nothing more came in time");
        assertThatThrownBy(() -> server.reader().readAtLeast("missing", 1, briefly))
                .hasMessage("there is no topic missing");
    }

    @Test
    void appliesSettings() {
        assertThatThrownBy(() -> send("big", 0, "x".repeat(3_000)))
                .hasRootCauseInstanceOf(RecordTooLargeException.class);
    }

    private static void send(String topic, int partition, String value) {
        Map<String, Object> settings = Map.of("bootstrap.servers", server.bootstrapServers());
        try (Producer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>(topic, partition, null, value.getBytes(StandardCharsets.UTF_8)))
                    .get();
        } catch (ExecutionException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<String> texts(List<ConsumerRecord<byte[], byte[]>> records) {
        return records.stream().map(KafkaServerIT::text).toList();
    }

    private static String text(ConsumerRecord<byte[], byte[]> record) {
        return new String(record.value(), StandardCharsets.UTF_8);
    }
}
