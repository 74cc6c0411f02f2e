package io.sluice.connector.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.connector.api.attempt.SendException;
import io.sluice.connector.api.producer.ConfigProblem;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.connector.api.producer.ProducerConfigException;
import io.sluice.connector.api.producer.ProducerContext;
import io.sluice.connector.api.producer.ProducerIdentity;
import io.sluice.testkit.tls.Certificates;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RabbitSettingsTest {
    private static final ProducerContext SHOP = new ProducerContext("shop", Ownership.SOLE);

    private final RabbitConnector connector = new RabbitConnector();

    @ParameterizedTest
    @CsvSource({
        "broker, broker, 5672, false, guest, /",
        "broker:5673, broker, 5673, false, guest, /",
        "10.0.0.1:5673, 10.0.0.1, 5673, false, guest, /",
        "[::1]:5673, ::1, 5673, false, guest, /",
        "amqp://broker, broker, 5672, false, guest, /",
        "amqp://broker/, broker, 5672, false, guest, /",
        "amqp://u:p@broker:1/shop, broker, 1, false, u, shop",
        "AMQPS://u%40x:p%2Fq@broker/%2fshop, broker, 5671, true, u@x, /shop",
        "rabbit_mq, rabbit_mq, 5672, false, guest, /",
        "rabbit_mq:5673, rabbit_mq, 5673, false, guest, /",
        "amqps://u%40x:p_%2Fq@rabbit_mq_1.net/shop, rabbit_mq_1.net, 5671, true, u@x, shop",
    })
    void readsAddresses(String text, String host, int port, boolean tls, String username, String virtualHost) {
        Address address = Address.parse(text, false);

        assertThat(address.host()).isEqualTo(host);
        assertThat(address.port()).isEqualTo(port);
        assertThat(address.tls()).isEqualTo(tls);
        assertThat(address.username()).isEqualTo(username);
        assertThat(address.virtualHost()).isEqualTo(virtualHost);
    }

    @Test
    void keysAreDistinguishedFromOptionsOfTheJvm() {
        assertThat(connector.knows("rabbitmq.tls.keystore.password")).isTrue();
        assertThat(connector.knows("rabbitmq.deliveryMode")).isTrue();
        assertThat(connector.knows("rabbitmq.other")).isFalse();
    }

    @Test
    void keysThatNameFilesAreDistinguishedFromOthers() {
        assertThat(connector.localKeys(Map.of(
                        "rabbitmq.host", "a",
                        "rabbitmq.tls.truststore", "ca.pem",
                        "rabbitmq.tls.truststore.password", "x",
                        "rabbitmq.tls.keystore", " ")))
                .containsExactly("rabbitmq.tls.truststore");
    }

    @Test
    void keysWinOverTheAddressAndThePasswordIsNotShown() {
        Address address = Address.parse("amqp://u:secret@broker/shop", true).with("v", "", "other");

        assertThat(address.username()).isEqualTo("v");
        assertThat(address.password()).isEqualTo("secret");
        assertThat(address.virtualHost()).isEqualTo("other");
        assertThat(address.port()).isEqualTo(5671);
        assertThat(address.toString()).doesNotContain("secret");
    }

    @ParameterizedTest
    @CsvSource({"http://broker", "broker:none", "broker:99999", "amqp://broker/a/b", "broker/shop", "bro ker", "amqp://"
    })
    void refusesOtherAddresses(String text) {
        assertThat(problems("rabbitmq.host", text)).hasSize(1).allMatch(p -> p.startsWith("rabbitmq.host: "));
    }

    @Test
    void tellsAllProblems() {
        assertThat(problems(
                        "rabbitmq.host", "",
                        "rabbitmq.deliveryMode", "2",
                        "rabbitmq.mandatory", "ja",
                        "rabbitmq.channels", "0",
                        "rabbitmq.tls.truststore", "/none",
                        "rabbitmq.vitual.host", "/",
                        "rabbitmq.confirm.timeout.ms", "soon"))
                .containsExactlyInAnyOrder(
                        "rabbitmq.host: missing: the broker's host, host:port, or amqp URI",
                        "rabbitmq.deliveryMode: 2 must be the type of the exchange: direct, topic, fanout, headers, or one"
                                + " of x-…",
                        "rabbitmq.mandatory: ja must be true or false",
                        "rabbitmq.channels: 0 must be a whole number from 1 to 256",
                        "rabbitmq.tls.truststore: there is no readable file /none",
                        "rabbitmq.vitual.host: there is no such key; did you mean rabbitmq.virtual.host?",
                        "rabbitmq.confirm.timeout.ms: soon must be a whole number from 100 to 3600000");
    }

    @Test
    void aliyunsLoginIsRejectedIfItIsAskedFor() {
        assertThat(problems("canal.aliyun.accessKey", "a", "canal.aliyun.secretKey", "s"))
                .isEmpty();
        assertThat(problems("canal.aliyun.accessKey", "a", "canal.aliyun.secretKey", "s", "canal.aliyun.uid", "1"))
                .hasSize(1)
                .allMatch(p -> p.startsWith("canal.aliyun.uid: a login that is made of Aliyun's access key"));
    }

    @Test
    void theNameOfTheFenceMayNameTheDestinationAndIsNotTooLong() {
        RabbitSettings settings = RabbitSettingsReader.read(
                Map.of("rabbitmq.host", "broker", "rabbitmq.fence.name", "prod-${destination}"));

        assertThat(settings.fenceName(SHOP)).isEqualTo("prod-shop");
        assertThat(settings.fenceLimit()).isEqualTo(Duration.ofMinutes(2));
        assertThat(problems("rabbitmq.fence.name", "x".repeat(200))).isEmpty();
        assertThat(problems("rabbitmq.fence.name", "x".repeat(201)))
                .containsExactly("rabbitmq.fence.name: is longer than 200 bytes");
        assertThatThrownBy(() -> settings.fenceName(new ProducerContext("x".repeat(196), Ownership.SOLE)))
                .isInstanceOf(ProducerConfigException.class)
                .hasMessage("rabbitmq.fence.name: is longer than 200 bytes");
    }

    /** It begins with a line break where a server older than ids cannot resolve its host's name; trimmed, it would be another id. */
    @Test
    void theNameOfTheFenceIsThatOfTheDeploymentOtherwise() {
        RabbitSettings settings = RabbitSettingsReader.read(Map.of("rabbitmq.host", "broker"));

        assertThat(settings.fenceName(new ProducerContext("shop", "\n/opt/sluice", Ownership.SOLE)))
                .isEqualTo(ProducerIdentity.of("shop", "\n/opt/sluice", Ownership.SOLE))
                .isNotEqualTo(ProducerIdentity.of("shop", "/opt/sluice", Ownership.SOLE));
    }

    @Test
    void connectsToNothingBeforeTheFirstMessage() {
        connector
                .configure(Map.of("rabbitmq.host", "no-such-host.invalid"))
                .create(SHOP)
                .close();
        assertThat(connector.name()).isEqualTo("rabbitmq");
    }

    /** So that a certificate can be renewed while the server runs. */
    @Test
    void keyStoresAreReadForEachConnection(@TempDir Path folder) throws Exception {
        Path trusted = Certificates.make(folder, "dns:localhost").certificate();
        RabbitSettings settings = RabbitSettingsReader.read(
                Map.of("rabbitmq.host", "amqps://broker", "rabbitmq.tls.truststore", trusted.toString()));
        assertThat(settings.factory(socket -> {}).isSSL()).isTrue();

        for (String damaged :
                List.of("half of a certificate", "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n")) {
            Files.writeString(trusted, damaged);

            assertThatThrownBy(() -> settings.factory(socket -> {}))
                    .isInstanceOfSatisfying(
                            SendException.class, e -> assertThat(e.kind()).isEqualTo(FailureKind.PASSING))
                    .hasMessageContainingAll("rabbitmq.tls.*", trusted.toString());
        }
    }

    private List<String> problems(String... settings) {
        Map<String, String> properties = new HashMap<>(Map.of("rabbitmq.host", "broker"));
        for (int i = 0; i < settings.length; i += 2) {
            properties.put(settings[i], settings[i + 1]);
        }
        try {
            connector.configure(properties);
            return List.of();
        } catch (ProducerConfigException e) {
            return e.problems().stream().map(ConfigProblem::toString).toList();
        }
    }
}
