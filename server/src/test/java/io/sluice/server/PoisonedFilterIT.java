package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.client.ClientOptions;
import io.sluice.client.PullClient;
import io.sluice.client.RequestRejectedException;
import io.sluice.protocol.packet.Ack;
import io.sluice.protocol.packet.ClientAuth;
import io.sluice.protocol.packet.Packet;
import io.sluice.protocol.packet.PacketType;
import io.sluice.testkit.mysql.MySqlServer;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client's filter whose matching would not end stops neither the stream nor a start. */
@Timeout(600)
class PoisonedFilterIT {
    private static final String ATTACK = ".*".repeat(45) + "x";

    private static MySqlServer mysql;

    @BeforeAll
    static void startMySql() {
        mysql = MySqlServer.start();
        PulledServer.allow(mysql);
        mysql.execute("create database shop", "create table shop.orders (id int primary key)");
    }

    @AfterAll
    static void stopMySql() {
        mysql.close();
    }

    @Test
    void theAttackIsRejectedRowsKeepComingAndARestartWorks() throws Exception {
        try (PulledServer server = new PulledServer(mysql, Map.of())) {
            server.start();
            try (PullClient client = PullClient.connect(options(server))) {
                client.subscribe("shop\\..*");
                mysql.execute("insert into shop.orders values (1)");
                assertThat(PulledServer.ids(client, 1)).containsExactly("1");

                Ack answer = logInWithFilter(server.port(), ATTACK);
                assertThat(answer.getErrorCode()).isEqualTo(400);
                assertThat(answer.getErrorMessage()).contains("the filter is refused: ");
                assertThatThrownBy(() -> client.subscribe(ATTACK))
                        .isInstanceOf(RequestRejectedException.class)
                        .hasMessageContaining("the filter is refused: ");

                mysql.execute("insert into shop.orders values (2)");
                assertThat(PulledServer.ids(client, 1)).containsExactly("2");
            }
            await().until(() -> server.metaFile().contains("shop")); // it is written with a delay
            assertThat(server.metaFile()).doesNotContain(".*.*.*");
            server.stop();

            mysql.execute("insert into shop.orders values (3)");
            server.start();
            try (PullClient client = PullClient.connect(options(server))) {
                assertThat(PulledServer.ids(client, 1)).contains("3");
            }
        }
    }

    @Test
    void aCursorFileWithSuchAFilterStarts() throws Exception {
        try (PulledServer server = new PulledServer(mysql, Map.of("canal.instance.filter.regex", "shop\\\\.orders"))) {
            server.writeMetaFile("""
                    {"clientDatas":[{"clientIdentity":{"clientId":1001,"destination":"example","filter":"ATTACK"}}],
                     "destination":"example"}
                    """.replace("ATTACK", ATTACK));
            server.start();
            mysql.execute(
                    "create table if not exists shop.others (id int primary key)",
                    "insert into shop.others values (11)",
                    "insert into shop.orders values (12)");
            try (PullClient client = PullClient.connect(options(server))) {
                assertThat(PulledServer.ids(client, 1)).containsExactly("12");
            }
            await().until(() -> !server.metaFile().contains(".*.*.*"));
        }
    }

    private static ClientOptions options(PulledServer server) {
        return ClientOptions.of("127.0.0.1", server.port(), PulledServer.DESTINATION);
    }

    /** Sends one packet, which logs in and subscribes. */
    private static Ack logInWithFilter(int port, String filter) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            in.readNBytes(in.readInt()); // the handshake
            byte[] packet = Packet.newBuilder()
                    .setType(PacketType.CLIENTAUTHENTICATION)
                    .setBody(ClientAuth.newBuilder()
                            .setDestination(PulledServer.DESTINATION)
                            .setClientId("1001")
                            .setFilter(filter)
                            .build()
                            .toByteString())
                    .build()
                    .toByteArray();
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            out.writeInt(packet.length);
            out.write(packet);
            return Ack.parseFrom(Packet.parseFrom(in.readNBytes(in.readInt())).getBody());
        }
    }
}
