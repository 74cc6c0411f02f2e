package io.sluice.server;

import io.sluice.server.config.read.ConfigLoader;
import io.sluice.server.config.read.ProducerCheck;
import io.sluice.server.config.text.Environment;
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

    /** Starts the server that {@code conf/canal.properties} configures, with a broker that counts what it gets. */
    SluiceServer start() throws Exception {
        return SluiceServer.start(
                ConfigLoader.load(
                        home.resolve("conf/canal.properties"),
                        Files.createDirectories(home.resolve("bin")),
                        Environment.ofThisProcess(),
                        ProducerCheck.NONE),
                new CountingBroker());
    }
}
