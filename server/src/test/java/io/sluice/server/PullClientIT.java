package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.client.ChangeBatch;
import io.sluice.client.ClientOptions;
import io.sluice.client.PullClient;
import io.sluice.client.RequestRejectedException;
import io.sluice.client.ServerList;
import io.sluice.client.TableChange;
import io.sluice.client.example.PrintChanges;
import io.sluice.protocol.entry.EventType;
import io.sluice.server.instance.Instance;
import io.sluice.server.instance.InstanceState;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.process.FreePorts;
import io.sluice.testkit.proxy.Gate;
import io.sluice.testkit.zookeeper.ZooKeeperNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Our own client against a server that reads a real MySQL. */
@Timeout(600)
class PullClientIT {
    /** Less than the ten seconds for which a write to a silent ZooKeeper hangs. */
    private static final Duration IMPATIENCE = Duration.ofSeconds(7);

    private static MySqlServer mysql;

    @BeforeAll
    static void startMySql() {
        mysql = MySqlServer.start();
        PulledServer.allow(mysql);
    }

    @AfterAll
    static void stopMySql() {
        mysql.close();
    }

    private static ClientOptions options(PulledServer server) {
        return ClientOptions.of("127.0.0.1", server.port(), PulledServer.DESTINATION);
    }

    private static ChangeBatch next(PullClient client) {
        return await().until(() -> client.getWithoutAck(1, Duration.ofMillis(100)), batch -> !batch.isEmpty());
    }

    @Test
    void aClientReadsChangesAsTypes() throws Exception {
        mysql.execute("create database shop");
        try (PulledServer server = new PulledServer(mysql, Map.of())) {
            server.start();
            mysql.execute(
                    "create table shop.orders (id int primary key, amount decimal(10,2), picture varbinary(9))",
                    "insert into shop.orders values (1, 10.25, x'00ff'), (2, null, null)",
                    "update shop.orders set amount = 3.75 where id = 1",
                    "delete from shop.orders where id = 2");
            try (PullClient client = PullClient.connect(options(server))) {
                client.subscribe("shop\\.orders");
                List<TableChange> changes = pull(client, 4);

                assertThat(changes)
                        .extracting(TableChange::type)
                        .containsExactly(EventType.CREATE, EventType.INSERT, EventType.UPDATE, EventType.DELETE);
                assertThat(changes.get(0).isDdl()).isTrue();
                assertThat(changes.get(0).sql()).startsWith("create table shop.orders");
                TableChange insert = changes.get(1);
                assertThat(insert.schema() + "." + insert.table()).isEqualTo("shop.orders");
                assertThat(insert.rows()).hasSize(2);
                assertThat(insert.rows().get(0).before().isEmpty()).isTrue();
                assertThat(insert.rows().get(0).after().decimal("amount")).isEqualByComparingTo("10.25");
                assertThat(insert.rows().get(0).after().bytes("picture")).containsExactly(0, 0xff);
                assertThat(insert.rows().get(1).after().isNull("amount")).isTrue();
                TableChange.ChangedRow update = changes.get(2).rows().get(0);
                assertThat(update.before().decimal("amount")).isEqualByComparingTo("10.25");
                assertThat(update.after().isUpdated("amount")).isTrue();
                assertThat(changes.get(3).rows().get(0).newest().number("id")).isEqualTo(2);
            }
        }
    }

    /** Pulls so many changes of tables, and acks them. */
    private static List<TableChange> pull(PullClient client, int count) throws IOException {
        List<TableChange> changes = new ArrayList<>();
        while (changes.size() < count) {
            ChangeBatch batch = client.getWithoutAck(100, Duration.ofMillis(100));
            changes.addAll(batch.changes());
            client.ack(batch);
        }
        return changes;
    }

    @Test
    void whatWasNotAckedComesAgain() throws Exception {
        try (PulledServer server = new PulledServer(mysql, Map.of())) {
            server.start();
            mysql.execute("create database again", "create table again.t (id int primary key)");
            try (PullClient client = PullClient.connect(options(server))) {
                client.subscribe("again\\..*");
                pull(client, 2); // the database and the table
                mysql.execute("insert into again.t values (1)");
                ChangeBatch batch = next(client);
                client.rollback();
                ChangeBatch second = next(client);
                assertThat(second.entries()).startsWith(batch.entries().get(0));
                assertThat(second.id()).isGreaterThan(batch.id());
            }
            try (PullClient client = PullClient.connect(options(server))) {
                assertThat(pull(client, 1).get(0).type()).isEqualTo(EventType.INSERT);
                client.unsubscribe();
                assertThatThrownBy(() -> client.getWithoutAck(1))
                        .isInstanceOf(RequestRejectedException.class)
                        .hasMessageContaining("should subscribe first");
            }
        }
    }

    /** As after a batch with an event that cannot be decoded. The connection stays open all the time. */
    @Test
    void aClientGetsNothingOfAnInstanceThatHasFailedAndAfterItsRestartWhatItHeld() throws Exception {
        try (PulledServer server = new PulledServer(mysql, Map.of())) {
            server.start();
            mysql.execute("create database failed", "create table failed.t (id int primary key)");
            try (PullClient client = PullClient.connect(options(server))) {
                client.subscribe("failed\\..*");
                pull(client, 2); // the database and the table
                mysql.execute("insert into failed.t values (1)");
                ChangeBatch held = next(client);
                Instance instance = server.server().instances().get(0);

                instance.failDelivery(new IllegalStateException("damaged"));

                assertThat(instance.state()).isEqualTo(InstanceState.FAILED);
                assertThat(instance.failure()).hasMessage("damaged");
                assertThatThrownBy(() -> client.getWithoutAck(1)).hasMessageContaining("should start first");

                server.server().operations().restart(PulledServer.DESTINATION);
                ChangeBatch again = next(client);
                assertThat(again.entries()).startsWith(held.entries().get(0));
                assertThat(again.id()).isGreaterThan(held.id());
                client.ack(held);
                assertThatThrownBy(() -> client.getWithoutAck(1)).hasMessageContaining("is not exist");
                client.ack(again);
            }
        }
    }

    @Test
    void nothingIsSkippedByARestartAfterTheOnlyClientHasLeft() throws Exception {
        try (PulledServer server = new PulledServer(mysql, Map.of())) {
            server.start();
            mysql.execute("create database gone", "create table gone.t (id int primary key)");
            try (PullClient client = PullClient.connect(options(server))) {
                client.subscribe("gone\\..*");
                pull(client, 2); // the database and the table
                client.unsubscribe();
            }
            server.stop();
            mysql.execute("insert into gone.t values (1)");
            server.start();
            assertThat(server.server().instances().get(0).subscriptions())
                    .as("it has left")
                    .isZero();
            try (PullClient client = PullClient.connect(options(server))) {
                client.subscribe("gone\\..*");
                assertThat(pull(client, 1).get(0).type()).isEqualTo(EventType.INSERT);
            }
        }
    }

    /** A write of a cursor then hangs until ZooKeeper's client gives up, which must not delay the clients. */
    @Test
    void aSilentZooKeeperDoesNotDelayAnswers() throws Exception {
        try (ZooKeeperNode zooKeeper = ZooKeeperNode.start();
                Gate gate = new Gate(zooKeeper::port)) {
            Map<String, String> settings = Map.of(
                    "canal.zkServers", "127.0.0.1:" + gate.port(),
                    "canal.register.ip", "127.0.0.1",
                    "canal.port", Integer.toString(FreePorts.next()),
                    "canal.instance.global.spring.xml", "classpath:spring/default-instance.xml",
                    "canal.zookeeper.flush.period", "200");
            mysql.execute("create database silent", "create table silent.t (id int primary key)");
            try (PulledServer server = new PulledServer(mysql, settings)) {
                server.start();
                ClientOptions impatient =
                        ClientOptions.of(PulledServer.DESTINATION).withTimeout(IMPATIENCE);
                ServerList list = ServerList.of("127.0.0.1:" + server.port());
                try (PullClient client = PullClient.follow(impatient, list, Duration.ofMinutes(1))) {
                    client.subscribe("silent\\..*");
                }
                try (PullClient client = PullClient.connect(options(server).withTimeout(IMPATIENCE))) {
                    client.subscribe("");
                    mysql.execute("insert into silent.t values (1)");
                    pull(client, 1);
                    mysql.execute("insert into silent.t values (2)");
                    ChangeBatch batch = next(client);
                    gate.freeze();
                    client.ack(batch);
                    for (int i = 0; i < 30; i++) {
                        ChangeBatch nothing = client.getWithoutAck(1, Duration.ofMillis(100));
                        client.ack(nothing);
                    }
                }
                gate.thaw();
            }
        }
    }

    @Test
    void aPasswordIsChecked() throws Exception {
        Map<String, String> password = Map.of(
                "canal.user", "canal",
                "canal.passwd", "E3619321C1A937C46A0D8BD1DAC39F93B27D4458");
        try (PulledServer server = new PulledServer(mysql, password)) {
            server.start();
            assertThatThrownBy(() -> PullClient.connect(options(server).withLogin("canal", "wrong")))
                    .isInstanceOf(RequestRejectedException.class)
                    .hasMessage("auth failed for user:canal (code 400)");
            try (PullClient client = PullClient.connect(options(server).withLogin("canal", "canal"))) {
                client.subscribe("");
                assertThat(client.getWithoutAck(1).changes()).isEmpty();
            }
        }
    }

    @Test
    void theExamplePrintsWhatHappened() throws Exception {
        try (PulledServer server = new PulledServer(mysql, Map.of())) {
            server.start();
            mysql.execute(
                    "create database printed",
                    "create table printed.t (id int primary key, note varchar(9))",
                    "insert into printed.t values (1, 'first'), (2, null)");
            ByteArrayOutputStream printed = new ByteArrayOutputStream();
            PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);

            try (PullClient client = PullClient.connect(options(server))) {
                PrintChanges.print(
                        client,
                        "printed\\..*",
                        out,
                        () -> printed.toString(StandardCharsets.UTF_8).contains("id=2"));
            }

            assertThat(printed.toString(StandardCharsets.UTF_8).lines())
                    .contains("INSERT printed.t id=1 note=first", "INSERT printed.t id=2 note=null");
        }
    }
}
