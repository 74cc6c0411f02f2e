package io.sluice.admin.fleet.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.sluice.admin.address.AddressResolver;
import io.sluice.admin.address.Resolvers;
import io.sluice.admin.problem.FailureKind;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ControlClientTest {
    private static final String PRIVATE = "what only the inside may see";

    private final List<String> paths = new CopyOnWriteArrayList<>();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private AddressResolver resolver;
    private ControlClient client;
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        resolver = Resolvers.create();
        client = new ControlClient(resolver, new ControlProperties(false, null, null));
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.start();
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        server.stop(0);
        for (AutoCloseable one : opened) {
            one.close();
        }
    }

    private void answer(int status, String type, byte[] body, String... headers) {
        server.createContext("/", exchange -> {
            paths.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " "
                    + exchange.getRequestHeaders().getFirst("X-Sluice-On-Behalf-Of"));
            exchange.getResponseHeaders().set("Content-Type", type);
            for (int i = 0; i < headers.length; i += 2) {
                exchange.getResponseHeaders().set(headers[i], headers[i + 1]);
            }
            exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(body);
            }
        });
    }

    private ControlTarget target() {
        return new ControlTarget(
                new ControlUrl(false, "127.0.0.1", server.getAddress().getPort()), "token");
    }

    private ControlFailure failure(ControlTarget target, ControlCall call) {
        CompletableFuture<ControlAnswer> answer = client.call(target, call);
        assertThat(answer).failsWithin(Duration.ofSeconds(60));
        return (ControlFailure) answer.handle((done, failure) -> failure).join();
    }

    @Test
    void callsOnBehalfOfAnyName() throws Exception {
        answer(200, "application/json", "{\"a\":1}".getBytes(StandardCharsets.UTF_8));

        ControlAnswer answer = client.call(
                        target(),
                        ControlCall.change("POST", ControlCall.instance("a b/../c", "/stop"), "{}", "Jörg\r\nX: y"))
                .get();

        assertThat(answer.json().path("a").asInt()).isEqualTo(1);
        assertThat(paths).containsExactly("POST /api/v1/instances/a%20b%2F..%2Fc/stop J%C3%B6rg%0D%0AX%3A+y");
    }

    @Test
    void followsNoRedirect() {
        answer(302, "text/html", new byte[0], "Location", "http://169.254.169.254/");

        assertThat(failure(target(), ControlCall.get("/server"))).hasMessageContaining("no Sluice server (HTTP 302)");
        assertThat(paths).hasSize(1);
    }

    /** The answer of another service inside of the network is not shown to the user that has entered its address. */
    @Test
    void doesNotShowWhatOthersSay() {
        byte[] problem = ("{\"detail\":\"" + PRIVATE + "\"}").getBytes(StandardCharsets.UTF_8);
        answer(409, "application/problem+json", problem);

        assertThat(failure(target(), ControlCall.get("/server")).getMessage()).doesNotContain(PRIVATE);
        client.recognize(target().url(), this, true);
        ControlFailure known = failure(target(), ControlCall.get("/server"));
        assertThat(known).hasMessage(PRIVATE);
        assertThat(known.status()).isEqualTo(409);
        assertThat(known.kind()).isEqualTo(FailureKind.REJECTED);
    }

    /** The text of a server that is not known is not shown, and the token may be right. */
    @Test
    void saysAllThatTooManyRequestsMayMean() {
        answer(
                429,
                "application/problem+json",
                "{\"detail\":\"a has 64 connections\"}".getBytes(StandardCharsets.UTF_8));

        assertThat(failure(target(), ControlCall.get("/server")))
                .hasMessageContaining(
                        "HTTP 429: it was sent too many wrong tokens, or has too many connections or calls of this token");
    }

    @Test
    void boundsAnswers() {
        answer(200, "application/json", new byte[9 * 1024 * 1024]);

        assertThat(failure(target(), ControlCall.get("/server"))).hasMessageContaining("more than is read here");
    }

    @Test
    void aTokenDoesNotTravelInClear() {
        ControlTarget other = new ControlTarget(new ControlUrl(false, "192.0.2.1", 11113), "token");

        assertThat(failure(other, ControlCall.get("/server"))).hasMessageContaining("allow-plain-control");
    }

    @Test
    void aServerThatIsSilentOrAbsentIsReported() throws Exception {
        ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        opened.add(silent);
        ControlTarget target = new ControlTarget(new ControlUrl(false, "127.0.0.1", silent.getLocalPort()), "token");

        assertThat(failure(target, ControlCall.get("/server").within(Duration.ofMillis(300))))
                .hasMessageContaining("does not answer within");
        silent.close();
        assertThat(failure(target, ControlCall.get("/server"))).hasMessageContaining("refuses connections");
    }

    @Test
    void tlsToAServerWithoutItIsReported() throws Exception {
        answer(200, "application/json", new byte[0]);
        ControlTarget target = new ControlTarget(
                new ControlUrl(true, "127.0.0.1", server.getAddress().getPort()), "token");

        assertThat(failure(target, ControlCall.get("/server"))).hasMessageContaining("no TLS connection");
    }

    /** Any bytes end the call, or the stream. */
    @Test
    void anyBytesEndTheCall() throws Exception {
        ServerSocket noise = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        opened.add(noise);
        Thread thread = new Thread(() -> {
            for (long seed = 0; ; seed++) {
                try (Socket connection = noise.accept()) {
                    byte[] bytes = new byte[200];
                    new Random(seed).nextBytes(bytes);
                    connection
                            .getOutputStream()
                            .write(seed % 2 == 0 ? "HTTP/1.1 200 OK\r\n".getBytes(StandardCharsets.US_ASCII) : bytes);
                    connection.getOutputStream().write(bytes);
                } catch (IOException e) {
                    return; // it was closed
                }
            }
        });
        thread.setDaemon(true);
        thread.start();
        ControlTarget target = new ControlTarget(new ControlUrl(false, "127.0.0.1", noise.getLocalPort()), "token");
        for (int i = 0; i < 30; i++) {
            assertThat(failure(target, ControlCall.get("/server")).kind()).isEqualTo(FailureKind.UNREACHABLE);
            CompletableFuture<ControlFailure> end = new CompletableFuture<>();
            client.open(target, "/events", "", new ControlStream.Listener() {
                @Override
                public void opened() {
                    end.completeExceptionally(new AssertionError("this is no stream"));
                }

                @Override
                public void event(String name, String data) {
                    end.completeExceptionally(new AssertionError("this is no stream"));
                }

                @Override
                public void ended(ControlFailure why) {
                    end.complete(why);
                }
            });
            assertThat(end).succeedsWithin(Duration.ofSeconds(60));
        }
    }

    @Test
    void aTrustStoreThatIsNotThereIsReported() {
        assertThatThrownBy(() -> new ControlClient(resolver, new ControlProperties(false, "/no/such/file.pem", null)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("/no/such/file.pem");
    }
}
