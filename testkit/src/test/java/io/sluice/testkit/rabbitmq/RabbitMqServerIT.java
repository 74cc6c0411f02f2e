package io.sluice.testkit.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.MessageProperties;
import io.sluice.testkit.broker.BrokerRecord;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("thorough")
@Timeout(600)
class RabbitMqServerIT {
    /** A restart keeps what is in durable queues, and what was read can be read again. */
    @Test
    void keepsItsMessagesOverARestart() throws Exception {
        try (RabbitMqBroker broker = RabbitMqBroker.start()) {
            broker.createTopic("words", 1);
            try (Connection connection = broker.server().connect();
                    Channel channel = connection.createChannel()) {
                channel.confirmSelect();
                for (String word : List.of("one", "two", "three")) {
                    channel.basicPublish(
                            RabbitMqBroker.EXCHANGE,
                            "words",
                            MessageProperties.PERSISTENT_TEXT_PLAIN,
                            word.getBytes(StandardCharsets.UTF_8));
                }
                channel.waitForConfirmsOrDie(60_000);
            }
            assertThat(words(broker)).containsExactly("one", "two", "three");

            broker.stop();
            broker.restart();

            assertThat(broker.delivered("words")).isEqualTo(3);
            assertThat(words(broker)).containsExactly("one", "two", "three");
        }
    }

    /** All by one process, which finds the broker again after a restart. */
    @Test
    void commandsAnswerWithWhatTheyPrintAndFailWithIt() {
        try (RabbitMqServer server = RabbitMqServer.start()) {
            assertThat(server.control("eval", "1 + 1.").strip()).isEqualTo("2");
            server.control("add_vhost", "sh\u00f6p \"and\\more\"");
            assertThat(server.control("list_vhosts", "--quiet", "name")).contains("sh\u00f6p");
            assertThatThrownBy(() -> server.control("delete_vhost", "not there"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("delete_vhost")
                    .hasMessageContaining("does not exist");
            assertThatThrownBy(() -> server.control("no_such_command")).isInstanceOf(IllegalStateException.class);

            server.kill();
            assertThatThrownBy(() -> server.control("eval", "1 + 1.")).isInstanceOf(IllegalStateException.class);
            server.restart();

            assertThat(server.control("eval", "1 + 2.").strip()).isEqualTo("3");
        }
    }

    @Test
    void aProcessForTheCommandsThatHasEndedIsReplaced() {
        try (RabbitMqServer server = RabbitMqServer.start()) {
            assertThat(server.control("eval", "1 + 1.").strip()).isEqualTo("2");
            List<ProcessHandle> before = processesForCommands();
            assertThat(before).hasSize(1);

            before.get(0).destroyForcibly();
            before.get(0).onExit().join();

            assertThat(server.control("eval", "1 + 2.").strip()).isEqualTo("3");
        }
        assertThat(processesForCommands()).isEmpty();
    }

    @Test
    void threadsShareOneProcessForTheCommands() {
        try (RabbitMqServer server = RabbitMqServer.start()) {
            List<String> answers = IntStream.range(0, 4)
                    .mapToObj(i -> CompletableFuture.supplyAsync(() -> server.control("eval", i + " + 0.")))
                    .toList()
                    .stream()
                    .map(answer -> answer.join().strip())
                    .toList();

            assertThat(answers).containsExactly("0", "1", "2", "3");
            assertThat(processesForCommands()).hasSize(1);
        }
        assertThat(processesForCommands()).isEmpty();
    }

    private static List<ProcessHandle> processesForCommands() {
        return ProcessHandle.current()
                .children()
                .filter(process -> process.info()
                        .arguments()
                        .map(List::of)
                        .orElse(List.of())
                        .contains("rabbitmqctl"))
                .toList();
    }

    private static List<String> words(RabbitMqBroker broker) {
        List<BrokerRecord> records = new ArrayList<>();
        broker.read("words", records::add, () -> records.size() == 3, Duration.ofSeconds(60));
        return records.stream()
                .map(record -> new String(record.value(), StandardCharsets.UTF_8))
                .toList();
    }
}
