package io.sluice.deployer.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.client.ChangeBatch;
import io.sluice.client.ClientOptions;
import io.sluice.client.PullClient;
import io.sluice.protocol.packet.Ack;
import io.sluice.protocol.packet.ClientAuth;
import io.sluice.protocol.packet.Packet;
import io.sluice.protocol.packet.PacketType;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.process.FreePorts;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What clients on the TCP port get after a restart of the package: what they have not acked, whatever other clients do. */
@Timeout(900)
class PulledPositionIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int CLIENT = 1001;

    private static MySqlServer mysql;

    private final int port = FreePorts.next();

    @BeforeAll
    static void startMySql() {
        mysql = MySqlServer.start(MySqlOptions.defaults().gtid());
        Pipeline.allow(mysql);
    }

    @AfterAll
    static void stopMySql() {
        mysql.close();
    }

    /** A subscription that got nothing yet has a cursor. */
    @Test
    void aRowAfterAnIdleFirstSubscriptionIsDelivered() throws IOException {
        try (PackagedServer server = server("idle")) {
            server.startToRead();
            subscribed("idle", CLIENT).close();
            server.stop();
            insert("idle", 1);
            server.startToRead();
            insert("idle", 2);

            try (PullClient client = subscribed("idle", CLIENT)) {
                assertThat(idsUpTo(client, 2, true)).as(server::logs).containsExactly("1", "2");
            }
        }
    }

    @Test
    void aBatchThatOneClientHoldsComesAgainAlthoughAnotherOneHasAckedMore() throws IOException {
        try (PackagedServer server = server("shared")) {
            server.startToRead();
            try (PullClient one = subscribed("shared", 1);
                    PullClient other = subscribed("shared", 2)) {
                insert("shared", 1);
                idsUpTo(one, 1, false);
                insert("shared", 2);
                idsUpTo(other, 2, true);
                other.getWithoutAck(1); // its answer comes after the ack, which has none
            }
            server.stop();
            server.startToRead();
            insert("shared", 3);

            try (PullClient one = subscribed("shared", 1)) {
                assertThat(idsUpTo(one, 3, true)).as(server::logs).contains("1");
            }
        }
    }

    @Test
    void aTableFilterThatIsTooExpensiveIsRefusedAndTheInstanceContinues() throws IOException {
        try (PackagedServer server = server("filtered")) {
            server.startToRead();
            try (PullClient client = subscribed("filtered", CLIENT)) {
                assertThat(logIn("filtered", 2, ".*".repeat(45) + "x"))
                        .as("the answer to a login with an expensive filter")
                        .contains("the filter is refused")
                        .contains("*");
                insert("filtered", 1);
                assertThat(idsUpTo(client, 1, true)).as(server::logs).containsExactly("1");
            }
            server.stop();
            server.startToRead();
            insert("filtered", 2);

            try (PullClient client = subscribed("filtered", CLIENT)) {
                assertThat(idsUpTo(client, 2, true)).as(server::logs).contains("2");
            }
        }
    }

    /** A server with a table, {@code <name>.orders}, which begins at the end of the binlog. */
    private PackagedServer server(String name) {
        mysql.execute("CREATE DATABASE " + name, "CREATE TABLE %s.orders (id INT PRIMARY KEY)".formatted(name));
        return new PackagedServer(
                name,
                Map.of("canal.serverMode", "tcp", "canal.ip", "127.0.0.1", "canal.port", Integer.toString(port)),
                Map.of(
                        "canal.instance.master.address",
                        mysql.host() + ":" + mysql.port(),
                        "canal.instance.dbUsername",
                        Pipeline.USER,
                        "canal.instance.dbPassword",
                        Pipeline.PASSWORD));
    }

    private static void insert(String schema, int id) {
        mysql.execute("INSERT INTO %s.orders VALUES (%d)".formatted(schema, id));
    }

    private PullClient subscribed(String destination, int clientId) throws IOException {
        PullClient client = PullClient.connect(
                ClientOptions.of("127.0.0.1", port, destination).withClientId(clientId));
        client.subscribe("");
        return client;
    }

    /** Pulls up to a row; returns the ids of all rows that came. */
    private static List<String> idsUpTo(PullClient client, int id, boolean acks) {
        List<String> ids = new ArrayList<>();
        await().alias("row " + id + " comes")
                .atMost(PATIENCE)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> {
                    ChangeBatch batch = client.getWithoutAck(100, Duration.ofMillis(100));
                    batch.changes().stream()
                            .flatMap(change -> change.rows().stream())
                            .forEach(row -> ids.add(row.newest().text("id")));
                    if (acks) {
                        client.ack(batch);
                    }
                    return ids.contains(Integer.toString(id));
                });
        return ids;
    }

    /** Logs in with a packet that also subscribes, which the clients do not send; returns the answer's message. */
    private String logIn(String destination, int clientId, String filter) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout((int) PATIENCE.toMillis());
            DataInputStream in = new DataInputStream(socket.getInputStream());
            in.readNBytes(in.readInt()); // the greeting
            byte[] login = Packet.newBuilder()
                    .setType(PacketType.CLIENTAUTHENTICATION)
                    .setBody(ClientAuth.newBuilder()
                            .setDestination(destination)
                            .setClientId(Integer.toString(clientId))
                            .setFilter(filter)
                            .build()
                            .toByteString())
                    .build()
                    .toByteArray();
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            out.writeInt(login.length);
            out.write(login);
            Packet answer = Packet.parseFrom(in.readNBytes(in.readInt()));
            return Ack.parseFrom(answer.getBody()).getErrorMessage();
        }
    }
}
