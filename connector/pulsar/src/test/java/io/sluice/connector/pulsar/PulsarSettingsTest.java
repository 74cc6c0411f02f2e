package io.sluice.connector.pulsar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.connector.api.producer.ConfigProblem;
import io.sluice.connector.api.producer.Connector;
import io.sluice.connector.api.producer.ProducerConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.pulsar.client.api.CompressionType;
import org.apache.pulsar.client.api.ProducerAccessMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PulsarSettingsTest {
    @Test
    void isFoundByTheServerMode() {
        assertThat(Connector.find("pulsarMQ", getClass().getClassLoader())).containsInstanceOf(PulsarConnector.class);
    }

    @Test
    void needsTheBrokersOnly() {
        PulsarSettings settings = read();

        assertThat(settings.corrections()).isEmpty();
        assertThat(settings.fullName("orders")).isEqualTo("orders");
        assertThat(settings.adminUrl()).isNull();
        assertThat(settings.compression()).isEqualTo(CompressionType.NONE);
        assertThat(settings.accessMode()).isEqualTo(ProducerAccessMode.Shared);
        assertThat(settings.sendTimeout()).isEqualTo(Duration.ofSeconds(30));
        assertThat(settings.maxValueBytes()).isBetween(5_000_000, 5 * 1024 * 1024);
        assertThat(settings.tls().hostVerification()).isTrue();
    }

    /** Else the last answer of the broker, which has the reason, would come too late. */
    @Test
    void anAnswerOfTheClientIsWaitedForUntilItTriesNoMore() {
        for (String millis : List.of("1000", "4000", "30000", "600000")) {
            PulsarSettings settings = read("pulsarmq.sendTimeoutMs", millis);

            assertThat(settings.clientLimit())
                    .isGreaterThan(settings.sendTimeout().plus(settings.longestPause()));
        }
        assertThat(read().clientLimit()).isEqualTo(Duration.ofSeconds(40));
    }

    @Test
    void aConnectionToASingleBrokerIsTestedAsOftenAsTheClientDoesByItself() {
        for (String millis : List.of("1000", "30000", "600000")) {
            assertThat(read("pulsarmq.sendTimeoutMs", millis).keepAlive()).isEqualTo(Duration.ofSeconds(30));
        }
    }

    /** The test waits behind a message that leaves slowly. */
    @Test
    void aConnectionToSeveralBrokersIsNotTestedBeforeAMessageFails() {
        assertThat(keepAliveOfSeveral("1000")).isEqualTo(Duration.ofSeconds(10));
        assertThat(keepAliveOfSeveral("15001")).isEqualTo(Duration.ofSeconds(16));
        assertThat(keepAliveOfSeveral("30000")).isEqualTo(Duration.ofSeconds(30));
        assertThat(keepAliveOfSeveral("120000")).isEqualTo(Duration.ofMinutes(2));
    }

    private static Duration keepAliveOfSeveral(String sendTimeoutMillis) {
        return read("pulsarmq.serverUrl", "pulsar://a:6650,b:6650", "pulsarmq.sendTimeoutMs", sendTimeoutMillis)
                .keepAlive();
    }

    @Test
    void aBatchIsNotLargerThanAMessageMayBe() {
        PulsarSettings standard = read();
        PulsarSettings small = read("pulsarmq.maxMessageSize", "65536");
        PulsarSettings smallest = read("pulsarmq.maxMessageSize", "16384");

        assertThat(standard.maxBatchBytes()).isEqualTo(128 * 1024);
        assertThat(standard.maxBatchMessages()).isEqualTo(1_000);
        for (PulsarSettings settings : List.of(standard, small, smallest)) {
            assertThat(settings.maxBatchMessages()).isGreaterThan(1);
            assertThat(settings.maxBatchBytes() + settings.maxBatchMessages() * 500)
                    .isLessThan(settings.maxMessageBytes());
        }
    }

    @Test
    void keysThatNameFilesAreDistinguishedFromOthers() {
        assertThat(new PulsarConnector()
                        .localKeys(Map.of(
                                "pulsarmq.serverUrl", "pulsar://a:6650",
                                "pulsarmq.roleToken", " file:/run/token",
                                "pulsarmq.tlsTrustCertsFilePath", "ca.pem",
                                "pulsarmq.tlsCertificateFilePath", " ",
                                "pulsarmq.tlsKeyFilePath", "key.pem")))
                .containsExactly("pulsarmq.roleToken", "pulsarmq.tlsKeyFilePath", "pulsarmq.tlsTrustCertsFilePath");
        assertThat(new PulsarConnector().localKeys(Map.of("pulsarmq.roleToken", "abc")))
                .isEmpty();
    }

    @Test
    void takesCanalsKeys() {
        PulsarSettings settings = read(
                "pulsarmq.topicTenantPrefix", "persistent://shop/changes/",
                "pulsarmq.adminServerUrl", "http://10.0.0.1:8080/",
                "pulsarmq.roleToken", "secret",
                "pulsarmq.listenerName", "external",
                "pulsarmq.enableChunking", "true",
                "pulsarmq.compressionType", "LZ4");

        assertThat(settings.fullName("orders")).isEqualTo("persistent://shop/changes/orders");
        assertThat(settings.adminUrl()).isEqualTo("http://10.0.0.1:8080");
        assertThat(settings.currentToken()).isEqualTo("secret");
        assertThat(settings.listenerName()).isEqualTo("external");
        assertThat(settings.chunking()).isTrue();
        assertThat(settings.compression()).isEqualTo(CompressionType.LZ4);
        assertThat(settings.maxValueBytes()).isGreaterThan(5 * 1024 * 1024);
        assertThat(settings.toString()).doesNotContain("secret");
    }

    /** As canal does. */
    @Test
    void takesAnUnknownCompressionForNone() {
        PulsarSettings settings = read("pulsarmq.compressionType", "lz5");

        assertThat(settings.compression()).isEqualTo(CompressionType.NONE);
        assertThat(settings.corrections())
                .containsExactly(
                        "pulsarmq.compressionType: taken for none, since it is none of lz4, zlib, zstd, snappy");
    }

    @Test
    void theAdminServersNameMayHaveAnUnderscore() {
        PulsarSettings settings = read("pulsarmq.adminServerUrl", "http://pulsar_admin:8080");

        assertThat(settings.adminUrl()).isEqualTo("http://pulsar_admin:8080");
    }

    @Test
    void anUnderscoreInTheBrokersNameIsReported() {
        assertThat(problems("pulsarmq.serverUrl", "pulsar://pulsar_broker:6650"))
                .singleElement()
                .satisfies(problem -> assertThat(problem.problem()).contains("has a _ in the name of a host"));
    }

    @Test
    void manyBrokersAreAccepted() {
        String url = "pulsar://a:6650" + ",b:6650".repeat(10_000);

        assertThat(read("pulsarmq.serverUrl", url).serviceUrl()).isEqualTo(url);
    }

    @Test
    void keysAreDistinguishedFromOptionsOfTheJvm() {
        PulsarConnector connector = new PulsarConnector();

        assertThat(connector.knows("pulsarmq.tlsKeyFilePath")).isTrue();
        assertThat(connector.knows("pulsarmq.subscriptName")).isTrue();
        assertThat(connector.knows("pulsarmq.other")).isFalse();
    }

    @Test
    void reportsAllProblemsAtOnce() {
        List<ConfigProblem> problems = problemsOf(Map.of(
                "pulsarmq.serverUrl", "10.0.0.1:6650",
                "pulsarmq.topicTenantPrefix", "public",
                "pulsarmq.adminServerUrl", "10.0.0.1:8080",
                "pulsarmq.accessMode", "WaitForExclusive",
                "pulsarmq.sendTimeoutMs", "soon",
                "pulsarmq.maxMessageSize", "5",
                "pulsarmq.enableChunking", "yes",
                "pulsarmq.tlsTrustCertsFilePath", "/no/such/ca.pem",
                "pulsarmq.topicTenantPrefx", "public/default",
                "pulsarmq.xyz", "1"));

        assertThat(problems)
                .extracting(ConfigProblem::key)
                .containsExactlyInAnyOrder(
                        "pulsarmq.serverUrl",
                        "pulsarmq.topicTenantPrefix",
                        "pulsarmq.adminServerUrl",
                        "pulsarmq.accessMode",
                        "pulsarmq.sendTimeoutMs",
                        "pulsarmq.maxMessageSize",
                        "pulsarmq.enableChunking",
                        "pulsarmq.tlsTrustCertsFilePath",
                        "pulsarmq.topicTenantPrefx",
                        "pulsarmq.xyz");
        assertThat(problems)
                .contains(
                        new ConfigProblem(
                                "pulsarmq.topicTenantPrefx",
                                "there is no such key; did you mean pulsarmq.topicTenantPrefix?"),
                        new ConfigProblem("pulsarmq.xyz", "there is no such key"));
        assertThat(problemsOf(Map.of())).extracting(ConfigProblem::key).containsExactly("pulsarmq.serverUrl");
    }

    @Test
    void aDirectoryIsNoFile(@TempDir Path folder) {
        for (String key : List.of("tlsTrustCertsFilePath", "tlsCertificateFilePath", "tlsKeyFilePath")) {
            assertThat(problems("pulsarmq." + key, folder.toString()))
                    .containsExactly(new ConfigProblem("pulsarmq." + key, "there is no readable file " + folder));
        }
    }

    @Test
    void aNumberThatIsTooLargeForItsTypeIsReported() {
        assertThat(problems("pulsarmq.memoryLimitBytes", "4294967296"))
                .containsExactly(new ConfigProblem(
                        "pulsarmq.memoryLimitBytes", "4294967296 must be a whole number from 1024 to 2147483647"));
    }

    /** The nearest key, but none that is only of the same length. */
    @Test
    void onlyASimilarKeyIsSuggested() {
        assertThat(problems("pulsarmq.roleTokne", "x", "pulsarmq.reloading", "x"))
                .containsExactlyInAnyOrder(
                        new ConfigProblem(
                                "pulsarmq.roleTokne", "there is no such key; did you mean pulsarmq.roleToken?"),
                        new ConfigProblem("pulsarmq.reloading", "there is no such key"));
    }

    @Test
    void warnsOfTopicsThatAreNotStored() {
        assertThat(read("pulsarmq.topicTenantPrefix", "non-persistent://public/default")
                        .corrections())
                .singleElement()
                .asString()
                .startsWith("pulsarmq.topicTenantPrefix: ");
    }

    @Test
    void leavesOutWhatIsForConsumers() {
        PulsarSettings settings = read("pulsarmq.subscriptName", "s", "kafka.acks", "2");

        assertThat(settings.corrections()).containsExactly("pulsarmq.subscriptName: ignored, it is for consumers");
    }

    @Test
    void namesItsProducersAfterTheDestination() {
        assertThat(read().producerName("shop")).isEmpty();
        assertThat(read("pulsarmq.producerName", "canal-${destination}").producerName("shop"))
                .isEqualTo("canal-shop");
    }

    @Test
    void readsATokenFromAFileEachTime(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("token"), "first\n");
        PulsarSettings settings = read("pulsarmq.roleToken", "file:" + file);

        assertThat(settings.currentToken()).isEqualTo("first");
        Files.writeString(file, "second");
        assertThat(settings.currentToken()).isEqualTo("second");
    }

    @Test
    void knowsWhereTopicsAreMade() {
        assertThat(PulsarAdmin.path("persistent://shop/changes/orders"))
                .isEqualTo("/admin/v2/persistent/shop/changes/orders/partitions");
        assertThat(PulsarAdmin.path("shop/changes/orders"))
                .isEqualTo("/admin/v2/persistent/shop/changes/orders/partitions");
        assertThat(PulsarAdmin.path("non-persistent://shop/changes/orders"))
                .isEqualTo("/admin/v2/non-persistent/shop/changes/orders/partitions");
        assertThat(PulsarAdmin.path("orders")).isEqualTo("/admin/v2/persistent/public/default/orders/partitions");
        assertThat(PulsarAdmin.path("shop/changes/my table+50%#?^\u00e9"))
                .isEqualTo("/admin/v2/persistent/shop/changes/my%20table%2B50%25%23%3F%5E%C3%A9/partitions");
    }

    private static PulsarSettings read(String... keysAndValues) {
        return PulsarSettingsReader.read(properties(keysAndValues));
    }

    private static List<ConfigProblem> problems(String... keysAndValues) {
        return problemsOf(properties(keysAndValues));
    }

    private static List<ConfigProblem> problemsOf(Map<String, String> properties) {
        return catchThrowableOfType(ProducerConfigException.class, () -> PulsarSettingsReader.read(properties))
                .problems();
    }

    private static Map<String, String> properties(String... keysAndValues) {
        Map<String, String> properties = new HashMap<>(Map.of("pulsarmq.serverUrl", "pulsar://127.0.0.1:6650"));
        for (int i = 0; i < keysAndValues.length; i += 2) {
            properties.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        return properties;
    }
}
