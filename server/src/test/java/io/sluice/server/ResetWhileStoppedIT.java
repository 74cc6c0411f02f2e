package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.client.ClientOptions;
import io.sluice.client.PullClient;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.server.cursor.CursorAdmin;
import io.sluice.server.cursor.CursorTarget;
import io.sluice.server.instance.Instance;
import io.sluice.server.instance.InstanceState;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.process.FreePorts;
import io.sluice.testkit.zookeeper.ZooKeeperNode;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The binlog of a source without GTIDs is reset while its instance does not run, for every place where cursors are kept. */
@Timeout(600)
class ResetWhileStoppedIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private MySqlServer mysql;
    private BinlogEnd begin;

    @BeforeEach
    void startMySql() {
        mysql = MySqlServer.start();
        PulledServer.allow(mysql);
        mysql.execute("create database shop", "create table shop.item (id int primary key, other int)");
    }

    @AfterEach
    void stopMySql() {
        mysql.close();
    }

    @Test
    void aCursorInAFileIsNotOfTheNewFile() throws Exception {
        try (PulledServer server = new PulledServer(mysql, Map.of())) {
            readThreeRows(server);
            server.stop();
            assertThat(server.metaFile()).contains("\"begun\":{\"file\":\"" + begin.file() + "\"");

            resetBinlog();
            server.start();

            assertStops(server);
        }
    }

    @Test
    void aCursorInZooKeeperIsNotOfTheNewFile() throws Exception {
        try (ZooKeeperNode zooKeeper = ZooKeeperNode.start()) {
            Map<String, String> settings = new HashMap<>();
            settings.put("canal.zkServers", zooKeeper.connectString());
            settings.put("canal.register.ip", "127.0.0.1");
            settings.put("canal.port", Integer.toString(FreePorts.next()));
            settings.put("canal.instance.global.spring.xml", "classpath:spring/default-instance.xml");
            try (PulledServer server = new PulledServer(mysql, settings)) {
                readThreeRows(server);
                server.stop();
                assertThat(zooKeeper.text("/otter/canal/destinations/" + PulledServer.DESTINATION + "/1001/cursor"))
                        .contains("\"begun\":{\"file\":\"" + begin.file() + "\"");

                resetBinlog();
                server.start();

                assertStops(server);
            }
        }
    }

    /** It outlives the instance, though not the process. */
    @Test
    void aCursorInMemoryIsNotOfTheNewFile() throws Exception {
        Map<String, String> settings =
                Map.of("canal.instance.global.spring.xml", "classpath:spring/memory-instance.xml");
        try (PulledServer server = new PulledServer(mysql, settings)) {
            readThreeRows(server);

            server.server().operations().whileStopped(PulledServer.DESTINATION, next -> this::resetBinlog);

            assertStops(server);
        }
    }

    /** As canal, and this server before it kept the time, have written it. */
    @Test
    void aCursorWithoutTheTimeOfItsFileIsFollowedAsBefore() throws Exception {
        try (PulledServer server = new PulledServer(mysql, Map.of())) {
            readThreeRows(server);
            server.stop();
            String text = server.metaFile();
            server.writeMetaFile(text.replaceAll(",\"begun\":\\{[^}]*\\}", ""));
            assertThat(server.metaFile()).doesNotContain("begun");
            mysql.execute(insert(4));

            server.start();

            try (PullClient client = connect(server)) {
                client.subscribe("");
                assertThat(PulledServer.ids(client, 1)).isEqualTo(List.of("4"));
            }
            server.stop();
            assertThat(server.metaFile()).contains("\"begun\":{\"file\":\"" + begin.file() + "\"");
        }
    }

    /** What the history has is in a file that is purged, and the cursor that is set is at the same file and offset as the one before. */
    @Test
    void aCursorThatIsSetToTheSamePlaceInTheNewFileReliesOnNothingThatWasReadOfTheOldOne() throws Exception {
        try (PulledServer server = new PulledServer(mysql, Map.of(), Map.of("canal.instance.tsdb.enable", "true"))) {
            mysql.execute("alter table shop.item comment 'before the file'");
            mysql.rotateBinlog();
            readThreeRows(server);
            BinlogEnd end = mysql.binlogEnd();
            server.stop();

            mysql.execute("alter table shop.item change id other int, change other id int");
            resetBinlog();
            mysql.execute("purge binary logs to '%s'".formatted(begin.file()));
            assertThat(setCursor(server, end)).contains("is another file");
            server.start();

            try (PullClient client = connect(server)) {
                client.subscribe("");
                assertThat(PulledServer.ids(client, 3)).isEqualTo(List.of("4", "5", "6"));
            }
        }
    }

    private static String setCursor(PulledServer server, BinlogEnd end) throws Exception {
        CursorTarget target = CursorTarget.parse(end.file() + ":" + end.offset());
        try (CursorAdmin admin = new CursorAdmin(server.server().operations().configuration(), Optional.empty())) {
            return String.join("\n", admin.of(PulledServer.DESTINATION).move(1001, target, false, false));
        }
    }

    private void readThreeRows(PulledServer server) throws Exception {
        begin = mysql.binlogEnd();
        server.start();
        await().atMost(PATIENCE)
                .until(() -> !server.server().instances().isEmpty()
                        && instance(server).state() == InstanceState.RUNNING);
        mysql.execute(insert(1), insert(2), insert(3));
        BinlogEnd end = mysql.binlogEnd();
        try (PullClient client = connect(server)) {
            client.subscribe("");
            assertThat(PulledServer.ids(client, 3)).isEqualTo(List.of("1", "2", "3"));
            await().atMost(PATIENCE).until(() -> {
                client.ack(client.getWithoutAck(100, Duration.ofMillis(100)));
                return instance(server)
                        .cursor()
                        .filter(cursor -> cursor.position().offset() == end.offset())
                        .isPresent();
            });
        }
    }

    private static PullClient connect(PulledServer server) throws Exception {
        return PullClient.connect(ClientOptions.of("127.0.0.1", server.port(), PulledServer.DESTINATION));
    }

    /** The new file has the name of the old one, events at the same offsets, and more. */
    private void resetBinlog() {
        String second = mysql.query("select unix_timestamp()");
        await().atMost(PATIENCE)
                .until(() ->
                        !String.valueOf(mysql.query("select unix_timestamp()")).equals(second));
        mysql.execute("delete from shop.item", "reset master");
        while (!mysql.binlogEnd().file().equals(begin.file())) {
            mysql.rotateBinlog();
        }
        for (int id = 1; id <= 6; id++) {
            mysql.execute(insert(id));
        }
    }

    private static String insert(int id) {
        return "insert into shop.item (id, other) values (%d, %d)".formatted(id, 100 + id);
    }

    private static void assertStops(PulledServer server) {
        await().atMost(PATIENCE)
                .until(() -> !server.server().instances().isEmpty()
                        && instance(server).state() == InstanceState.FAILED);
        assertThat(instance(server).sourceFailure()).contains(SourceFailure.PURGED);
        assertThat(instance(server).failure())
                .hasStackTraceContaining("is another file than the one that was read up to");
    }

    private static Instance instance(PulledServer server) {
        return server.server().instances().get(0);
    }
}
