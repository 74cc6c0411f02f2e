package io.sluice.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.protocol.time.Time;
import io.sluice.server.config.port.ControlConfig;
import io.sluice.server.config.port.ControlRole;
import io.sluice.server.control.LogFiles;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Callers that do not read their answers have few of them in memory. */
@Timeout(120)
class UnreadAnswersTest {
    private static final int MANY = 24;

    @TempDir
    private Path home;

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final List<Socket> sockets = new ArrayList<>();
    private String token = "";
    private String otherToken = "";
    private ApiPort port;

    @BeforeEach
    void open() throws IOException {
        Path access = home.resolve("control-access");
        token = TokenFile.add(access, "an.operator", ControlRole.OPERATOR);
        otherToken = TokenFile.add(access, "another.operator", ControlRole.OPERATOR);
        Path log = Files.createDirectories(home.resolve("logs/canal")).resolve("canal.log");
        Files.writeString(log, ("a".repeat(99) + "\n").repeat(60_000));
        port = ApiPort.open(
                        new ControlConfig("127.0.0.1", 0, access, Map.of(), Optional.empty()),
                        new RecordingOperations(),
                        new LogFiles(home.resolve("logs")),
                        timer,
                        Time.SYSTEM)
                .orElseThrow();
    }

    @AfterEach
    void close() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        port.close();
        timer.shutdownNow();
    }

    @Test
    void logsThatAreNotReadAreRefusedUntilTheirCallersAreGone() throws IOException {
        List<String> statuses = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            statuses.add(statusOfALog(token));
        }

        assertThat(statuses.get(0)).isEqualTo("HTTP/1.1 200");
        assertThat(statuses.get(MANY - 1)).isEqualTo("HTTP/1.1 429");
        assertThat(statusOfALog(otherToken)).as("of another caller").isEqualTo("HTTP/1.1 200");

        for (Socket socket : sockets) {
            socket.close();
        }
        String status = statusOfALog(token);
        while (status.endsWith(" 429")) { // until the server has seen it
            status = statusOfALog(token);
        }
        assertThat(status).isEqualTo("HTTP/1.1 200");
    }

    /** Asks for 4 MiB of the log, more than sockets buffer, and reads the first bytes of the answer only. */
    private String statusOfALog(String token) throws IOException {
        Socket socket = new Socket();
        sockets.add(socket);
        socket.setReceiveBufferSize(4096);
        socket.connect(new InetSocketAddress(
                InetAddress.getLoopbackAddress(), port.address().getPort()));
        socket.getOutputStream()
                .write(("GET /api/v1/log?lines=100000 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " + token
                                + "\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        return new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
    }
}
