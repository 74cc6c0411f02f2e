package io.sluice.connector.kafka.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.connector.api.producer.ConfigProblem;
import io.sluice.connector.api.producer.Connector;
import io.sluice.connector.api.producer.ProducerConfigException;
import io.sluice.connector.kafka.KafkaConnector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KafkaSettingsTest {
    /** What canal ships. */
    private static final Map<String, String> CANALS = Map.of(
            "kafka.bootstrap.servers", "127.0.0.1:9092",
            "kafka.acks", "all",
            "kafka.compression.type", "none",
            "kafka.batch.size", "16384",
            "kafka.linger.ms", "1",
            "kafka.max.request.size", "1048576",
            "kafka.buffer.memory", "33554432",
            "kafka.max.in.flight.requests.per.connection", "1",
            "kafka.retries", "0",
            "kafka.kerberos.enable", "false");

    @Test
    void isFoundByTheServerMode() {
        assertThat(Connector.find("Kafka", getClass().getClassLoader())).containsInstanceOf(KafkaConnector.class);
        assertThat(Connector.find("rocketMQ", getClass().getClassLoader())).isEmpty();
    }

    /** Kafka's client looks at each blank of a list as often as there are blanks after it. */
    @ParameterizedTest
    @ValueSource(strings = {"bootstrap.servers", "ssl.cipher.suites", "metric.reporters"})
    @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aListWithManyBlanksIsReadInTimeInProportionToItsLength(String option) {
        String blanks = " \t".repeat(500_000);

        assertThat(problems(with("kafka." + option, "a" + blanks + "b:1," + blanks + "c:1" + blanks + ",d:1")))
                .hasSizeLessThan(2);
    }

    @Test
    void blanksAroundTheElementsOfAListDoNotCount() {
        assertThat(KafkaSettingsReader.read(with("kafka.bootstrap.servers", "db1:1 \t,\t  db2:2"))
                        .config())
                .containsEntry("bootstrap.servers", "db1:1,db2:2");
        assertThat(KafkaSettingsReader.read(with("kafka.ssl.enabled.protocols", "TLSv1.2   ,  TLSv1.3"))
                        .config())
                .containsEntry("ssl.enabled.protocols", "TLSv1.2,TLSv1.3");
    }

    @Test
    void isSafeByDefault() {
        KafkaSettings settings = KafkaSettingsReader.read(Map.of("kafka.bootstrap.servers", "127.0.0.1:9092"));

        assertThat(settings.corrections()).isEmpty();
        assertThat(settings.config())
                .containsEntry("acks", "all")
                .containsEntry("enable.idempotence", "true")
                .containsEntry("delivery.timeout.ms", "30000");
    }

    /** Kafka's client waits without limit for a server of tokens that accepts a connection and says nothing. */
    @Test
    void aServerOfTokensIsWaitedForForALimitedTime() {
        Map<String, String> properties = new HashMap<>(with("kafka.sasl.mechanism", "OAUTHBEARER"));
        assertThat(KafkaSettingsReader.read(properties).config())
                .containsEntry("sasl.login.connect.timeout.ms", "10000")
                .containsEntry("sasl.login.read.timeout.ms", "10000");
        assertThat(KafkaSettingsReader.read(properties).adminConfig(Duration.ofSeconds(1)))
                .containsEntry("sasl.login.read.timeout.ms", "10000");

        properties.put("kafka.sasl.login.read.timeout.ms", "300");
        assertThat(KafkaSettingsReader.read(properties).config()).containsEntry("sasl.login.read.timeout.ms", "300");
        assertThat(KafkaSettingsReader.read(with("kafka.sasl.mechanism", "PLAIN"))
                        .config())
                .doesNotContainKey("sasl.login.read.timeout.ms");
    }

    @Test
    void takesWhatCanalShips() {
        KafkaSettings settings = KafkaSettingsReader.read(CANALS);

        assertThat(settings.config())
                .doesNotContainKey("retries")
                .doesNotContainKey("kerberos.enable")
                .containsEntry("enable.idempotence", "true")
                .containsEntry("batch.size", "16384")
                .containsEntry("max.in.flight.requests.per.connection", "1");
        assertThat(settings.corrections()).singleElement().asString().startsWith("kafka.retries: 0 is ignored");
        assertThat(settings.maxValueBytes()).isEqualTo(1_048_576 - 512);
    }

    @Test
    void aBlankOptionIsNotSet() {
        assertThat(KafkaSettingsReader.read(with("kafka.linger.ms", " ")).config())
                .containsEntry("linger.ms", "2");
    }

    @Test
    void batchesAreAsLargeAsARequestMayBe() {
        Map<String, String> unset = with("kafka.batch.size", "", "kafka.max.request.size", "");
        assertThat(KafkaSettingsReader.read(unset).config())
                .containsEntry("batch.size", "1000000")
                .containsEntry("send.buffer.bytes", "-1");
        assertThat(KafkaSettingsReader.read(with("kafka.batch.size", "", "kafka.max.request.size", "200000"))
                        .config())
                .containsEntry("batch.size", "200000");
        assertThat(KafkaSettingsReader.read(with("kafka.max.request.size", "200000"))
                        .config())
                .containsEntry("batch.size", "16384");
        assertThat(problems(with("kafka.batch.size", "", "kafka.max.request.size", "much")))
                .extracting(ConfigProblem::key)
                .containsOnly("kafka.max.request.size"); // Kafka says it twice
    }

    @ParameterizedTest
    @ValueSource(strings = {"a:9092,b:9092,", ",a:9092, ,b:9092", "a:9092,b:9092, a:9092"})
    void serversWithGapsAndRepetitionsAreTakenAsOlderClientsDid(String servers) {
        KafkaSettings settings = KafkaSettingsReader.read(Map.of("kafka.bootstrap.servers", servers));

        assertThat(settings.config()).containsEntry("bootstrap.servers", "a:9092,b:9092");
        assertThat(settings.corrections())
                .containsExactly("kafka.bootstrap.servers: taken for a:9092,b:9092, each server once");
    }

    @Test
    void blanksBetweenServersNeedNoCorrection() {
        KafkaSettings settings = KafkaSettingsReader.read(Map.of("kafka.bootstrap.servers", "a:9092, b:9092"));

        assertThat(settings.corrections()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "org.apache.kafka.clients.producer.internals.DefaultPartitioner",
                "org.apache.kafka.clients.producer.UniformStickyPartitioner"
            })
    void aPartitionerThatKafkaHasRemovedIsLeftOut(String partitioner) {
        KafkaSettings settings = KafkaSettingsReader.read(
                Map.of("kafka.bootstrap.servers", "a:9092", "kafka.partitioner.class", partitioner));

        assertThat(settings.config()).doesNotContainKey("partitioner.class");
        assertThat(settings.corrections())
                .singleElement()
                .asString()
                .startsWith("kafka.partitioner.class: ignored")
                .contains(partitioner);
    }

    @Test
    void unknownOptionsPass() {
        KafkaSettings settings =
                KafkaSettingsReader.read(with("kafka.sasl.mechanism", "PLAIN", "kafka.no.such.option", "x"));

        assertThat(settings.config()).containsEntry("sasl.mechanism", "PLAIN").containsEntry("no.such.option", "x");
    }

    @Test
    void keepsTheOrderWithoutIdempotence() {
        KafkaSettings weakAcks =
                KafkaSettingsReader.read(with("kafka.acks", "1", "kafka.max.in.flight.requests.per.connection", "5"));
        KafkaSettings switchedOff = KafkaSettingsReader.read(
                with("kafka.enable.idempotence", "false", "kafka.max.in.flight.requests.per.connection", "5"));

        assertThat(weakAcks.config())
                .containsEntry("enable.idempotence", "false")
                .containsEntry("max.in.flight.requests.per.connection", "1");
        assertThat(weakAcks.corrections())
                .anyMatch(text -> text.startsWith("kafka.acks: a broker that fails may lose"));
        assertThat(switchedOff.corrections())
                .anyMatch(text -> text.startsWith("kafka.enable.idempotence: a producer that is not idempotent may"));
        assertThat(switchedOff.config()).containsEntry("max.in.flight.requests.per.connection", "1");
    }

    @Test
    void manyRequestsInFlightAreCutDown() {
        KafkaSettings settings = KafkaSettingsReader.read(with("kafka.max.in.flight.requests.per.connection", "100"));

        assertThat(settings.config()).containsEntry("max.in.flight.requests.per.connection", "5");
        assertThat(settings.produceOptions().maxInFlight()).isEqualTo(14);
        assertThat(KafkaSettingsReader.read(with("kafka.max.in.flight.requests.per.connection", "7"))
                        .produceOptions()
                        .maxInFlight())
                .isEqualTo(7);
        assertThat(KafkaSettingsReader.read(with("kafka.max.in.flight.requests.per.connection", "1"))
                        .produceOptions()
                        .maxInFlight())
                .isEqualTo(1);
    }

    @Test
    void aLongRequestTimeoutMovesTheDeliveryTimeout() {
        KafkaSettings settings = KafkaSettingsReader.read(with("kafka.request.timeout.ms", "60000"));

        assertThat(settings.config()).containsEntry("delivery.timeout.ms", "60001");
    }

    @Test
    void aShortDeliveryTimeoutMovesTheRequestTimeout() {
        KafkaSettings settings = KafkaSettingsReader.read(with("kafka.delivery.timeout.ms", "5000"));

        assertThat(settings.config()).containsEntry("request.timeout.ms", "4999");
    }

    @Test
    void reportsAllProblemsAtOnce() {
        List<ConfigProblem> problems = problems(Map.of(
                "kafka.linger.ms", "soon",
                "kafka.batch.size", "-5",
                "kafka.acks", "2",
                "kafka.transactional.id", "t",
                "kafka.kerberos.enable", "true",
                "kafka.kerberos.krb5.file", "/no/such/krb5.conf"));

        assertThat(problems)
                .extracting(ConfigProblem::key)
                .contains(
                        "kafka.bootstrap.servers",
                        "kafka.linger.ms",
                        "kafka.batch.size",
                        "kafka.acks",
                        "kafka.transactional.id",
                        "kafka.kerberos.krb5.file",
                        "kafka.kerberos.jaas.file");
    }

    /** Whether Kafka checks it or we read it ourselves: no typo counts as false, or as the default. */
    @ParameterizedTest
    @CsvSource({
        "kafka.kerberos.enable, ture",
        "kafka.enable.idempotence, ture",
        "kafka.retries, none",
        "kafka.max.in.flight.requests.per.connection, few",
        "kafka.batch.size, 1m",
        "kafka.max.request.size, 1m",
        "kafka.buffer.memory, 1m",
        "kafka.linger.ms, soon",
        "kafka.delivery.timeout.ms, soon",
        "kafka.request.timeout.ms, soon",
        "kafka.retry.backoff.ms, soon",
        "kafka.retry.backoff.max.ms, soon",
        "kafka.transaction.timeout.ms, soon",
        "kafka.max.block.ms, soon",
        "kafka.sluice.producer, batch",
    })
    void whatCannotBeReadIsRejected(String key, String value) {
        Map<String, String> servers = Map.of("kafka.bootstrap.servers", "127.0.0.1:9092");
        for (String acks : List.of("all", "1")) { // without all, the producer is not idempotent
            Map<String, String> properties = new HashMap<>(servers);
            properties.put("kafka.acks", acks);
            properties.put(key, value);

            assertThat(problems(properties))
                    .singleElement()
                    .extracting(ConfigProblem::key)
                    .isEqualTo(key);
        }
    }

    /** Kafka's client would find it when the producer is made, and a check of the configuration would not. */
    @ParameterizedTest
    @ValueSource(
            strings = {"broker", "broker:", "broker:x", "broker:0", "broker:65536", "broker:99999999999", ":9092:"})
    void aBrokerWithoutAPortIsRejected(String broker) {
        assertThat(problems(with("kafka.bootstrap.servers", "127.0.0.1:9092," + broker)))
                .containsExactly(new ConfigProblem(
                        "kafka.bootstrap.servers",
                        "each broker is host:port, such as broker1:9092, and this is not: " + broker));
    }

    @Test
    void ofManyBrokersWithoutAPortSomeAreShown() {
        assertThat(problems(with("kafka.bootstrap.servers", "a,b,c,d:1,e,f,g")))
                .singleElement()
                .asString()
                .endsWith("and this is not: a, b, c, e, f");
    }

    @ParameterizedTest
    @ValueSource(strings = {"no.such.host:9092", "[::1]:9092", "PLAINTEXT://broker:9092", "broker_1:65535"})
    void whatKafkasClientTakesForAnAddressIsAccepted(String broker) {
        assertThat(problems(with("kafka.bootstrap.servers", broker))).isEmpty();
    }

    @Test
    void aBrokerThatAProviderHasIsNotChecked() {
        assertThat(problems(with(
                        "kafka.bootstrap.servers", "${env:BROKERS}",
                        "kafka.config.providers", "env",
                        "kafka.config.providers.env.class",
                                "org.apache.kafka.common.config.provider.EnvVarConfigProvider")))
                .noneMatch(problem -> problem.key().equals("kafka.bootstrap.servers"));
    }

    @Test
    void aDirectoryIsNoFileOfKerberos(@TempDir Path dir) {
        assertThat(problems(kerberos(dir, dir)))
                .containsExactly(
                        new ConfigProblem(
                                "kafka.kerberos.krb5.file",
                                "needed for Kerberos, but there is no readable file " + dir),
                        new ConfigProblem(
                                "kafka.kerberos.jaas.file",
                                "needed for Kerberos, but there is no readable file " + dir));
    }

    @Test
    void eachDestinationHasItsOwnTransactions() {
        KafkaSettings settings = KafkaSettingsReader.read(with("kafka.transactional.id", "sluice"))
                .forDestination("shop");

        assertThat(settings.isTransactional()).isTrue();
        assertThat(settings.transactionalId()).isEqualTo("sluice-shop");
        assertThat(settings.config()).containsEntry("transactional.id", "sluice-shop");
        assertThat(KafkaSettingsReader.read(CANALS).isTransactional()).isFalse();
    }

    @Test
    void reportsOptionsThatDoNotFitTogether() {
        assertThat(problems(with("kafka.transactional.id", "t", "kafka.enable.idempotence", "false")))
                .extracting(ConfigProblem::key)
                .contains("kafka.transactional.id");
        assertThat(problems(with("kafka.delivery.timeout.ms", "1000", "kafka.request.timeout.ms", "1000")))
                .containsExactly(new ConfigProblem(
                        "kafka.delivery.timeout.ms",
                        "is 1000, must not be less than linger.ms + request.timeout.ms, 1001"));
        assertThat(problems(with("kafka.acks", "1", "kafka.enable.idempotence", "true")))
                .extracting(ConfigProblem::key)
                .contains("kafka.acks");
    }

    @Test
    void kerberosTakesItsLoginFromTheFile(@TempDir Path dir) throws IOException {
        Path krb5 = Files.createFile(dir.resolve("krb5.conf"));
        Path jaas = Files.writeString(dir.resolve("jaas.conf"), """
                Client { com.sun.security.auth.module.Krb5LoginModule required; };
                KafkaClient {
                  com.sun.security.auth.module.Krb5LoginModule required
                  useKeyTab=true keyTab="/etc/a \\"b\\".keytab" principal="sluice@EXAMPLE.COM";
                };
                """);

        KafkaSettings settings = KafkaSettingsReader.read(kerberos(krb5, jaas));

        assertThat(settings.krb5File()).isEqualTo(krb5);
        assertThat(settings.config())
                .containsEntry("security.protocol", "SASL_PLAINTEXT")
                .containsEntry("sasl.mechanism", "GSSAPI")
                .containsEntry("sasl.kerberos.service.name", "kafka")
                .doesNotContainKey("kerberos.krb5.file");
        assertThat(String.valueOf(settings.config().get("sasl.jaas.config")))
                .startsWith("com.sun.security.auth.module.Krb5LoginModule required ")
                .contains("keyTab=\"/etc/a \\\"b\\\".keytab\"", "principal=\"sluice@EXAMPLE.COM\"")
                .endsWith(";");
    }

    /** So that a login can be changed while the server runs. */
    @Test
    void theFileWithTheLoginIsReadForEachClient(@TempDir Path dir) throws IOException {
        Path jaas =
                Files.writeString(dir.resolve("jaas.conf"), "KafkaClient { Module required principal=\"first\"; };");
        KafkaSettings settings = KafkaSettingsReader.read(kerberos(Files.createFile(dir.resolve("krb5.conf")), jaas));

        Files.writeString(jaas, "KafkaClient { Module required principal=\"second\"; };");
        assertThat(settings.config()).containsEntry("sasl.jaas.config", "Module required principal=\"second\";");

        Files.writeString(jaas, "KafkaClient { what hunter2 this");
        assertThatThrownBy(settings::config)
                .isInstanceOf(ProducerConfigException.class)
                .hasMessageStartingWith("kafka.kerberos.jaas.file: " + jaas + " cannot be read")
                .hasMessageNotContaining("hunter2");
        assertThat(settings.toString()).doesNotContain("first", "second");
    }

    @Test
    void aKerberosFileWithoutALoginIsAProblem(@TempDir Path dir) throws IOException {
        Path krb5 = Files.createFile(dir.resolve("krb5.conf"));
        Path other = Files.writeString(
                dir.resolve("other.conf"), "Client { com.sun.security.auth.module.Krb5LoginModule required; };");
        Path broken = Files.writeString(dir.resolve("broken.conf"), "KafkaClient { what hunter2 this");
        Path unquoted = Files.writeString(
                dir.resolve("unquoted.conf"), "KafkaClient {\n  Module required password=a hunter2;\n};");

        assertThat(problems(kerberos(krb5, other)))
                .containsExactly(new ConfigProblem(
                        "kafka.kerberos.jaas.file",
                        other + " has no section KafkaClient, and needs one with one login module"));
        assertThat(problems(kerberos(krb5, unquoted)))
                .singleElement()
                .asString()
                .contains(" cannot be read: a syntax error in line 2; ")
                .doesNotContain("hunter2");
        assertThat(problems(kerberos(krb5, broken))).singleElement().satisfies(problem -> {
            assertThat(problem.key()).isEqualTo("kafka.kerberos.jaas.file");
            assertThat(problem.problem())
                    .startsWith(broken + " cannot be read: a syntax error; ")
                    .doesNotContainIgnoringCase("hunter2");
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "hunter2",
                "Module required username=\"x\" password=\"hunter2\"",
                "Module required password=a hunter2;",
                "Module hunter2 password=a;",
                "Module required password=a; Module required password=hunter2;"
            })
    void aLoginThatCannotBeReadIsAProblemWithoutIt(String login) {
        assertThat(problems(with("kafka.sasl.jaas.config", login)))
                .singleElement()
                .asString()
                .startsWith("kafka.sasl.jaas.config: is not one login")
                .doesNotContainIgnoringCase("hunter2");
    }

    @Test
    void aLoginMayBeLeftToConfigProviders() {
        assertThat(problems(with(
                        "kafka.sasl.jaas.config", "${file:/run/secrets:login}",
                        "kafka.config.providers", "file",
                        "kafka.config.providers.file.class",
                                "org.apache.kafka.common.config.provider.FileConfigProvider")))
                .noneMatch(problem -> problem.key().equals("kafka.sasl.jaas.config"));
        assertThat(problems(with("kafka.sasl.jaas.config", "Module required password=\"a\";")))
                .isEmpty();
    }

    private static List<ConfigProblem> problems(Map<String, String> properties) {
        try {
            KafkaSettings unused = KafkaSettingsReader.read(properties);
            return List.of();
        } catch (ProducerConfigException e) {
            return e.problems();
        }
    }

    private static Map<String, String> kerberos(Path krb5, Path jaas) {
        return with(
                "kafka.kerberos.enable", "true",
                "kafka.kerberos.krb5.file", krb5.toString(),
                "kafka.kerberos.jaas.file", jaas.toString());
    }

    private static Map<String, String> with(String... keysAndValues) {
        Map<String, String> properties = new HashMap<>(CANALS);
        for (int i = 0; i < keysAndValues.length; i += 2) {
            properties.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        return properties;
    }
}
