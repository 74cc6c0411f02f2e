package io.sluice.server.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.connector.api.probe.Finding;
import io.sluice.connector.api.producer.ConfigProblem;
import io.sluice.connector.api.producer.Connector;
import io.sluice.connector.api.producer.MessageProducerFactory;
import io.sluice.connector.api.producer.ProducerConfigException;
import io.sluice.protocol.time.Time;
import io.sluice.server.config.load.ConfigReader;
import io.sluice.server.config.read.ProducerCheck;
import io.sluice.server.config.sent.GivenTexts;
import io.sluice.server.config.sent.TrialTexts;
import io.sluice.server.config.text.Environment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is tried of texts that were sent. */
class TrialsTest {
    private static final String SERVER = "canal.serverMode = kafka\ncanal.destinations = shop\n";

    /** Its password is not known, so that no source is tried. */
    private static final String INSTANCE = """
            canal.instance.master.address = db:3306
            canal.instance.dbPassword = ******
            canal.mq.topic = shop
            """;

    @TempDir
    Path folder;

    /** The connector knows the new name alone. */
    @ParameterizedTest
    @CsvSource({"kafka.batch.size", "canal.mq.batchSize"})
    void aKeyThatTheConnectorRejectsIsNamedAsItIsWritten(String key) throws Exception {
        List<Finding> findings = broker(SERVER + "kafka.bootstrap.servers = a:1\n" + key + " = large\n");

        assertThat(findings).singleElement().satisfies(finding -> {
            assertThat(finding.subject()).isEqualTo(key);
            assertThat(finding.evidence()).isEqualTo("large is no number");
        });
    }

    @Test
    void soIsAKeyThatNamesAFile() throws Exception {
        List<Finding> findings =
                broker(SERVER + "kafka.bootstrap.servers = a:1\ncanal.mq.kafka.kerberos.krb5.file = /etc/krb5.conf\n");

        assertThat(findings)
                .singleElement()
                .extracting(Finding::evidence)
                .asString()
                .startsWith("not tried: canal.mq.kafka.kerberos.krb5.file may name a file");
    }

    @Test
    void aConnectorThatFailsForAReasonThatItHasNotForeseenIsAFinding() throws Exception {
        List<Finding> findings = broker("""
                canal.serverMode = kafka
                kafka.bootstrap.servers = 127.0.0.1:9
                kafka.ssl.key.password = hunter2345
                """);

        assertThat(findings).singleElement().satisfies(finding -> {
            assertThat(finding.subject()).isEqualTo("kafka.*");
            assertThat(finding.toString()).doesNotContain("hunter2345");
        });
    }

    private List<Finding> broker(String server) throws Exception {
        Path file = folder.resolve("conf/canal.properties");
        Files.createDirectories(file.resolveSibling("."));
        Files.writeString(file, "canal.serverMode = stdout\ncanal.destinations = own\n");
        Files.createDirectories(file.resolveSibling("own"));
        Files.writeString(file.resolveSibling("own/instance.properties"), INSTANCE);
        ConfigReader reader = new ConfigReader(
                file, folder.resolve("bin"), Environment.ofThisProcess(), ProducerCheck.NONE, Time.SYSTEM);
        TrialTexts texts = reader.forTrial(new GivenTexts(Optional.of(server), "shop", Optional.of(INSTANCE)));
        assertThat(texts.checked().problems()).isEmpty();

        return new Trials(Optional.of(new RejectingConnector()), Time.SYSTEM)
                .connect(texts, reader.load()).orElseThrow().instances().get(0).targets().stream()
                        .filter(target -> target.target().equals("kafka"))
                        .flatMap(target -> target.findings().stream())
                        .toList();
    }

    /** Rejects a size that is none, and names the keys of files, as Kafka's does. */
    private static final class RejectingConnector implements Connector {
        @Override
        public String name() {
            return "kafka";
        }

        @Override
        public MessageProducerFactory configure(Map<String, String> properties) {
            if (properties.getOrDefault("kafka.batch.size", "1").equals("large")) {
                throw new ProducerConfigException(List.of(new ConfigProblem("kafka.batch.size", "large is no number")));
            }
            if (properties.containsKey("kafka.ssl.key.password")) {
                throw new IllegalStateException("no key by " + properties);
            }
            return context -> {
                throw new IllegalStateException("nothing is sent");
            };
        }

        @Override
        public List<String> localKeys(Map<String, String> properties) {
            return properties.keySet().stream()
                    .filter(key -> key.endsWith(".file"))
                    .toList();
        }
    }
}
