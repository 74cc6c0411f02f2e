package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.server.control.CommandRejectedException;
import io.sluice.server.control.InstanceSnapshot;
import io.sluice.server.control.Missing;
import io.sluice.server.control.Operations;
import io.sluice.server.control.ReloadReport;
import io.sluice.server.control.UnknownDestinationException;
import io.sluice.store.cursor.Subscription;
import io.sluice.store.cursor.file.FileCursorEditor;
import io.sluice.testkit.process.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Instances that are removed from the configuration of a running server, and cannot write their cursors at their end. */
@Timeout(60)
class FailedRemovalTest {
    private static final String REMOVED = "first";
    private static final Subscription SENDER = new Subscription(
            Subscription.QUEUE_CLIENT, "", new Cursor("db1", 3306, new BinlogPosition("binlog.000001", 700), "", 1, 1));

    @TempDir
    private Path home;

    private final int metricsPort = FreePorts.next();
    private ServerFiles files;
    private Path cursors;
    private SluiceServer server;

    @BeforeEach
    void start() throws Exception {
        files = new ServerFiles(home);
        cursors = home.resolve("cursors");
        for (String name : List.of(REMOVED, "second")) {
            files.write("conf/" + name + "/instance.properties", """
                    canal.instance.master.address = 127.0.0.1:9
                    canal.instance.tsdb.enable = false
                    canal.mq.topic = shop
                    """);
        }
        new FileCursorEditor(cursors, REMOVED).replace(List.of(SENDER));
        configure("first,second");
        server = files.start();
    }

    @AfterEach
    void stop() {
        server.stop(Duration.ZERO);
    }

    private void configure(String destinations) throws Exception {
        files.write("conf/canal.properties", """
                canal.serverMode = kafka
                kafka.bootstrap.servers = 127.0.0.1:9
                canal.destinations = %s
                canal.file.data.dir = %s
                canal.metrics.pull.port = %d
                """.formatted(destinations, cursors, metricsPort));
    }

    @Test
    void anInstanceThatDoesNotEndInGoodOrderWhenItIsRemovedIsReportedAndShownAsFailed() throws Exception {
        Operations operations = server.operations();
        Path meta = cursors.resolve(REMOVED).resolve("meta.dat");
        Path inside = occupy(meta);
        configure("second");

        ReloadReport report = operations.reload();

        assertThat(report.isComplete()).isFalse();
        assertThat(report.removed()).isEmpty();
        assertThat(report.refused().get(REMOVED))
                .singleElement()
                .asString()
                .contains("did not stop in good order", meta.toString());
        InstanceSnapshot snapshot = operations.snapshot(REMOVED);
        assertThat(snapshot.missing()).isNotNull();
        assertThat(snapshot.missing().reason()).isEqualTo(Missing.Reason.NOT_ENDED);
        assertThat(snapshot.problem()).contains("it was removed from the configuration", meta.toString());
        assertThat(operations.snapshots())
                .extracting(InstanceSnapshot::destination)
                .containsExactly("second", REMOVED);
        assertThatThrownBy(() -> operations.start(REMOVED))
                .isInstanceOf(CommandRejectedException.class)
                .hasMessageContaining("first cannot be started: it is not configured any more: it was removed");
        assertThatThrownBy(() -> operations.reload(REMOVED))
                .isInstanceOf(CommandRejectedException.class)
                .hasMessageContaining("first is not configured any more: it was removed");
        assertThatThrownBy(() -> operations.stop(REMOVED))
                .isInstanceOf(CommandRejectedException.class)
                .hasMessageContaining("start it if it is configured again");

        Files.delete(inside);
        Files.delete(meta);
        configure("first,second");
        assertThat(operations.reload().added()).containsExactly(REMOVED);
        assertThat(operations.snapshot(REMOVED).missing()).isNull();
        configure("second");
        assertThat(operations.reload().removed()).containsExactly(REMOVED);
        assertThatThrownBy(() -> operations.snapshot(REMOVED)).isInstanceOf(UnknownDestinationException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"start", "reload"})
    void anInstanceThatWasPutBackIsAddedByACommandForItAlone(String verb) throws Exception {
        Operations operations = server.operations();
        Path meta = cursors.resolve(REMOVED).resolve("meta.dat");
        Path inside = occupy(meta);
        configure("second");
        assertThat(operations.reload().refused()).containsKey(REMOVED);
        Files.delete(inside);
        Files.delete(meta);
        configure("first,second");

        if (verb.equals("start")) {
            assertThat(operations.start(REMOVED)).isTrue();
        } else {
            assertThat(operations.reload(REMOVED).added()).containsExactly(REMOVED);
        }

        assertThat(operations.snapshot(REMOVED).missing()).isNull();
    }

    /** Without canal.auto.scan nothing adds it by itself; of one that was removed in no good order, a part may run until it is added. */
    @Test
    void anInstanceThatWaitedForAnotherChangeIsAddedByAStart() throws Exception {
        Operations operations = server.operations();
        occupy(cursors.resolve(REMOVED).resolve("meta.dat"));
        configure("second");
        assertThat(operations.reload().refused()).containsKey(REMOVED);
        files.write("conf/third/instance.properties", """
                canal.instance.master.address = 127.0.0.1:9
                canal.instance.tsdb.enable = false
                canal.mq.topic = shop
                """);
        configure("first,second,third");
        operations.whileStopped("second", next -> {
            assertThat(operations.reload().isComplete()).isFalse(); // after it has waited for this
            return () -> {};
        });
        assertThat(operations.snapshot("third").missing().reason()).isEqualTo(Missing.Reason.PENDING);
        assertThat(operations.snapshot(REMOVED).missing().reason()).isEqualTo(Missing.Reason.NOT_ENDED);
        assertThat(operations.snapshot(REMOVED).problem()).contains("it was removed from the configuration", "second");
        assertThatThrownBy(() -> operations.stop("third"))
                .isInstanceOf(CommandRejectedException.class)
                .hasMessageContaining("sluice.sh start third");

        assertThat(operations.start("third")).isTrue();

        assertThat(operations.snapshot("third").missing()).isNull();
    }

    /** Its log line names the remedy. */
    @Test
    void anInstanceThatFailedWhenItWasStoppedAndWasMendedSinceIsRemovedInGoodOrder() throws Exception {
        Path meta = cursors.resolve(REMOVED).resolve("meta.dat");
        Path inside = occupy(meta);
        assertThatThrownBy(() -> server.operations().stop(REMOVED))
                .isInstanceOf(CommandRejectedException.class)
                .hasMessageContaining("did not end in good order");
        Files.delete(inside);
        Files.delete(meta);
        new FileCursorEditor(cursors, REMOVED).replace(List.of(SENDER));
        configure("second");

        ReloadReport report = server.operations().reload();

        assertThat(report.refused()).isEmpty();
        assertThat(report.removed()).containsExactly(REMOVED);
    }

    @Test
    void anInstanceThatFailedWhenItWasChangedAndCouldNotBeMadeAgainIsNotRemovedInGoodOrder() throws Exception {
        occupy(cursors.resolve(REMOVED).resolve("meta.dat"));
        files.write("conf/" + REMOVED + "/instance.properties", """
                canal.instance.master.address = 127.0.0.1:9
                canal.instance.tsdb.enable = false
                canal.mq.topic = other
                """);
        assertThat(server.operations().reload().refused()).containsKey(REMOVED);
        configure("second");

        ReloadReport report = server.operations().reload();

        assertThat(report.removed()).isEmpty();
        assertThat(report.refused()).containsKey(REMOVED);
    }

    /** No file can be renamed over it. */
    private static Path occupy(Path meta) throws IOException {
        Files.delete(meta);
        Files.createDirectory(meta);
        return Files.createFile(meta.resolve("inside"));
    }
}
