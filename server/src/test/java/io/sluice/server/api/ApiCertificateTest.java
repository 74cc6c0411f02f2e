package io.sluice.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.protocol.time.Time;
import io.sluice.protocol.tls.KeyStoreFile;
import io.sluice.server.config.port.ControlConfig;
import io.sluice.server.config.port.PortTls;
import io.sluice.server.control.LogFiles;
import io.sluice.testkit.log.LogLines;
import io.sluice.testkit.tls.Certificates;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Callers that authenticate by the certificates of their connections. */
@Timeout(60)
class ApiCertificateTest {
    private static final String PASSWORD = "changeit";

    /** The common name of the certificate that {@link Certificates} makes. */
    private static final String NAME = "broker";

    @TempDir
    private static Path folder;

    private static KeyStore keys;

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final RecordingOperations operations = new RecordingOperations();
    private ApiPort port;

    @BeforeAll
    static void makeKeys() throws Exception {
        Certificates.make(folder, "ip:127.0.0.1");
        keys = KeyStore.getInstance(folder.resolve("store.p12").toFile(), PASSWORD.toCharArray());
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry(NAME, keys.getCertificate(NAME));
        try (OutputStream out = Files.newOutputStream(folder.resolve("trust.p12"))) {
            trusted.store(out, PASSWORD.toCharArray());
        }
    }

    @BeforeEach
    void open() throws IOException {
        port = ApiPort.open(
                        new ControlConfig(
                                "127.0.0.1",
                                0,
                                folder.resolve("none"),
                                Map.of(NAME, "viewer"),
                                Optional.of(new PortTls(
                                        store("store.p12"),
                                        Optional.of(store("trust.p12")),
                                        PortTls.ClientAuth.WANT,
                                        List.of("TLSv1.3")))),
                        operations,
                        new LogFiles(folder),
                        timer,
                        Time.SYSTEM)
                .orElseThrow();
    }

    private static KeyStoreFile store(String name) {
        return new KeyStoreFile("PKCS12", folder.resolve(name).toUri().toString(), PASSWORD);
    }

    @AfterEach
    void close() {
        port.close();
        timer.shutdownNow();
    }

    @Test
    void aCertificateGivesTheRoleOfItsName() throws Exception {
        HttpClient named = client(true);

        assertThat(send(named, "GET", "/api/v1/instances", "").statusCode()).isEqualTo(200);
        HttpResponse<String> refused = send(named, "POST", "/api/v1/instances/shop/stop", "");
        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(refused.body()).contains(NAME + " has the role viewer, and this needs operator");
        assertThat(operations.calls()).isEmpty();
    }

    @Test
    void withoutACertificateNothingIsAnswered() throws Exception {
        assertThat(send(client(false), "GET", "/api/v1/instances", "").statusCode())
                .isEqualTo(401);
    }

    @Test
    void aWrongTokenIsRefusedThoughThereIsACertificate() throws Exception {
        HttpClient named = client(true);

        assertThat(send(named, "GET", "/api/v1/instances", "Bearer sluice_wrong")
                        .statusCode())
                .isEqualTo(401);
        assertThat(send(named, "GET", "/api/v1/instances", "Basic eDp5").statusCode())
                .isEqualTo(401);
    }

    @Test
    void aTokenThatIsSentWithoutTlsIsNotLogged() throws Exception {
        String token = "sluice_secret";
        try (LogLines lines = LogLines.ofAll();
                Socket plain = new Socket(
                        InetAddress.getLoopbackAddress(), port.address().getPort())) {
            plain.getOutputStream()
                    .write(("GET /api/v1/instances HTTP/1.1\r\nAuthorization: Bearer " + token + "\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            plain.getInputStream().readAllBytes();

            await().until(() -> lines.texts().stream().anyMatch(line -> line.contains("why=it sent what is no TLS")));
            assertThat(lines.texts())
                    .noneMatch(line -> line.contains(token)
                            || line.contains(HexFormat.of().formatHex(token.getBytes(StandardCharsets.US_ASCII))));
        }
    }

    private HttpResponse<String> send(HttpClient client, String method, String path, String authorization)
            throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("https://127.0.0.1:" + port.address().getPort() + path))
                .method(method, BodyPublishers.noBody());
        if (!authorization.isEmpty()) {
            request.header("Authorization", authorization);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private static HttpClient client(boolean showsCertificate) throws Exception {
        KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(keys, PASSWORD.toCharArray());
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(keys);
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(showsCertificate ? own.getKeyManagers() : null, trust.getTrustManagers(), null);
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(tls)
                .build();
    }
}
