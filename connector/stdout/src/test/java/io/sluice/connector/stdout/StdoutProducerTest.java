package io.sluice.connector.stdout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.connector.api.producer.ConfigProblem;
import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.connector.api.producer.ProducerConfigException;
import io.sluice.connector.api.producer.ProducerContext;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StdoutProducerTest {
    private final StdoutConnector connector = new StdoutConnector();
    private final List<String> answers = new ArrayList<>();

    @TempDir
    private Path folder;

    private MessageProducer producer(String... settings) {
        Map<String, String> properties = new HashMap<>();
        properties.put("stdout.file", file().toString());
        for (int i = 0; i < settings.length; i += 2) {
            properties.put(settings[i], settings[i + 1]);
        }
        return connector.configure(properties).create(new ProducerContext("shop", Ownership.SOLE));
    }

    private Path file() {
        return folder.resolve("changes.json");
    }

    private void send(MessageProducer producer, String topic, int partition, byte[] value) {
        producer.send(new Message(topic, partition, value), new DeliveryCallback() {
            @Override
            public void delivered() {
                answers.add("delivered");
            }

            @Override
            public void failed(Exception cause, FailureKind kind) {
                answers.add(kind + " " + cause.getMessage());
            }
        });
    }

    private void send(MessageProducer producer, String json) {
        send(producer, "t", 0, json.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void theKeyThatNamesAFileIsDistinguishedFromOthers() {
        assertThat(connector.localKeys(Map.of("stdout.file", "/x", "stdout.prefix", "true")))
                .containsExactly("stdout.file");
        assertThat(connector.localKeys(Map.of("stdout.prefix", "true"))).isEmpty();
    }

    @Test
    void jsonIsALineAndAPacketIsBase64() throws Exception {
        byte[] packet = {8, 1, 10, 13};
        try (MessageProducer producer = producer()) {
            send(producer, "{\"id\":1}");
            send(producer, "t", 0, packet);
        }
        assertThat(file()).hasContent("{\"id\":1}\n" + Base64.getEncoder().encodeToString(packet) + "\n");
        assertThat(answers).containsExactly("delivered", "delivered");
    }

    @Test
    void theTopicAndThePartitionComeFirstIfConfigured() {
        try (MessageProducer producer = producer("stdout.prefix", "true")) {
            send(producer, "shop_orders", 3, "{}".getBytes(StandardCharsets.UTF_8));
        }
        assertThat(file()).hasContent("shop_orders\t3\t{}\n");
    }

    @Test
    void aRestartAppendsAndATornLineStaysAlone() throws Exception {
        Files.writeString(file(), "{\"id\":1}\n{\"id\":");
        try (MessageProducer producer = producer()) {
            send(producer, "{\"id\":2}");
        }
        assertThat(file()).hasContent("{\"id\":1}\n{\"id\":\n{\"id\":2}\n");
    }

    @Test
    void aFullFileIsRenamedAndTheOldestGoes() {
        try (MessageProducer producer = producer("stdout.file.maxSize", "20", "stdout.file.keep", "2")) {
            for (int i = 1; i <= 7; i++) {
                send(producer, "{\"id\":" + i + "}");
            }
        }
        assertThat(file()).hasContent("{\"id\":7}\n");
        assertThat(folder.resolve("changes.json.1")).hasContent("{\"id\":5}\n{\"id\":6}\n");
        assertThat(folder.resolve("changes.json.2")).hasContent("{\"id\":3}\n{\"id\":4}\n");
        assertThat(folder.resolve("changes.json.3")).doesNotExist();
    }

    @Test
    void destinationsShareAFile() throws Exception {
        try (MessageProducer one = producer("stdout.file.maxSize", "20");
                MessageProducer two = producer("stdout.file.maxSize", "20")) {
            for (int i = 1; i <= 4; i++) {
                send(i % 2 == 0 ? one : two, "{\"id\":" + i + "}");
            }
        }
        assertThat(folder.resolve("changes.json.1")).hasContent("{\"id\":1}\n{\"id\":2}\n");
        assertThat(file()).hasContent("{\"id\":3}\n{\"id\":4}\n");
    }

    /** A full disk, which Linux plays on request. */
    @Test
    void whatCannotBeWrittenIsTriedAgain() {
        try (MessageProducer producer = producer("stdout.file", "/dev/full")) {
            send(producer, "{}");
            send(producer, "{}");
            producer.restart();
            send(producer, "{}");
        }
        assertThat(answers).hasSize(3);
        assertThat(answers.get(0)).startsWith("PASSING /dev/full cannot be written: No space left on device");
        assertThat(answers.get(1)).startsWith("PASSING not sent: an earlier message failed");
        assertThat(answers.get(2)).startsWith("PASSING /dev/full cannot be written");
    }

    /** As on a full disk, where the system takes the part for which there is room. */
    @Test
    void aLineThatStandardOutputHasTakenInPartStaysAlone() throws Exception {
        ByteArrayOutputStream taken = new ByteArrayOutputStream();
        OutputStream full = new OutputStream() {
            private int room = 12;

            @Override
            public void write(int one) throws IOException {
                if (room == 0) {
                    room = 100;
                    throw new IOException("No space left on device");
                }
                room--;
                taken.write(one);
            }
        };
        StandardOutput output = new StandardOutput(full, folder.resolve("absent"));
        byte[] line = "{\"id\":1}\n".getBytes(StandardCharsets.UTF_8);
        output.write(line);
        assertThatThrownBy(() -> output.write(line)).hasMessageContaining("No space left on device");

        output.write(line);
        output.write(line);

        assertThat(taken.toString(StandardCharsets.UTF_8)).isEqualTo("{\"id\":1}\n{\"i\n{\"id\":1}\n{\"id\":1}\n");
    }

    /** The server is started again after its disk was full, and appends to the same file. */
    @Test
    void aLineThatStandardOutputHadInPartBeforeARestartStaysAlone() throws Exception {
        Files.writeString(file(), "{\"id\":1}\n{\"id\":");
        byte[] line = "{\"id\":2}\n".getBytes(StandardCharsets.UTF_8);

        for (int start = 1; start <= 2; start++) {
            try (OutputStream appending = Files.newOutputStream(file(), StandardOpenOption.APPEND)) {
                StandardOutput output = new StandardOutput(appending, file());
                output.write(line);
                output.write(line);
            }
        }

        assertThat(file()).hasContent("{\"id\":1}\n{\"id\":\n" + "{\"id\":2}\n".repeat(4));
    }

    @Test
    void anEmptyFileOrAPipeAsStandardOutputGetsNoEmptyLine() throws Exception {
        Files.createFile(file());
        for (Path target : List.of(file(), Path.of("/dev/null"), folder)) {
            ByteArrayOutputStream taken = new ByteArrayOutputStream();

            new StandardOutput(taken, target).write(new byte[] {'x', '\n'});

            assertThat(taken.toString(StandardCharsets.UTF_8)).isEqualTo("x\n");
        }
    }

    @Test
    void allProblemsAreReported() {
        Map<String, String> properties = Map.of(
                "stdout.file", folder.toString(),
                "stdout.file.maxSize", "much",
                "stdout.prefixed", "true",
                "stdout.prefix", "maybe",
                "kafka.acks", "all");

        assertThat(catchThrowableOfType(ProducerConfigException.class, () -> connector.configure(properties))
                        .problems())
                .extracting(ConfigProblem::toString)
                .containsExactlyInAnyOrder(
                        "stdout.file: " + folder + " is a directory",
                        "stdout.file.maxSize: much must be a size such as 100M, 2G, or 0 for no bound",
                        "stdout.prefix: maybe must be true or false",
                        "stdout.prefixed: there is no such key; did you mean stdout.prefix?");
        assertThat(StdoutSettingsReader.read(Map.of()).file()).isNull();
    }
}
