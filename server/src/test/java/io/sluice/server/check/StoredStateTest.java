package io.sluice.server.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.config.load.ConfigLoader;
import io.sluice.server.config.read.ProducerCheck;
import io.sluice.server.config.text.Environment;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What keeps an instance from starting beside its configuration. */
class StoredStateTest {
    @TempDir
    Path home;

    /** As after a restore by another user, or on a disk that has become read-only: the server would not start. */
    @Test
    void aDirectoryThatCannotBeWrittenIsFoundBeforeAStart() throws Exception {
        InstanceConfig config = config();
        Path data = home.resolve("data");

        assertThat(StoredState.unwritable(config)).isEmpty();
        assertThat(StoredState.unwritable(config, place -> !place.equals(home)))
                .singleElement()
                .asString()
                .startsWith(home + " cannot be written by the user of this command");

        Path folder = Files.createDirectories(data.resolve("shop"));
        assertThat(StoredState.unwritable(config, place -> !place.equals(home))).isEmpty();
        assertThat(StoredState.unwritable(config, place -> !place.equals(folder)))
                .singleElement()
                .asString()
                .startsWith(folder + " cannot be written");

        Path history = Files.createFile(folder.resolve("h2.sqlite"));
        assertThat(StoredState.unwritable(config, place -> !place.equals(history)))
                .singleElement()
                .asString()
                .startsWith(history + " cannot be written");
    }

    private InstanceConfig config() throws Exception {
        Files.createDirectories(home.resolve("bin"));
        Path server = home.resolve("canal.properties");
        Files.writeString(server, """
                canal.serverMode = kafka
                canal.destinations = shop
                canal.mq.topic = shop
                kafka.bootstrap.servers = 127.0.0.1:9092
                canal.instance.master.address = db:3306
                canal.file.data.dir = ../data
                """);
        return ConfigLoader.load(server, home.resolve("bin"), Environment.ofThisProcess(), ProducerCheck.NONE)
                .instances()
                .get(0);
    }
}
