package io.sluice.server;

import io.sluice.connector.api.producer.Connector;
import io.sluice.protocol.time.Time;
import io.sluice.server.config.load.ConfigReader;
import io.sluice.server.config.read.ProducerCheck;
import io.sluice.server.config.text.Environment;
import io.sluice.testkit.process.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The files of a server in a folder, as they are in a package.
 *
 * @param home has {@code bin} and {@code conf}
 */
record ServerFiles(Path home) {
    /** Writes a file, with the folders that lead to it. */
    Path write(String file, String text) throws Exception {
        Path path = home.resolve(file);
        Files.createDirectories(path.getParent());
        return Files.writeString(path, text);
    }

    /** Configures one instance, {@code shop}, whose source and broker nothing answers for, with its cursors in a folder. */
    void writeShop(Path cursors) throws Exception {
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
                """.formatted(cursors, FreePorts.next()));
    }

    /** Reads {@code conf/canal.properties} and what belongs to it. */
    ConfigReader reader() throws IOException {
        return new ConfigReader(
                home.resolve("conf/canal.properties"),
                Files.createDirectories(home.resolve("bin")),
                Environment.ofThisProcess(),
                ProducerCheck.NONE,
                Time.SYSTEM);
    }

    /** Starts the server that {@code conf/canal.properties} configures, with a broker that counts what it gets. */
    SluiceServer start() throws Exception {
        return start(new CountingBroker());
    }

    /** Starts the server that {@code conf/canal.properties} configures, with the given broker. */
    SluiceServer start(Connector broker) throws Exception {
        ConfigReader reader = reader();
        return SluiceServer.start(reader.start(), reader, broker);
    }
}
