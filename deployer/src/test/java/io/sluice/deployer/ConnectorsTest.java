package io.sluice.deployer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.connector.api.producer.Connector;
import io.sluice.connector.api.producer.MessageProducerFactory;
import io.sluice.server.config.server.ServerMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Plugins that are compiled here, some with defects. */
class ConnectorsTest {
    private static final String FACTORY = "return context -> { throw new IllegalStateException(\"no broker\"); };";

    @TempDir
    private Path directory;

    private Path plugins;
    private Connectors connectors;
    private final List<String> problems = new ArrayList<>();

    @BeforeEach
    void pluginDirectory() throws IOException {
        plugins = Files.createDirectory(directory.resolve("plugin"));
        connectors = new Connectors(new PluginLoader(plugins, getClass().getClassLoader()));
    }

    /** As of a directory that an operator has kept, or of another connector for the same mode. */
    @Test
    void ofTwoPluginsWithOneConnectorTheFirstIsUsedAndTheOtherNamed() throws Exception {
        connector("backup-kafka/old.jar", "Old", "\"kafka\"", FACTORY);
        connector("kafka/new.jar", "New", "\"kafka\"", FACTORY);

        connectors.load();

        assertThat(connectors.warnings())
                .containsExactly(
                        "%s is not used, since %s has a connector for canal.serverMode=kafka, too, and comes first by its name: remove one of them"
                                .formatted(plugins.resolve("kafka"), plugins.resolve("backup-kafka")));
        assertThat(connectors.forMode(ServerMode.KAFKA).configure(Map.of())).isNotNull();
    }

    @Test
    void aPluginThatCannotBeLoadedIsAWarningForOtherModes() throws Exception {
        connector("kafka/kafka.jar", "Good", "\"kafka\"", FACTORY);
        Files.writeString(plugins.resolve("zz.jar"), "no jar");
        connector("nameless.jar", "Nameless", "null", FACTORY);

        connectors.load();

        assertThat(connectors.warnings())
                .satisfiesExactlyInAnyOrder(
                        warning -> assertThat(warning).startsWith(plugins.resolve("zz.jar") + " cannot be loaded: "),
                        warning -> assertThat(warning)
                                .startsWith(plugins.resolve("nameless.jar") + " cannot be loaded: ")
                                .contains("name of Nameless has returned null"));
        assertThat(configure(ServerMode.KAFKA)).isPresent();
        assertThat(problems).isEmpty();
    }

    @Test
    void aModeWhoseConnectorCannotBeLoadedIsAProblemOfTheConfiguration() throws Exception {
        Files.writeString(Files.createDirectory(plugins.resolve("kafka")).resolve("kafka.jar"), "cut off");

        connectors.load();

        assertThat(configure(ServerMode.KAFKA)).isEmpty();
        assertThat(problems)
                .singleElement()
                .asString()
                .startsWith("canal.serverMode: no connector for kafka is in " + plugins)
                .contains(plugins.resolve("kafka/kafka.jar") + " cannot be loaded: ");
        assertThat(problems.get(0)).endsWith(": unpack the package again");
        assertThatThrownBy(() -> connectors.forMode(ServerMode.KAFKA))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("unpack the package again");
    }

    /** Where the exception is shown is the matter of the configuration, which masks what is secret. */
    @Test
    void aConnectorThatFailsWhileItReadsItsPropertiesIsAProblemOfThem() throws Exception {
        connector(
                "kafka/a.jar",
                "Fails",
                "\"kafka\"",
                "if (true) { throw new IllegalStateException(\"no \" + properties); } return null;");
        connector("pulsar/b.jar", "Null", "\"pulsarmq\"", "return null;");
        connectors.load();

        assertThat(configure(ServerMode.KAFKA)).isEmpty();
        assertThat(configure(ServerMode.PULSARMQ)).isEmpty();

        assertThat(problems)
                .satisfiesExactly(
                        kafka -> assertThat(kafka)
                                .startsWith("kafka.*: the connector in " + plugins.resolve("kafka") + " fails: ")
                                .contains("IllegalStateException: no {}, at Fails.configure(Fails.java:"),
                        pulsar -> assertThat(pulsar)
                                .startsWith("pulsarmq.*: ")
                                .contains("configure of Null has returned null"));
    }

    private Optional<MessageProducerFactory> configure(ServerMode mode) {
        return connectors.configure(mode, Map.of(), (key, problem) -> problems.add(key + ": " + problem));
    }

    private void connector(String jar, String name, String mode, String configure) throws IOException {
        Path path = plugins.resolve(jar);
        Files.createDirectories(path.getParent());
        CompiledJar.write(path, Connector.class, Map.of(name, """
                        public class %s implements io.sluice.connector.api.producer.Connector {
                            public String name() {
                                return %s;
                            }
                            public io.sluice.connector.api.producer.MessageProducerFactory configure(
                                    java.util.Map<String, String> properties) {
                                %s
                            }
                        }
                        """.formatted(name, mode, configure)));
    }
}
