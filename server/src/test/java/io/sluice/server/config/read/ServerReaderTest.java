package io.sluice.server.config.read;

import static io.sluice.server.config.read.ConfigHome.SERVER;
import static io.sluice.server.config.read.ConfigHome.SHOP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.connector.api.producer.ConfigProblem;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.MessageProducerFactory;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.connector.api.producer.ProducerConfigException;
import io.sluice.connector.api.producer.ProducerContext;
import io.sluice.format.message.MessageFormat;
import io.sluice.format.message.MessageFormats;
import io.sluice.protocol.tls.KeyStoreFile;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.port.MetricsConfig;
import io.sluice.server.config.port.PortTls;
import io.sluice.server.config.server.ServerMode;
import io.sluice.server.config.text.Warning;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The settings of {@code canal.properties} for the server as a whole. */
class ServerReaderTest {
    @TempDir
    Path folder;

    private ConfigHome home;

    @BeforeEach
    void files() {
        home = new ConfigHome(folder);
    }

    @Test
    void placeholdersOfTheServerStayAsTheyAre() throws Exception {
        home.server(SERVER + "kafka.ssl.key.password = ${file:/run/secrets:kafka}\n");
        home.instance("shop", SHOP);

        assertThat(home.load().server().producerProperties())
                .containsEntry("kafka.ssl.key.password", "${file:/run/secrets:kafka}");
    }

    @Test
    void oldNamesOfKafkaKeysWinOverTheNewOnes() throws Exception {
        home.server(SERVER + "canal.mq.servers = old:9092\nkafka.acks = all\nkafka.kerberos.enable = false\n");
        home.instance("shop", SHOP);
        home.variables.put("kafka.linger.ms", "5");

        assertThat(home.load().server().producerProperties())
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "kafka.bootstrap.servers", "old:9092",
                        "kafka.acks", "all",
                        "kafka.kerberos.enable", "false",
                        "kafka.linger.ms", "5"));
    }

    /** Such as {@code rocketmq.client.logUseSlf4j}, by which RocketMQ's client is told where to log. */
    @Test
    void anOptionOfTheJvmThatBeginsLikeAKeyOfTheConnectorIsLeftToItsClient() throws Exception {
        home.server(
                SERVER.replace("= kafka", "= rocketMQ").replace("kafka.bootstrap.servers", "rocketmq.namesrv.addr"));
        home.instance("shop", SHOP);
        home.systemProperties.put("rocketmq.client.logUseSlf4j", "true");
        home.systemProperties.put("rocketmq.tag", "binlog");
        home.variables.put("rocketmq.client.logLevel", "WARN");
        ProducerCheck producerCheck = new ProducerCheck() {
            @Override
            public Optional<MessageProducerFactory> configure(
                    ServerMode mode, Map<String, String> properties, BiConsumer<String, String> problems) {
                properties.keySet().stream()
                        .filter(key -> !knows(mode, key))
                        .forEach(key -> problems.accept(key, "there is no such key"));
                return Optional.empty();
            }

            @Override
            public boolean knows(ServerMode mode, String key) {
                return Set.of("rocketmq.namesrv.addr", "rocketmq.tag").contains(key);
            }
        };

        Configuration configuration = home.load(producerCheck);

        assertThat(configuration.server().producerProperties())
                .containsOnlyKeys("rocketmq.namesrv.addr", "rocketmq.tag");
        assertThat(Warning.texts(configuration.warnings()))
                .containsExactlyInAnyOrder(
                        "system property: rocketmq.client.logUseSlf4j is no key of the connector, so only the client of the broker may read it",
                        "environment variable: rocketmq.client.logLevel is no key of the connector, so only the client of the broker may read it");
    }

    @Test
    void formerOptionsOfTheProducerHaveNoEffect() throws Exception {
        home.server(SERVER + "canal.mq.properties.sasl.mechanism = PLAIN\ncanal.mq.properties. = x\n");
        home.instance("shop", SHOP);

        assertThat(home.load().warnings()).isEmpty();
    }

    @Test
    void anyPortOfMetricsThatIsNotPositiveIsNone() throws Exception {
        home.server(SERVER + "canal.metrics.pull.port = -5\n");
        home.instance("shop", SHOP);

        assertThat(home.load().server().metrics()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "canal.mq.flatMessage = true,   flat",
        "canal.mq.flatMessage = false,  protobuf",
        "canal.mq.format = protobuf,    protobuf",
        "canal.mq.format = flat,        flat",
        "canal.mq.format =,             flat",
    })
    void theFormatIsNamedOrCanals(String line, String name) throws Exception {
        home.server(SERVER + line + "\n");
        home.instance("shop", SHOP);

        MessageFormat format = home.load().server().mq().format();

        assertThat(format.name()).isEqualTo(name);
    }

    @Test
    void aNamedFormatWinsOverFlatMessage() throws Exception {
        home.server(SERVER + "canal.mq.flatMessage = true\ncanal.mq.format = protobuf\n");
        home.instance("shop", SHOP);

        assertThat(home.load().server().mq().inPackets()).isTrue();
    }

    @Test
    void anUnknownFormatIsAProblem() throws Exception {
        home.server(SERVER + "canal.mq.format = morse\n");
        home.instance("shop", SHOP);

        assertThatThrownBy(home::load)
                .hasMessageContaining(
                        "canal.mq.format = morse: must be one of " + String.join(", ", MessageFormats.names()));
    }

    @Test
    void problemsOfTheConnectorAreReportedWithTheirLines() throws Exception {
        home.server(SERVER + "kafka.acks = some\n");
        home.instance("shop", SHOP);
        home.variables.put("kafka.ssl.key.password", "hunter2");
        ProducerCheck producerCheck = (mode, properties, problems) -> {
            assertThat(mode).isEqualTo(ServerMode.KAFKA);
            properties.keySet().forEach(key -> problems.accept(key, "is wrong"));
            problems.accept("kafka.security.protocol", "is missing");
            return Optional.empty();
        };

        assertThat(home.problems(producerCheck))
                .containsExactly(
                        folder.resolve("conf/canal.properties") + ": kafka.security.protocol: is missing",
                        folder.resolve("conf/canal.properties")
                                + ":3: kafka.bootstrap.servers = 127.0.0.1:9092: is wrong",
                        folder.resolve("conf/canal.properties") + ":4: kafka.acks = some: is wrong",
                        "environment variable: kafka.ssl.key.password = ******: is wrong");
    }

    /** Clients of brokers put URLs and options into their messages, and a connector may not foresee each of them. */
    @Test
    void whatIsSecretIsNotShownWhenNoProducerCanBeMade() throws Exception {
        home.server(SERVER + "kafka.sasl.jaas.config = hunter2 is secret\nkafka.acks = some\n");
        home.instance("shop", SHOP);
        IllegalStateException unforeseen = new IllegalStateException(
                "no login as hunter2 is secret", new IOException("https://shop:hunter3@broker is unreachable"));
        RuntimeException foreseen = new ProducerConfigException(
                List.of(new ConfigProblem("kafka.acks", "some is no number beside hunter2 is secret")));

        assertThatThrownBy(() -> producerOf(unforeseen))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("IllegalStateException: no login as ******")
                .hasMessageContaining("broker is unreachable")
                .hasMessageNotContaining("hunter")
                .hasNoCause()
                .satisfies(failure -> assertThat(failure.getStackTrace()).isEqualTo(unforeseen.getStackTrace()));
        assertThatThrownBy(() -> producerOf(foreseen))
                .isInstanceOf(ProducerConfigException.class)
                .hasMessage("kafka.acks: some is no number beside ******");
    }

    @Test
    void connectorsThatAreNotUsedAreWarnings() throws Exception {
        home.server(SERVER);
        home.instance("shop", SHOP);
        ProducerCheck producerCheck = new ProducerCheck() {
            @Override
            public Optional<MessageProducerFactory> configure(
                    ServerMode mode, Map<String, String> properties, BiConsumer<String, String> problems) {
                return Optional.empty();
            }

            @Override
            public List<String> warnings() {
                return List.of("plugin/zz.jar cannot be loaded: it is no jar");
            }
        };

        assertThat(Warning.texts(home.load(producerCheck).warnings()))
                .containsExactly("plugin/zz.jar cannot be loaded: it is no jar");
    }

    private MessageProducer producerOf(RuntimeException failure) throws Exception {
        MessageProducerFactory failing = context -> {
            throw failure;
        };
        return home.load((mode, properties, problems) -> Optional.of(failing))
                .server()
                .producers()
                .orElseThrow()
                .create(new ProducerContext("shop", Ownership.SOLE));
    }

    @Test
    void metricsAreReadAtAPortOfTheirOwn() throws Exception {
        home.server(SERVER);
        home.instance("shop", SHOP);
        assertThat(home.load().server().metrics()).contains(new MetricsConfig("", 11112, Optional.empty()));
        assertThat(home.load().server().stallLimit()).isEqualTo(Duration.ofMinutes(1));

        home.server(SERVER + """
                canal.metrics.pull.port = 9000
                canal.metrics.pull.ip = 10.0.0.7
                canal.metrics.tls.keyStore = file:/etc/sluice/server.p12
                canal.metrics.tls.keyStorePassword = secret
                canal.metrics.tls.clientAuth = NEED
                canal.health.stall.timeout = 5000
                """);
        MetricsConfig metrics = home.load().server().metrics().orElseThrow();
        assertThat(metrics.address()).isEqualTo("10.0.0.7");
        assertThat(metrics.port()).isEqualTo(9000);
        PortTls tls = metrics.tls().orElseThrow();
        assertThat(tls.key()).isEqualTo(new KeyStoreFile("PKCS12", "file:/etc/sluice/server.p12", "secret"));
        assertThat(tls.trust()).isEmpty();
        assertThat(tls.clientAuth()).isEqualTo(PortTls.ClientAuth.NEED);
        assertThat(tls.versions()).containsExactly("TLSv1.2", "TLSv1.3");
        assertThat(home.load().server().stallLimit()).isEqualTo(Duration.ofSeconds(5));

        for (int off : new int[] {0, -1}) {
            home.server(SERVER + "canal.metrics.pull.port = " + off + "\n");
            assertThat(home.load().server().metrics()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"flat", "debezium"})
    void warnsOfAFlatMessageSettingThatContradictsTheFormat(String format) throws Exception {
        home.server(SERVER + "canal.mq.flatMessage = false\ncanal.mq.format = " + format + "\n");
        home.instance("shop", SHOP);

        assertThat(Warning.texts(home.load().warnings()))
                .containsExactly(
                        folder.resolve("conf/canal.properties") + ":4: canal.mq.flatMessage = false has no effect:"
                                + " messages are of the format " + format + ", as canal.mq.format says");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "canal.mq.flatMessage = true\ncanal.mq.format = debezium",
                "canal.mq.flatMessage = true\ncanal.mq.format = protobuf",
                "canal.mq.flatMessage = false\ncanal.mq.format = protobuf",
                "canal.mq.flatMessage = false\ncanal.mq.format =",
                "canal.mq.flatMessage =\ncanal.mq.format = flat",
                "canal.mq.format = flat"
            })
    void warnsOfNoFormatThatAgreesWithTheOtherSetting(String lines) throws Exception {
        home.server(SERVER + lines + "\n");
        home.instance("shop", SHOP);

        assertThat(home.load().warnings()).isEmpty();
    }
}
