package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.server.control.InstanceSnapshot;
import io.sluice.server.instance.Instance;
import io.sluice.server.instance.InstanceState;
import io.sluice.store.cursor.CursorException;
import io.sluice.testkit.process.FreePorts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A start of a server that cannot make each of its instances, since cursors are damaged; its source cannot be reached. */
class PartialStartTest {
    @TempDir
    private Path home;

    private ServerFiles files;

    @BeforeEach
    void configure() throws Exception {
        files = new ServerFiles(home);
        for (String name : new String[] {"first", "second"}) {
            files.write("conf/" + name + "/instance.properties", """
                    canal.instance.master.address = 127.0.0.1:9
                    canal.instance.tsdb.enable = false
                    canal.mq.topic = shop
                    """);
        }
        files.write("conf/canal.properties", """
                canal.serverMode = kafka
                kafka.bootstrap.servers = 127.0.0.1:9
                canal.destinations = first,second
                canal.file.data.dir = %s
                canal.metrics.pull.port = %d
                """.formatted(home.resolve("cursors"), FreePorts.next()));
    }

    @Test
    void theOtherInstancesRunAndTheOneThatCannotIsShownAsFailed() throws Exception {
        files.write("cursors/first/meta.dat", "{\"clientDatas\":[");

        SluiceServer server = files.start();
        try {
            assertThat(server.instances()).extracting(Instance::name).containsExactly("second");
            InstanceSnapshot failed = server.operations().snapshot("first");
            assertThat(failed.health().orElseThrow().state()).isEqualTo(InstanceState.FAILED);
            assertThat(failed.errors())
                    .singleElement()
                    .satisfies(error -> assertThat(error.message()).contains("meta.dat"));
            assertThat(server.problems())
                    .anySatisfy(problem -> assertThat(problem)
                            .startsWith("first: has failed, is tried again: ")
                            .contains("meta.dat"));
        } finally {
            server.stop(Duration.ZERO);
        }
    }

    /** Without other instances the server would end, and be started again by what runs it. */
    @Test
    void oneThatCannotBeMadeIsTriedAgainWhileOthersRun() throws Exception {
        files.write("cursors/first/meta.dat", "{\"clientDatas\":[");

        SluiceServer server = files.start();
        try {
            assertThat(server.operations().snapshot("first").retryAt()).isNotNull();
            assertThat(server.problems())
                    .anySatisfy(problem -> assertThat(problem).startsWith("first: has failed, is tried again: "));
        } finally {
            server.stop(Duration.ZERO);
        }
    }

    @Test
    void theServerDoesNotStartIfNoInstanceCanRun() throws Exception {
        files.write("cursors/first/meta.dat", "{\"clientDatas\":[");
        files.write("cursors/second/meta.dat", "{\"clientDatas\":[");

        assertThatThrownBy(files::start)
                .isInstanceOf(CursorException.class)
                .satisfies(failure -> assertThat(failure.getSuppressed()).hasSize(1));
    }

    @Test
    void theServerStaysIfAnInstanceIsTriedAgain() throws Exception {
        files.write("cursors/first/meta.dat", "{\"clientDatas\":[");
        files.write("cursors/second/meta.dat", "{\"clientDatas\":[");
        Path properties = home.resolve("conf/canal.properties");
        Files.writeString(properties, Files.readString(properties) + "canal.instance.restart = backoff\n");

        SluiceServer server = files.start();
        try {
            assertThat(server.instances()).isEmpty();
            assertThat(server.problems()).hasSize(2);
        } finally {
            server.stop(Duration.ZERO);
        }
    }
}
