package io.sluice.server.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import com.google.protobuf.ByteString;
import io.sluice.protocol.admin.Ack;
import io.sluice.protocol.admin.ClientAuth;
import io.sluice.protocol.admin.Packet;
import io.sluice.protocol.admin.PacketType;
import io.sluice.protocol.admin.ServerAdmin;
import io.sluice.protocol.wire.Scramble;
import io.sluice.server.config.port.AdminConfig;
import io.sluice.server.config.text.Secret;
import io.sluice.server.control.AuditLog;
import io.sluice.server.control.LogFiles;
import io.sluice.testkit.log.LogLines;
import io.sluice.testkit.time.HandTime;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
class AdminPortTest {
    private static final int FREE_FAILURES = 5;

    private static final String USER = "operator";
    private static final String PASSWORD = "of the operator's own";
    private static final HexFormat HEX = HexFormat.ofDelimiter(" ");

    @TempDir
    Path home;

    private final ScriptedOperations operations = new ScriptedOperations("one", "two");
    private final HandTime time = new HandTime();

    @AutoClose
    private final LogLines audit = LogLines.of(AuditLog.LOGGER, Level.INFO);

    private AdminPort port;

    @BeforeEach
    void open() throws IOException {
        open(Limits.STANDARD);
    }

    private void open(Limits limits) throws IOException {
        AdminConfig config =
                new AdminConfig("127.0.0.1", 0, USER, new Secret(Scramble.stored(PASSWORD)), Optional.empty());
        port = AdminPort.open(config, operations, new LogFiles(home.resolve("logs")), new AuditLog(time), limits, time);
    }

    private void reopen(Limits limits) throws IOException {
        port.close();
        open(limits);
    }

    @AfterEach
    void close() {
        port.close();
    }

    private AdminClient connect() throws IOException {
        return AdminClient.connect(port.address());
    }

    private AdminClient logIn() throws IOException {
        return AdminClient.open(port.address(), USER, PASSWORD);
    }

    // What is on the wire.

    @Test
    void theBytesAreThoseOfCanal() throws Exception {
        try (AdminClient client = connect()) {
            byte[] handshake = client.readFrame();
            assertThat(HEX.formatHex(handshake))
                    .startsWith("10 01 18 01 22 0a 12 08 ")
                    .hasSize(16 * 3 - 1);
            byte[] seed = new byte[8];
            System.arraycopy(handshake, 8, seed, 0, 8);
            client.sendLogin(USER, PASSWORD, seed);
            assertThat(HEX.formatHex(client.readFrame())).isEqualTo("10 01 18 03 22 02 08 00");
            client.send(
                    PacketType.SERVER,
                    ServerAdmin.newBuilder().setAction("check").build());
            assertThat(HEX.formatHex(client.readFrame())).isEqualTo("10 01 18 03 22 05 08 00 12 01 31");
        }
    }

    @Test
    void theLoginIsTheFirstPacketWhateverItsType() throws Exception {
        try (AdminClient client = connect()) {
            client.readHandshake();
            client.send(PacketType.LOG, ClientAuth.getDefaultInstance());
            assertThat(client.readAck().getCode()).isEqualTo(300);
        }
    }

    @Test
    void unknownPacketsAndActionsHaveTheirCodes() throws Exception {
        try (AdminClient client = logIn()) {
            client.send(PacketType.HANDSHAKE, ServerAdmin.getDefaultInstance());
            assertAck(client.readAck(), 300, "packet type: HANDSHAKE is NOT supported!");
            assertAck(client.server("explode"), 301, "ServerAdmin action: explode  is unknown");
            assertAck(client.instance("one", "explode"), 301, "InstanceAdmin action: explode is unknown");
            assertAck(client.log("canal", "list", "", "", 0), 301, "LogAdmin type: canal is unknown");
            client.sendFrame(HexFormat.of().parseHex("1804220381ffff"));
            assertAck(client.readAck(), 400, "the packet's body cannot be read");
            operations.rejections.put("one", "no memory is left");
            operations.stop("one");
            assertAck(client.instance("one", "start"), 400, "no memory is left");
            assertAck(client.server("check"), 0, "1");
        }
    }

    private static void assertAck(Ack ack, int code, String message) {
        assertThat(ack.getMessage()).isEqualTo(message);
        assertThat(ack.getCode()).isEqualTo(code);
    }

    // Who is let in.

    @Test
    void aRequestBeforeTheLoginIsTakenAsOneAndRefused() throws Exception {
        try (AdminClient client = connect()) {
            client.readHandshake();
            assertThat(client.server("stop").getCode()).isEqualTo(300);
            assertThat(client.bytesUntilClosed()).isZero();
        }
        assertThat(operations.calls).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"operator, wrong", "operator, ''", "root, of the operator''s own", "'', of the operator''s own"})
    void afterAFailedLoginThereIsOneAnswerAndTheConnectionIsClosed(String user, String password) throws Exception {
        try (AdminClient client = connect()) {
            byte[] seed = client.readHandshake();
            client.sendLogin(user, password, seed);
            assertAck(client.readAck(), 300, "auth failed for user:" + user);
            assertThat(client.bytesUntilClosed()).isZero();
        }
        await().untilAsserted(() -> assertThat(audit.texts()).hasSize(1));
        assertThat(audit.texts().get(0))
                .contains("\"who\":\"" + user + "\"", "\"action\":\"login\"", "\"done\":false")
                .contains("\"remote\":\"127.0.0.1:");
    }

    @Test
    void whatFollowsAFailedLoginIsNotAnswered() throws Exception {
        try (AdminClient client = connect()) {
            byte[] seed = client.readHandshake();
            byte[] wrong = login(USER, Scramble.token("wrong", seed));
            byte[] right = login(USER, Scramble.token(PASSWORD, seed));
            byte[] stop = frame(Packet.newBuilder()
                    .setType(PacketType.SERVER)
                    .setBody(ServerAdmin.newBuilder().setAction("stop").build().toByteString())
                    .build());
            byte[] all = new byte[wrong.length + right.length + stop.length];
            System.arraycopy(wrong, 0, all, 0, wrong.length);
            System.arraycopy(right, 0, all, wrong.length, right.length);
            System.arraycopy(stop, 0, all, wrong.length + right.length, stop.length);
            client.sendBytes(all);

            assertThat(client.readAck().getCode()).isEqualTo(300);
            assertThat(client.bytesUntilClosed()).isZero();
        }
        assertThat(operations.calls).isEmpty();
    }

    private static byte[] login(String user, String token) {
        return frame(Packet.newBuilder()
                .setType(PacketType.CLIENTAUTHENTICATION)
                .setBody(ClientAuth.newBuilder()
                        .setUsername(user)
                        .setPassword(ByteString.copyFromUtf8(token))
                        .build()
                        .toByteString())
                .build());
    }

    private static byte[] frame(Packet packet) {
        byte[] bytes = packet.toByteArray();
        byte[] frame = new byte[4 + bytes.length];
        ByteBuffer.wrap(frame).putInt(bytes.length).put(bytes);
        return frame;
    }

    @ParameterizedTest
    @CsvSource({
        "''",
        "00",
        "zz",
        "0000000000000000000000000000000000000000",
        "00000000000000000000000000000000000000000"
    })
    void whatIsNoProofOfThePasswordIsRefused(String token) throws Exception {
        try (AdminClient client = connect()) {
            client.readHandshake();
            client.sendBytes(login(USER, token));
            assertThat(client.readAck().getCode()).isEqualTo(300);
            assertThat(client.bytesUntilClosed()).isZero();
        }
    }

    @Test
    void aProofIsValidForItsConnectionOnly() throws Exception {
        try (AdminClient heard = connect();
                AdminClient replaying = connect()) {
            byte[] seed = heard.readHandshake();
            replaying.readHandshake();
            assertThat(replaying.logIn(USER, PASSWORD, seed).getCode()).isEqualTo(300);
            assertThat(heard.logIn(USER, PASSWORD, seed).getCode()).isZero();
        }
    }

    @Test
    void anAddressThatFailsTooOftenHasToWaitAndIsLetInThen() throws Exception {
        for (int i = 0; i < FREE_FAILURES; i++) {
            try (AdminClient client = connect()) {
                assertThat(client.logIn(USER, "wrong").getMessage()).startsWith("auth failed");
            }
        }
        try (AdminClient client = connect()) {
            assertAck(
                    client.logIn(USER, PASSWORD),
                    300,
                    "too many failed logins from this address, the next one is checked in 2 s");
            assertThat(client.bytesUntilClosed()).isZero();
        }
        time.passSeconds(1);
        try (AdminClient client = logIn()) {
            assertThat(client.server("check").getCode()).isZero();
        }
        try (AdminClient client = connect()) {
            assertThat(client.logIn(USER, "wrong").getMessage()).startsWith("auth failed");
        }
    }

    @Test
    void failedLoginsFillNoDisk() throws Exception {
        for (int i = 0; i < 20; i++) {
            try (AdminClient client = connect()) {
                assertThat(client.logIn(USER, "wrong").getCode()).isEqualTo(300);
            }
        }
        assertThat(audit.texts()).hasSize(1 + 2);
        time.pass(Duration.ofMinutes(2));
        try (AdminClient client = connect()) {
            assertThat(client.logIn(USER, "wrong").getCode()).isEqualTo(300);
        }
        assertThat(audit.texts()).hasSize(3 + 2);
        assertThat(audit.texts().get(3)).contains("17 more failed logins are not listed");
    }

    @Test
    void aPortWithoutAPasswordCannotBeOpened() {
        assertThatThrownBy(() -> new AdminConfig("127.0.0.1", 0, "", new Secret(""), Optional.empty()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("canal.admin.passwd");
    }

    // What clients can use up.

    @Test
    void aFloodOfSilentConnectionsKeepsNobodyOut() throws Exception {
        List<AdminClient> silent = new ArrayList<>();
        try {
            for (int i = 0; i < 200; i++) {
                silent.add(connect());
            }
            try (AdminClient client = logIn()) {
                await().until(() -> port.connections() <= Limits.STANDARD.unauthenticated() + 1);
                assertThat(client.server("check").getMessage()).isEqualTo("1");
            }
        } finally {
            for (AdminClient client : silent) {
                client.close();
            }
        }
    }

    @Test
    void aConnectionThatDoesNotLogInIsClosed() throws Exception {
        reopen(new Limits(4, 2, 50, Duration.ofMillis(50), Duration.ofHours(1), Duration.ofMinutes(1)));
        try (AdminClient client = connect()) {
            client.readHandshake();
            assertThat(client.bytesUntilClosed()).isZero();
        }
        await().until(() -> port.connections() == 0);
    }

    @Test
    void aSilentClientIsClosedAfterTheTimeoutThatItAskedFor() throws Exception {
        try (AdminClient client = connect()) {
            byte[] seed = client.readHandshake();
            client.send(
                    PacketType.CLIENTAUTHENTICATION,
                    ClientAuth.newBuilder()
                            .setUsername(USER)
                            .setPassword(ByteString.copyFromUtf8(Scramble.token(PASSWORD, seed)))
                            .setNetReadTimeout(100)
                            .build());
            assertThat(client.readAck().getCode()).isZero();
            assertThat(client.bytesUntilClosed()).isZero();
        }
    }

    @Test
    void aFrameThatIsTooLongClosesItsConnectionOnly() throws Exception {
        try (AdminClient other = logIn()) {
            for (String length : List.of("00002001", "7fffffff", "ffffffff")) {
                try (AdminClient client = connect()) {
                    client.readHandshake();
                    client.sendBytes(HexFormat.of().parseHex(length));
                    assertThat(client.bytesUntilClosed()).isZero();
                }
                try (AdminClient client = logIn()) {
                    client.sendBytes(HexFormat.of().parseHex(length));
                    assertThat(client.bytesUntilClosed()).isZero();
                }
            }
            assertThat(other.server("check").getMessage()).isEqualTo("1");
        }
    }

    @Test
    void aRequestThatWaitsKeepsNoOtherClientWaiting() throws Exception {
        operations.mayStop = new CountDownLatch(1);
        List<AdminClient> waiting = new ArrayList<>();
        try {
            for (int i = 0; i < 8; i++) {
                AdminClient client = logIn();
                client.send(
                        PacketType.SERVER,
                        ServerAdmin.newBuilder().setAction("stop").build());
                client.send(
                        PacketType.SERVER,
                        ServerAdmin.newBuilder().setAction("check").build());
                waiting.add(client);
            }
            try (AdminClient client = logIn()) {
                assertThat(client.server("check").getMessage()).isEqualTo("1");
            }
            operations.mayStop.countDown();
            int stopped = 0;
            for (AdminClient client : waiting) {
                stopped += Integer.parseInt(client.readAck().getMessage());
                assertThat(client.readAck().getMessage()).isEqualTo("0"); // in the order of the requests
            }
            assertThat(stopped).isBetween(1, 2); // two instances, each stopped once
        } finally {
            operations.mayStop.countDown();
            for (AdminClient client : waiting) {
                client.close();
            }
        }
    }

    @Test
    void aClosedPortAnswersNoMore() throws Exception {
        try (AdminClient client = logIn()) {
            port.close();
            port.close();
            assertThatThrownBy(() -> client.server("check")).isInstanceOf(IOException.class);
        }
        assertThatThrownBy(this::logIn).isInstanceOf(IOException.class);
    }

    // What can be asked for.

    @Test
    void theServerIsStoppedWhenAllInstancesAre() throws Exception {
        try (AdminClient client = logIn()) {
            assertThat(client.server("start").getMessage()).isEqualTo("0");
            assertThat(client.server("check").getMessage()).isEqualTo("1");
            assertThat(client.instance("one", "stop").getMessage()).isEqualTo("1");
            assertThat(client.server("check").getMessage()).isEqualTo("1");
            assertThat(client.server("stop").getMessage()).isEqualTo("1");
            assertThat(client.server("check").getMessage()).isEqualTo("0");
            assertThat(client.server("stop").getMessage()).isEqualTo("0");
            assertThat(client.server("start").getMessage()).isEqualTo("1");
            assertThat(operations.stopped).containsEntry("one", false).containsEntry("two", false);
            assertThat(client.server("restart").getMessage()).isEqualTo("1");
            assertThat(client.server("check").getMessage()).isEqualTo("1");
            assertThat(client.server("list").getMessage()).isEmpty(); // there are no instances, only their names
        }
    }

    @Test
    void oneInstanceThatCannotBeStartedKeepsNoneOfTheOthers() throws Exception {
        operations.rejections.put("one", "one cannot be started: its cursor cannot be read");
        try (AdminClient client = logIn()) {
            client.server("stop");
            assertAck(client.server("start"), 400, "one cannot be started: its cursor cannot be read");
            assertThat(operations.stopped).containsEntry("one", true).containsEntry("two", false);
            assertAck(client.server("restart"), 400, "one cannot be started: its cursor cannot be read");
            assertThat(operations.stopped).containsEntry("one", true).containsEntry("two", false);
        }
    }

    @Test
    void anInstanceThatIsKnownIsChangedAndAnyOtherIsNot() throws Exception {
        try (AdminClient client = logIn()) {
            for (String action : List.of("stop", "stop", "start", "start", "restart", "release")) {
                assertAck(client.instance("one", action), 0, "1");
            }
            client.instance("one", "stop");
            assertAck(client.instance("one", "restart"), 0, "1");
            assertThat(operations.calls)
                    .containsExactly(
                            "stop one",
                            "stop one",
                            "start one",
                            "start one",
                            "restart one",
                            "release one",
                            "stop one",
                            "start one");
            for (String name : List.of("three", "", "../one", "one,two")) {
                for (String action : List.of("check", "stop", "start", "restart", "release")) {
                    assertAck(client.instance(name, action), 0, "0");
                }
            }
        }
    }

    @Test
    void loginsAndChangesAreRecorded() throws Exception {
        try (AdminClient client = logIn()) {
            client.instance("one", "stop");
            client.instance("one", "stop");
            client.instance("three", "stop");
            operations.rejections.put("one", "no memory is left");
            client.instance("one", "start");
            client.server("check");
        }

        assertThat(audit.texts()).hasSize(5);
        assertThat(audit.texts())
                .allMatch(line -> line.contains("\"who\":\"operator\",\"onBehalfOf\":\"\",\"remote\":\"127.0.0.1:"));
        assertThat(audit.texts().get(0)).contains("\"action\":\"login\"", "\"done\":true");
        assertThat(audit.texts().get(1))
                .contains("\"action\":\"stop\",\"destination\":\"one\"")
                .endsWith("\"before\":\"not here\",\"after\":\"stopped\",\"done\":true}");
        assertThat(audit.texts().get(2)).endsWith("\"before\":\"stopped\",\"after\":\"stopped\",\"done\":false}");
        assertThat(audit.texts().get(3))
                .contains(
                        "\"destination\":\"three\",\"before\":\"unknown\",\"after\":\"there is no destination three\"");
        assertThat(audit.texts().get(4))
                .endsWith("\"before\":\"stopped\",\"after\":\"no memory is left\",\"done\":false}");
    }

    @Test
    void logsAreListedAndTheirEndsRead() throws Exception {
        writeLog("canal/canal.log", "a\nb\nc\n");
        writeLog("one/one.log", "of one\n");
        writeLog("one/meta.log", "cursors\n");
        try (AdminClient client = logIn()) {
            assertAck(client.log("server", "list", "", "", 0), 0, "canal.log");
            assertAck(client.log("server", "LIST", "", "", 0), 0, "canal.log");
            assertAck(client.log("server", "file", "", "", 2), 0, "b\nc");
            assertAck(client.log("server", "file", "", "", 0), 0, "");
            assertAck(client.log("instance", "list", "one", "", 0), 0, "meta.log,one.log");
            assertAck(client.log("instance", "file", "one", "", 100), 0, "of one");
            assertAck(client.log("instance", "file", "one", "meta.log", 100), 0, "cursors");
            assertAck(client.log("instance", "list", "two", "", 0), 0, "");
            assertAck(
                    client.log("instance", "file", "two", "", 1),
                    400,
                    "the log cannot be read: two: there is no such log");
        }
    }

    @Test
    void aTailIsAsLongAsFourMebibytes() throws Exception {
        writeLog("canal/canal.log", "x".repeat(5 * 1024 * 1024) + "\n");
        try (AdminClient client = logIn()) {
            assertThat(client.log("server", "file", "", "", 100).getMessage()).hasSize(4 * 1024 * 1024 - 1);
        }
    }

    @Test
    void noOtherFileCanBeRead() throws Exception {
        writeLog("one/one.log", "of one\n");
        Files.writeString(home.resolve("secret.log"), "a password");
        Files.createSymbolicLink(home.resolve("logs/one/link.log"), home.resolve("secret.log"));
        Files.createSymbolicLink(home.resolve("logs/link"), home);
        try (AdminClient client = logIn()) {
            for (String file : List.of(
                    "../secret.log",
                    "../../secret.log",
                    "..",
                    "/etc/passwd",
                    home.resolve("secret.log").toString(),
                    "link.log",
                    "..\\secret.log",
                    "\0",
                    "one.log\0",
                    "/proc/self/environ")) {
                for (String type : List.of("instance", "server")) {
                    Ack ack = client.log(type, "file", "one", file, 100);
                    assertThat(ack.getCode()).as(file).isEqualTo(400);
                    assertThat(ack.getMessage()).as(file).doesNotContain("a password", home.toString(), "\tat ");
                }
            }
            for (String destination : List.of("", ".", "..", "link", "/", "../logs/one", "one/../..", "one/", "\0")) {
                assertThat(client.log("instance", "file", destination, "secret.log", 100)
                                .getCode())
                        .as(destination)
                        .isEqualTo(400);
                assertThat(client.log("instance", "list", destination, "", 0).getCode())
                        .as(destination)
                        .isEqualTo(400);
            }
        }
    }

    private void writeLog(String file, String text) throws IOException {
        Path path = home.resolve("logs").resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }
}
