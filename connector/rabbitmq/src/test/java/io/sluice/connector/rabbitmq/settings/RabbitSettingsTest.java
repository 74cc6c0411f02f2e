package io.sluice.connector.rabbitmq.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.connector.api.attempt.SendException;
import io.sluice.connector.api.producer.ConfigProblem;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.connector.api.producer.ProducerConfigException;
import io.sluice.connector.api.producer.ProducerContext;
import io.sluice.connector.api.producer.ProducerIdentity;
import io.sluice.connector.rabbitmq.RabbitConnector;
import io.sluice.connector.rabbitmq.node.NodeOrder;
import io.sluice.testkit.tls.Certificates;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
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
        Address address = Address.parse(text, false).get(0);

        assertThat(address.host()).isEqualTo(host);
        assertThat(address.port()).isEqualTo(port);
        assertThat(address.tls()).isEqualTo(tls);
        assertThat(address.username()).isEqualTo(username);
        assertThat(address.virtualHost()).isEqualTo(virtualHost);
    }

    /** What one does not name it has of the first. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a,b:5673, c | guest@a:5672/ guest@b:5673/ guest@c:5672/",
                "[::1]:1,[::2] | guest@[::1]:1/ guest@[::2]:5672/",
                "amqps://u:p@a/shop,b:1 | u@a:5671shop u@b:1shop",
                "amqps://u:p@a/shop,b,amqp://c | u@a:5671shop u@b:5671shop u@c:5672shop",
                "amqp://u:p@a/shop,amqp://v:q@b/shop | u@a:5672shop v@b:5672shop",
                "amqp://u:p,w@a,b | u@a:5672/ u@b:5672/",
                "amqp://u:p,w,x@a,amqp://v:,@b | u@a:5672/ v@b:5672/",
            })
    void readsTheAddressesOfACluster(String text, String expected) {
        assertThat(Address.parse(text, false)).extracting(Address::toString).containsExactly(expected.split(" "));
    }

    @Test
    void theLoginOfTheFirstAddressIsThatOfTheOthers() {
        assertThat(Address.parse("amqp://u:p,w@a,b,v:x@c", false))
                .extracting(Address::password)
                .containsExactly("p,w", "p,w", "x");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a,,b | address 2 names no host",
                "a, | address 2 names no host",
                ",a | address 1 names no host",
                "a,b:99999 | address 2 has the port 99999, must be 1 to 65535",
                "amqp://u:secret@a/x,amqp://b/y | has several virtual hosts: all addresses must be nodes of one cluster,"
                        + " with one",
                "amqp://u:secret@a:1:2,b | address 1 names no host, or one with a letter that no host's name has",
            })
    void refusesOtherListsOfAddresses(String text, String problem) {
        assertThat(problems("rabbitmq.host", text)).containsExactly("rabbitmq.host: " + problem);
    }

    @Test
    void addressesWithSeveralVirtualHostsAreRightIfTheKeyNamesOne() {
        assertThat(problems("rabbitmq.host", "amqp://a/x,amqp://b/y", "rabbitmq.virtual.host", "z"))
                .isEmpty();
    }

    /** And returns to the first one after the last. */
    @Test
    void anotherNodeIsTakenWhenTheCurrentOneIsLeft() {
        List<Address> nodes = Address.parse("a,b,c", false);
        NodeOrder order = new NodeOrder(nodes, "shop");
        Address first = order.current();

        order.leave(first, null);
        Address second = order.current();
        order.leave(first, null);

        assertThat(order.current()).isEqualTo(second).isNotEqualTo(first);
        order.leave(second, null);
        assertThat(order.current()).isNotIn(first, second);
        order.leave(order.current(), null);
        assertThat(order.current()).isEqualTo(first);
    }

    @Test
    void instancesBeginWithDifferentNodes() {
        List<Address> nodes = Address.parse("a,b,c", false);

        assertThat(IntStream.range(0, 30).mapToObj(i -> new NodeOrder(nodes, "shop" + i).current()))
                .containsAll(nodes);
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
        Address address =
                Address.parse("amqp://u:secret@broker/shop", true).get(0).with("v", "", "other");

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
                        "rabbitmq.host: missing: the broker's host, host:port, or amqp URI; those of a cluster, separated by"
                                + " commas",
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

    /** It may have white space, which an operator has written into its file; trimmed, it would be another id. */
    @Test
    void theNameOfTheFenceIsThatOfTheDeploymentOtherwise() {
        RabbitSettings settings = RabbitSettingsReader.read(Map.of("rabbitmq.host", "broker"));

        assertThat(settings.fenceName(new ProducerContext("shop", "\n/opt/sluice", Ownership.SOLE)))
                .isEqualTo(ProducerIdentity.of("shop", "\n/opt/sluice"))
                .isNotEqualTo(ProducerIdentity.of("shop", "/opt/sluice"));
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
        assertThat(settings.factory(settings.addresses().get(0), socket -> {}).isSSL())
                .isTrue();

        for (String damaged :
                List.of("half of a certificate", "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n")) {
            Files.writeString(trusted, damaged);

            assertThatThrownBy(() -> settings.factory(settings.addresses().get(0), socket -> {}))
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
