package io.sluice.admin.canal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.sluice.admin.problem.FailureKind;
import io.sluice.protocol.admin.Ack;
import io.sluice.protocol.admin.Packet;
import io.sluice.protocol.admin.PacketType;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Against bytes as canal sends them. */
class ManagementClientTest {
    /** The greeting with the seed 01 to 08, an accepted login, and the answer "1". */
    private static final String GREETING = "10011801220a12080102030405060708";

    private static final String ACCEPTED = "1001180322020800";
    private static final String ONE = "10011803220508001201" + "31";

    /** The token of the password admin for that seed. */
    private static final String TOKEN = "7442e41a86c87ea818a7b90f671b334eeea8be84";

    private final ManagementClient client = new ManagementClient(new CanalProperties("admin", "admin"));
    private final List<byte[]> received = new CopyOnWriteArrayList<>();
    private final List<ServerSocket> sockets = new ArrayList<>();

    @AfterEach
    void close() throws IOException {
        client.close();
        for (ServerSocket socket : sockets) {
            socket.close();
        }
    }

    /** A server that sends a frame, then one more for each frame that it gets. */
    private InetSocketAddress server(String... frames) throws IOException {
        ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        sockets.add(socket);
        Thread thread = new Thread(() -> {
            try {
                while (true) {
                    try (Socket connection = socket.accept()) {
                        talk(connection, frames);
                    }
                }
            } catch (IOException e) {
                received.add(new byte[0]); // it was closed
            }
        });
        thread.setDaemon(true);
        thread.start();
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), socket.getLocalPort());
    }

    private void talk(Socket connection, String... frames) throws IOException {
        OutputStream out = connection.getOutputStream();
        DataInputStream in = new DataInputStream(connection.getInputStream());
        for (String frame : frames) {
            byte[] bytes = HexFormat.of().parseHex(frame);
            out.write(HexFormat.of().parseHex("%08x".formatted(bytes.length)));
            out.write(bytes);
            out.flush();
            int length = in.read() < 0 ? -1 : in.readUnsignedByte() << 16 | in.readUnsignedShort();
            if (length < 0) {
                return;
            }
            received.add(in.readNBytes(length));
        }
    }

    private List<String> ask(InetSocketAddress address, ManagementRequest... requests) throws Exception {
        return client.ask(address, List.of(requests), Duration.ofSeconds(10)).get();
    }

    @Test
    void logsInAndAsks() throws Exception {
        InetSocketAddress canal = server(GREETING, ACCEPTED, ONE, ONE);

        assertThat(ask(canal, ManagementRequest.server("check"), ManagementRequest.instance("shop", "release")))
                .containsExactly("1", "1");
        assertThat(new String(received.get(0), StandardCharsets.ISO_8859_1)).contains("admin", TOKEN);
        assertThat(HexFormat.of().formatHex(received.get(1))).isEqualTo("10011804" + "2207" + "0a05" + "636865636b");
        assertThat(HexFormat.of().formatHex(received.get(2)))
                .isEqualTo("10011805" + "220f" + "0a04" + "73686f70" + "1207" + "72656c65617365");
    }

    @Test
    void aRejectedLoginIsReported() throws Exception {
        // code 300, "auth failed for user:admin"
        String refused = "1001180322" + "1f" + "08ac02" + "121a"
                + HexFormat.of().formatHex("auth failed for user:admin".getBytes(StandardCharsets.UTF_8));
        InetSocketAddress canal = server(GREETING, refused);

        assertThatThrownBy(() -> ask(canal, ManagementRequest.server("check")))
                .cause()
                .isInstanceOfSatisfying(
                        ManagementFailure.class,
                        failure -> assertThat(failure.kind()).isEqualTo(FailureKind.UNAUTHORIZED))
                .hasMessageContaining("sluice.admin.canal-password")
                .message()
                .doesNotContain(TOKEN);
    }

    @Test
    void anErrorIsPassedOnWithItsFirstLine() throws Exception {
        // code 301, "unknown\n\tat com.alibaba…"
        String error = "1001180322" + "12" + "08ad02" + "120d"
                + HexFormat.of().formatHex("unknown\n\tat x".getBytes(StandardCharsets.UTF_8));
        InetSocketAddress canal = server(GREETING, ACCEPTED, error);

        assertThatThrownBy(() -> ask(canal, ManagementRequest.server("dance")))
                .cause()
                .hasMessageContaining("301: unknown")
                .message()
                .doesNotContain("at x");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "00", "ffffffff", "48545450", "1001180322020800", "10011801220412020102"})
    void whatIsNoManagementPortIsReported(String greeting) throws Exception {
        InetSocketAddress other = server(greeting);

        assertThatThrownBy(() -> ask(other, ManagementRequest.server("check")))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        ManagementFailure.class,
                        failure -> assertThat(failure.kind()).isEqualTo(FailureKind.UNREACHABLE));
    }

    /** Any bytes after the greeting end the request; nothing hangs, and no connection stays open. */
    @Test
    void anyBytesEndTheRequest() throws Exception {
        for (long seed = 0; seed < 60; seed++) {
            byte[] bytes = new byte[20];
            new Random(seed).nextBytes(bytes);
            InetSocketAddress other = server(GREETING, HexFormat.of().formatHex(bytes));

            assertThatThrownBy(() -> ask(other, ManagementRequest.server("check")))
                    .as("seed %d", seed)
                    .isInstanceOf(ExecutionException.class);
        }
    }

    /** What is no log is short; a server that announces more is not believed, however much memory there is. */
    @Test
    void aLongAnswerIsReadOfLogsOnly() throws Exception {
        String answer = ack("a".repeat(2 * 1024 * 1024));

        assertThatThrownBy(() -> ask(server(GREETING, ACCEPTED, answer), ManagementRequest.server("list")))
                .cause()
                .hasMessageContaining("has failed");
        assertThat(ask(server(GREETING, ACCEPTED, answer), ManagementRequest.logTail("", "", 10)))
                .singleElement()
                .satisfies(text -> assertThat(text).hasSize(2 * 1024 * 1024));
    }

    private static String ack(String message) {
        byte[] body = Ack.newBuilder().setCode(0).setMessage(message).build().toByteArray();
        return HexFormat.of()
                .formatHex(Packet.newBuilder()
                        .setVersion(1)
                        .setType(PacketType.ACK)
                        .setBody(ByteString.copyFrom(body))
                        .build()
                        .toByteArray());
    }

    /** More requests than connections: each gets its turn, although none of the first is answered. */
    @Test
    void manyRequestsWaitForTheirTurn() throws Exception {
        ServerSocket silent = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        sockets.add(silent);
        InetSocketAddress address = new InetSocketAddress(silent.getInetAddress(), silent.getLocalPort());
        List<CompletableFuture<List<String>>> all = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            all.add(client.ask(address, List.of(ManagementRequest.server("check")), Duration.ofMillis(200)));
        }
        InetSocketAddress canal = server(GREETING, ACCEPTED, ONE);

        assertThat(ask(canal, ManagementRequest.server("check"))).containsExactly("1");
        assertThat(all).allSatisfy(one -> assertThat(one).failsWithin(Duration.ofSeconds(30)));
    }
}
