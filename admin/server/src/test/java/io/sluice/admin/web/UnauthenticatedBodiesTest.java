package io.sluice.admin.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.admin.Browser;
import io.sluice.admin.HandClock;
import io.sluice.admin.RunningAdmin;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.coyote.AbstractProtocol;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients without a session that send bodies slowly, or not at all, do not occupy the threads of all others. */
class UnauthenticatedBodiesTest {
    private static final int ANSWER_MILLIS = 8_000;

    @TempDir
    static Path data;

    private static RunningAdmin admin;

    @BeforeAll
    static void start() {
        admin = RunningAdmin.start(data);
    }

    @AfterAll
    static void stop() {
        admin.close();
    }

    @Test
    void aFormIsNotRead() throws IOException {
        assertThat(firstLine(head("POST", "/api/v2/session", "application/x-www-form-urlencoded", 10_000)))
                .contains(" 415 ");
    }

    @Test
    void aBodyThatNothingReadsIsNotAwaited() throws IOException {
        for (String method : List.of("GET", "POST", "DELETE")) {
            try (Socket socket = open(head(method, "/api/v2/login-options", "text/plain", 10_000))) {
                // The end of the connection: the thread is free again.
                assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                        .startsWith("HTTP/1.1 415 ")
                        .contains("Connection: close");
            }
        }
    }

    @Test
    void theRestOfABodyThatIsTooLargeIsNotAwaited() throws IOException {
        byte[] begin = head("POST", "/api/v2/servers", "application/json", 4 * 1024 * 1024);
        try (Socket socket = open(begin)) {
            socket.getOutputStream().write(new byte[2 * 1024 * 1024 + 8192]);
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith("HTTP/1.1 413 ");
        }
    }

    /** A client may have sent its next request already when it learns that its body was not needed. */
    @Test
    void aBodyOfAUserThatWasNotNeededDoesNotCloseTheConnection() throws IOException {
        Browser user = admin.administrator();
        String token = user.cookie("XSRF-TOKEN").orElseThrow();
        String cookies = "SLUICE_ADMIN=%s; XSRF-TOKEN=%s"
                .formatted(user.cookie("SLUICE_ADMIN").orElseThrow(), token);
        String request =
                "POST /api/v2/nothing HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nCookie: %s\r\nX-XSRF-TOKEN: %s\r\nContent-Length: 2\r\n\r\n{}"
                        .formatted(cookies, token);
        try (Socket socket = open((request + new String(get("/api/v2/login-options"), StandardCharsets.UTF_8))
                .getBytes(StandardCharsets.UTF_8))) {
            BufferedReader answers =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            assertThat(answers.readLine()).startsWith("HTTP/1.1 4");
            assertThat(answers.lines().anyMatch(line -> line.contains("HTTP/1.1 200 ")))
                    .isTrue();
        }
    }

    @Test
    void onlySomeBodiesAreReadAtOnce() throws IOException {
        List<SocketChannel> slow = new ArrayList<>();
        try (Selector selector = Selector.open()) {
            int most = UnauthenticatedBodyFilter.MAX_READERS - UnauthenticatedBodyFilter.KEPT_READERS;
            for (int i = 0; i <= most; i++) {
                SocketChannel channel =
                        SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), admin.port()));
                channel.write(ByteBuffer.wrap(head("POST", "/api/v2/session", "application/json", 10_000)));
                channel.configureBlocking(false);
                channel.register(selector, SelectionKey.OP_READ);
                slow.add(channel);
            }
            assertThat(selector.select(ANSWER_MILLIS)).isOne();
            ByteBuffer answer = ByteBuffer.allocate(64);
            ((SocketChannel) selector.selectedKeys().iterator().next().channel()).read(answer);
            assertThat(new String(answer.array(), StandardCharsets.UTF_8)).startsWith("HTTP/1.1 429 ");
            assertThat(firstLine(get("/api/v2/login-options"))).contains(" 200 ");
            assertThat(loginFrom("127.0.0.2"))
                    .as("of another network, without a CSRF token")
                    .contains(" 403 ");
        } finally {
            for (SocketChannel channel : slow) {
                channel.close();
            }
        }
    }

    private static String loginFrom(String address) throws IOException {
        try (Socket socket = new Socket()) {
            socket.bind(new InetSocketAddress(address, 0));
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), admin.port()));
            socket.setSoTimeout(ANSWER_MILLIS);
            socket.getOutputStream().write(head("POST", "/api/v2/session", "application/json", 2));
            socket.getOutputStream().write("{}".getBytes(StandardCharsets.UTF_8));
            return new String(socket.getInputStream().readNBytes(16), StandardCharsets.UTF_8);
        }
    }

    @Test
    void aLoginHasItsBodyAlsoInChunks() throws IOException {
        Browser browser = admin.browser();
        browser.get("/api/v2/login-options");
        String token = browser.cookie("XSRF-TOKEN").orElseThrow();
        String body = "{\"name\": \"admin\", \"password\": \"wrong\"}";
        String request =
                "POST /api/v2/session HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json; charset=utf-8\r\nCookie: XSRF-TOKEN=%s\r\nX-XSRF-TOKEN: %s\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n"
                        .formatted(token, token, body.length(), body);
        assertThat(firstLine(request.getBytes(StandardCharsets.UTF_8))).contains(" 401 ");
    }

    @Test
    void aBodyHasATimeLimitHoweverItsBytesAreSpread() throws IOException {
        HandClock clock = new HandClock();
        InputStream byteByByte = new ByteArrayInputStream(new byte[100]) {
            @Override
            public synchronized int read(byte[] bytes, int offset, int length) {
                clock.pass(Duration.ofSeconds(9));
                return super.read(bytes, offset, 1);
            }
        };
        assertThatThrownBy(() -> new TimedBody(clock, Duration.ofSeconds(15), 50, 1000).read(byteByByte))
                .isInstanceOf(TimedBody.TooSlowException.class);
        TimedBody body = new TimedBody(clock, Duration.ofSeconds(15), 50, 1000);
        assertThat(body.read(new ByteArrayInputStream(new byte[60]))).hasSize(50);
    }

    @Test
    void connectionsAreLimited() {
        AbstractProtocol<?> protocol = (AbstractProtocol<?>)
                admin.webServer().getTomcat().getConnector().getProtocolHandler();
        assertThat(protocol.getMaxConnections()).isEqualTo(1000);
        assertThat(protocol.getConnectionTimeout()).isEqualTo(10_000);
        assertThat(protocol.getKeepAliveTimeout()).isEqualTo(75_000);
    }

    private static byte[] get(String path) {
        return "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n".formatted(path).getBytes(StandardCharsets.UTF_8);
    }

    /** A request without its body. */
    private static byte[] head(String method, String path, String type, int length) {
        return "%s %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n"
                .formatted(method, path, type, length)
                .getBytes(StandardCharsets.UTF_8);
    }

    private static Socket open(byte[] request) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), admin.port());
        socket.setSoTimeout(ANSWER_MILLIS);
        socket.getOutputStream().write(request);
        return socket;
    }

    private static String firstLine(byte[] request) throws IOException {
        try (Socket socket = open(request)) {
            return new String(socket.getInputStream().readNBytes(16), StandardCharsets.UTF_8);
        }
    }
}
