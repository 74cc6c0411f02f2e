package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.sluice.protocol.admin.Ack;
import io.sluice.protocol.wire.Scramble;
import io.sluice.server.admin.AdminClient;
import io.sluice.server.control.AuditLog;
import io.sluice.testkit.canal.CanalAdminClient;
import io.sluice.testkit.log.LogLines;
import io.sluice.testkit.mysql.AuthPlugin;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.process.Folders;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two instances of a real source, started and stopped over the management port. */
@Timeout(600)
class ManagedServerIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String USER = "canal";
    private static final String PASSWORD = "started and stopped";
    private static final String OPERATOR = "operator";
    private static final String OPERATORS_PASSWORD = "of the operator's own";

    private static MySqlServer mysql;

    private final CountingBroker broker = new CountingBroker();

    @AutoClose
    private final LogLines audit = LogLines.of(AuditLog.LOGGER, Level.INFO);

    private Path home;
    private BinlogEnd begin;
    private SluiceServer server;
    private int written;

    @BeforeAll
    static void startSource() {
        mysql = MySqlServer.start();
        mysql.createReplicationUser(USER, PASSWORD, AuthPlugin.CACHING_SHA2_PASSWORD);
    }

    @AfterAll
    static void stopSource() {
        mysql.close();
    }

    @BeforeEach
    void prepare() throws Exception {
        home = Folders.temporary("sluice-managed-");
        Files.createDirectories(home.resolve("bin"));
        begin = mysql.rotateBinlog();
        mysql.execute(
                "drop database if exists shop", "create database shop", "create table shop.t (id int primary key)");
    }

    @AfterEach
    void stop() {
        if (server != null) {
            server.stop(Duration.ofSeconds(10));
        }
        Folders.delete(home);
    }

    private void start(String... lines) throws Exception {
        List<String> all = new ArrayList<>(List.of(
                "canal.serverMode = kafka",
                "kafka.bootstrap.servers = 127.0.0.1:9",
                "canal.destinations = one,two",
                "canal.metrics.pull.port = -1",
                "canal.control.port = -1"));
        all.addAll(List.of(lines));
        write("conf/canal.properties", all);
        for (String name : List.of("one", "two")) {
            write(
                    "conf/" + name + "/instance.properties",
                    List.of(
                            "canal.instance.master.address = " + mysql.host() + ":" + mysql.port(),
                            "canal.instance.dbUsername = " + USER,
                            "canal.instance.dbPassword = " + PASSWORD,
                            "canal.instance.master.journal.name = " + begin.file(),
                            "canal.instance.master.position = " + begin.offset(),
                            "canal.instance.filter.regex = shop\\\\.t",
                            "canal.mq.topic = " + name));
        }
        server = new ServerFiles(home).start(broker);
    }

    private void startManaged() throws Exception {
        start(
                "canal.admin.port = 0",
                "canal.admin.ip = 127.0.0.1",
                "canal.admin.user = " + OPERATOR,
                "canal.admin.passwd = " + Scramble.stored(OPERATORS_PASSWORD));
    }

    private void write(String file, List<String> lines) throws IOException {
        Path path = home.resolve(file);
        Files.createDirectories(path.getParent());
        Files.write(path, lines);
    }

    private InetSocketAddress address() {
        return server.adminPort().orElseThrow().address();
    }

    private AdminClient logIn() throws IOException {
        return AdminClient.open(address(), OPERATOR, OPERATORS_PASSWORD);
    }

    private void insert() throws SQLException {
        written++;
        mysql.execute("insert into shop.t values (" + written + ")");
    }

    private void awaitDelivered(String... names) {
        for (String name : names) {
            await().atMost(PATIENCE)
                    .untilAsserted(
                            () -> assertThat(broker.newest(name)).as(name).isEqualTo(written));
        }
    }

    private static void assertResult(Ack ack, String result) {
        assertThat(ack.getMessage()).isEqualTo(result);
        assertThat(ack.getCode()).isZero();
    }

    @Test
    void instancesAreStoppedAndStartedAndLoseNothing() throws Exception {
        startManaged();
        insert();
        awaitDelivered("one", "two");
        try (AdminClient client = logIn()) {
            assertResult(client.server("check"), "1");
            assertResult(client.server("list"), "one,two");
            assertResult(client.instance("one", "check"), "1");
            assertResult(client.instance("one", "stop"), "1");
            assertResult(client.instance("one", "check"), "0");
            assertResult(client.server("list"), "two");
            insert();
            awaitDelivered("two");
            assertThat(broker.newest("one")).isEqualTo(written - 1);
            assertResult(client.instance("one", "start"), "1");
            awaitDelivered("one");

            assertResult(client.server("stop"), "1");
            assertResult(client.server("check"), "0");
            assertResult(client.server("list"), "");
            await().atMost(PATIENCE)
                    .until(() -> mysql.dumps().isEmpty()); // one that has ended may be listed for a moment
            insert();
            assertResult(client.server("start"), "1");
            assertResult(client.server("check"), "1");
            awaitDelivered("one", "two");

            assertResult(client.instance("two", "restart"), "1");
            assertResult(client.instance("two", "release"), "1"); // alone it is restarted
            assertResult(client.server("restart"), "1");
            assertResult(client.server("list"), "one,two");
            insert();
            awaitDelivered("one", "two");
        }
        assertThat(broker.gaps()).isEmpty();
        assertThat(audit.texts())
                .anyMatch(line -> line.contains("\"action\":\"stop\",\"destination\":\"one\",\"before\":\"running\"")
                        && line.endsWith("\"after\":\"stopped\",\"done\":true}"));
    }

    @Test
    void canalsOwnClassesUnderstandTheServer() throws Exception {
        startManaged();
        write("logs/canal/canal.log", List.of("a", "b", "c"));
        write("logs/one/one.log", List.of("of one"));
        insert();
        awaitDelivered("one", "two");
        try (CanalAdminClient canal = CanalAdminClient.connect(address().getPort(), OPERATOR, OPERATORS_PASSWORD)) {
            assertThat(canal.server("check")).isEqualTo("1");
            assertThat(canal.server("list")).isEqualTo("one,two");
            assertThat(canal.instance("one", "stop")).isEqualTo("1");
            assertThat(canal.instance("one", "check")).isEqualTo("0");
            assertThat(canal.instance("one", "start")).isEqualTo("1");
            assertThat(canal.instance("three", "check")).isEqualTo("0");
            assertThat(canal.log("server", "list", "", "", 0)).isEqualTo("canal.log");
            assertThat(canal.log("server", "file", "", "", 2)).isEqualTo("b\nc");
            assertThat(canal.log("instance", "file", "one", "", 100)).isEqualTo("of one");
            assertThatThrownBy(() -> canal.server("explode"))
                    .hasMessageContaining("301 ServerAdmin action: explode  is");
        }
        assertThatThrownBy(() -> CanalAdminClient.connect(address().getPort(), OPERATOR, "wrong"))
                .hasMessageContaining("300 auth failed for user:operator");
        insert();
        awaitDelivered("one", "two");
    }

    @Test
    void aServerWithTheFileThatCanalShipsHasNoManagementPort() throws Exception {
        start(
                "canal.admin.port = 11110",
                "canal.admin.user = admin",
                "canal.admin.passwd = 4ACFE3202A5FF5CF467898FC58AAB1D615029441");
        insert();
        awaitDelivered("one", "two");
        assertThat(server.adminPort()).isEmpty();
    }

    @Test
    void aManagementPortThatIsTakenKeepsNothingFromBeingDelivered() throws Exception {
        try (ServerSocket taken = new ServerSocket(0)) {
            start(
                    "canal.admin.port = " + taken.getLocalPort(),
                    "canal.admin.passwd = " + Scramble.stored(OPERATORS_PASSWORD));
            insert();
            awaitDelivered("one", "two");
            assertThat(server.adminPort()).isEmpty();
        }
    }

    @Test
    void theManagementPortIsClosedWithTheServer() throws Exception {
        startManaged();
        try (AdminClient client = logIn()) {
            server.stop(Duration.ofSeconds(10));
            assertThatThrownBy(() -> client.server("check")).isInstanceOf(IOException.class);
        }
        assertThatThrownBy(this::logIn).isInstanceOf(IOException.class);
    }
}
