package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.connector.api.producer.Connector;
import io.sluice.connector.api.producer.MessageProducerFactory;
import io.sluice.protocol.time.Time;
import io.sluice.server.config.load.ConfigReader;
import io.sluice.server.config.read.ProducerCheck;
import io.sluice.server.config.text.Environment;
import io.sluice.testkit.process.FreePorts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server with two instances whose sources cannot be reached. */
class ProducerPropertiesTest {
    @TempDir
    private Path home;

    /** Notes what it reads. */
    private static final class ReadingConnector implements Connector {
        private final CommandedBroker broker = new CommandedBroker();
        private final List<Map<String, String>> read = new ArrayList<>();

        @Override
        public String name() {
            return "kafka";
        }

        @Override
        public MessageProducerFactory configure(Map<String, String> properties) {
            read.add(properties);
            return broker;
        }
    }

    private void startAndStop(ProducerCheck check, Connector connector) throws Exception {
        for (String destination : List.of("shop", "till")) {
            Path folder = Files.createDirectories(home.resolve("conf").resolve(destination));
            Files.writeString(
                    folder.resolve("instance.properties"), """
                    canal.instance.master.address = 127.0.0.1:9
                    canal.instance.mysql.slaveId = %d
                    canal.instance.tsdb.enable = false
                    canal.mq.topic = shop
                    """.formatted(destination.length() + destination.charAt(0)));
        }
        Path properties = Files.writeString(
                home.resolve("conf/canal.properties"), """
                canal.serverMode = kafka
                kafka.bootstrap.servers = 127.0.0.1:9
                canal.destinations = shop,till
                canal.file.data.dir = %s
                canal.metrics.pull.port = %d
                """.formatted(home.resolve("cursors"), FreePorts.next()));
        ConfigReader reader = new ConfigReader(
                properties,
                Files.createDirectories(home.resolve("bin")),
                Environment.ofThisProcess(),
                check,
                Time.SYSTEM);
        SluiceServer.start(reader.start(), reader, connector).stop(Duration.ZERO);
    }

    @Test
    void areReadByTheConnectorOnceForTheCheckAndAllInstances() throws Exception {
        ReadingConnector connector = new ReadingConnector();

        startAndStop((mode, properties, problems) -> Optional.of(connector.configure(properties)), connector);

        assertThat(connector.read).containsExactly(Map.of("kafka.bootstrap.servers", "127.0.0.1:9"));
        assertThat(connector.broker.deployment()).isNotEmpty();
    }

    @Test
    void areReadAtTheStartIfNothingHasCheckedThem() throws Exception {
        ReadingConnector connector = new ReadingConnector();

        startAndStop(ProducerCheck.NONE, connector);

        assertThat(connector.read).hasSize(1);
    }
}
