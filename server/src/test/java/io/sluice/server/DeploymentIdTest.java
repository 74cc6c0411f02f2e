package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.connector.api.producer.Connector;
import io.sluice.testkit.process.FreePorts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server of its own, with a source that cannot be reached. */
class DeploymentIdTest {
    @TempDir
    private Path home;

    private Path write(String file, String text) throws Exception {
        Path path = home.resolve(file);
        Files.createDirectories(path.getParent());
        return Files.writeString(path, text);
    }

    private void startAndStop(Connector broker) throws Exception {
        write("conf/shop/instance.properties", """
                canal.instance.master.address = 127.0.0.1:9
                canal.instance.tsdb.enable = false
                canal.mq.topic = shop
                """);
        write("conf/canal.properties", """
                canal.serverMode = kafka
                kafka.bootstrap.servers = 127.0.0.1:9
                canal.destinations = shop
                canal.file.data.dir = %s
                canal.metrics.pull.port = %d
                """.formatted(home.resolve("cursors"), FreePorts.next()));
        new ServerFiles(home).start(broker).stop(Duration.ZERO);
    }

    @Test
    void isMadeForProducersThatUseIt() throws Exception {
        CommandedBroker broker = new CommandedBroker();

        startAndStop(broker);

        assertThat(home.resolve("cursors/shop/deployment.id")).hasContent(broker.deployment());
    }

    /** Kafka's for example: a directory that cannot be written must not keep their server from starting. */
    @Test
    void isNotMadeForOthers() throws Exception {
        startAndStop(new CountingBroker());

        assertThat(home.resolve("cursors/shop/deployment.id")).doesNotExist();
    }
}
