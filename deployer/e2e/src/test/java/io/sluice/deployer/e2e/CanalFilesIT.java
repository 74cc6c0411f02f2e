package io.sluice.deployer.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.deployer.e2e.PackagedServer.Outcome;
import io.sluice.testkit.kafka.KafkaBroker;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.process.FreePorts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Puts the files that canal ships, every key with its value, into the package, and changes addresses only. */
@Timeout(900)
class CanalFilesIT {
    private static final Path FILES = Path.of("..", "server", "src", "test", "resources", "canal-1.1.8");
    private static final String INSTANCE = "example";

    private static MySqlServer mysql;
    private static KafkaBroker kafka;

    private PackagedServer server;

    @BeforeAll
    static void startServers() {
        mysql = MySqlServer.start();
        mysql.createReplicationUser(
                "canal", "canal", mysql.release().authPlugins().iterator().next());
        mysql.execute("create database shop", "create table shop.orders (id int primary key, note text)");
        kafka = KafkaBroker.start();
        kafka.createTopic(INSTANCE, 1);
    }

    @AfterAll
    static void stopServers() {
        kafka.close();
        mysql.close();
    }

    @BeforeEach
    void putFilesInPlace() throws IOException {
        server = new PackagedServer(INSTANCE, Map.of(), Map.of());
        for (String file : List.of("canal.properties", "example/instance.properties")) {
            Files.writeString(conf(file), Files.readString(FILES.resolve(file)));
        }
        change("canal.properties", "canal.metrics.pull.port", Integer.toString(server.metricsPort()));
        change("canal.properties", "canal.port", Integer.toString(FreePorts.next()));
        change("example/instance.properties", "canal.instance.master.address", mysql.host() + ":" + mysql.port());
    }

    @AfterEach
    void closePackage() {
        server.close();
    }

    /** The connector has checked its keys, too. */
    @ParameterizedTest
    @CsvSource({
        "kafka, kafka.bootstrap.servers, 127.0.0.1:9092",
        "rocketMQ, rocketmq.namesrv.addr, 127.0.0.1:9876",
        "rabbitMQ, rabbitmq.host, 127.0.0.1:5672",
        "pulsarMQ, pulsarmq.serverUrl, pulsar://127.0.0.1:6650",
    })
    void theConfigurationIsAcceptedWithEachQueue(String mode, String key, String address) throws IOException {
        change("canal.properties", "canal.serverMode", mode);
        change("canal.properties", key, address);

        Outcome outcome = server.ask("route", "--json", INSTANCE, "shop.orders");

        assertThat(outcome.exitCode()).as(outcome.output()).isZero();
        JsonNode route = new ObjectMapper().readTree(outcome.output());
        assertThat(route.get("warnings")).as(outcome.output()).hasSize(1);
        assertThat(route.get("warnings").get(0).asText()).contains("canal.admin.passwd", "stays closed");
        assertThat(outcome.output()).contains("\"example\"");
    }

    @Test
    void rowsGoToKafka() throws IOException {
        change("canal.properties", "canal.serverMode", "kafka");
        change("canal.properties", "kafka.bootstrap.servers", kafka.server().bootstrapServers());

        server.startToRead();
        mysql.execute("insert into shop.orders values (1, 'first')");

        List<String> notes = new ArrayList<>();
        kafka.read(
                INSTANCE,
                record -> {
                    String text = new String(record.value(), StandardCharsets.UTF_8);
                    if (text.contains("\"note\":\"first\"")) {
                        notes.add(text);
                    }
                },
                () -> !notes.isEmpty() || !server.isRunning(),
                Duration.ofMinutes(2));
        assertThat(notes).as(server.logs()).hasSize(1);
        server.stop();
    }

    @Test
    void withClientsThatPullTheMessageTellsTheLineToAdd() {
        Outcome refused = server.tryToStart();

        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.output())
                .contains("the configuration has 1 problem", "add the line canal.tcp.allow.anonymous = true");

        server.configureServer("canal.tcp.allow.anonymous", "true");
        server.start();

        assertThat(server.isRunning()).isTrue();
        server.stop();
    }

    private Path conf(String file) {
        return server.home().resolve("conf").resolve(file);
    }

    /** Gives a key of a file another value, as an operator does. */
    private void change(String file, String key, String value) throws IOException {
        String before = Files.readString(conf(file));
        String line = "(?m)^" + key.replace(".", "\\.") + " =.*$";
        assertThat(before).containsPattern(line);
        Files.writeString(conf(file), before.replaceAll(line, key + " = " + value));
    }
}
