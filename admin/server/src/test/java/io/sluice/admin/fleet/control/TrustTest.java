package io.sluice.admin.fleet.control;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.sluice.admin.address.AddressResolver;
import io.sluice.admin.address.Resolvers;
import io.sluice.admin.problem.FailureKind;
import io.sluice.testkit.process.Commands;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Control APIs with TLS: a token is sent to the host that the certificate is for, and to no other. */
class TrustTest {
    private static final char[] PASSWORD = "changeit".toCharArray();

    @TempDir
    static Path folder;

    private static KeyStore keys;

    private final AddressResolver resolver = Resolvers.create();
    private final List<HttpsServer> servers = new ArrayList<>();
    private final List<ControlClient> clients = new ArrayList<>();
    private final List<String> tokens = new CopyOnWriteArrayList<>();

    /** An authority with three certificates that it has signed, and another authority. */
    @BeforeAll
    static void makeCertificates() throws Exception {
        Path store = folder.resolve("keys.p12");
        keytool(store, "ca", "-ext", "bc:c", "-ext", "ku:c=keyCertSign");
        keytool(store, "stranger", "-ext", "bc:c", "-ext", "ku:c=keyCertSign");
        keytool(store, "good", "-signer", "ca", "-ext", "san=ip:127.0.0.1,dns:localhost");
        keytool(store, "elsewhere", "-signer", "ca", "-ext", "san=dns:other.example,ip:192.0.2.7");
        keytool(store, "expired", "-signer", "ca", "-ext", "san=ip:127.0.0.1", "-startdate", "-20d", "-validity", "10");
        keytool(store, "early", "-signer", "ca", "-ext", "san=ip:127.0.0.1", "-startdate", "+10d", "-validity", "10");
        keys = KeyStore.getInstance(store.toFile(), PASSWORD);
    }

    private static void keytool(Path store, String alias, String... more) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin/keytool").toString(),
                "-genkeypair",
                "-alias",
                alias,
                "-keyalg",
                "EC",
                "-dname",
                "CN=" + alias,
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                new String(PASSWORD)));
        command.addAll(List.of(more));
        Commands.require(folder, Map.of(), command);
    }

    @AfterEach
    void stop() {
        clients.forEach(ControlClient::close);
        servers.forEach(server -> server.stop(0));
    }

    /** A server that shows a certificate, and notes the tokens it gets. */
    private ControlUrl serve(String alias, String host) throws Exception {
        KeyStore own = KeyStore.getInstance("PKCS12");
        own.load(null, null);
        own.setKeyEntry("server", keys.getKey(alias, PASSWORD), PASSWORD, keys.getCertificateChain(alias));
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(own, PASSWORD);
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(managers.getKeyManagers(), null, null);
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(tls));
        server.createContext("/", exchange -> {
            tokens.add(exchange.getRequestHeaders().getFirst("Authorization"));
            byte[] body = "{\"version\":\"1\"}".getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        servers.add(server);
        return new ControlUrl(true, host, server.getAddress().getPort());
    }

    private ControlClient trusting(String... aliases) throws Exception {
        StringBuilder pem = new StringBuilder();
        for (String alias : aliases) {
            Certificate certificate = keys.getCertificate(alias);
            pem.append("-----BEGIN CERTIFICATE-----\n")
                    .append(Base64.getMimeEncoder().encodeToString(certificate.getEncoded()))
                    .append("\n-----END CERTIFICATE-----\n");
        }
        Path file = Files.writeString(Files.createTempFile(folder, "trusted", ".pem"), pem);
        ControlClient client = new ControlClient(resolver, new ControlProperties(false, file.toString(), null));
        clients.add(client);
        return client;
    }

    private static String version(ControlClient client, ControlUrl url) throws Exception {
        return client.call(new ControlTarget(url, "secret"), ControlCall.get("/server"))
                .get()
                .json()
                .path("version")
                .asString();
    }

    private String rejection(ControlClient client, ControlUrl url) {
        CompletableFuture<ControlAnswer> answer =
                client.call(new ControlTarget(url, "secret"), ControlCall.get("/server"));
        assertThat(answer).failsWithin(Duration.ofSeconds(60));
        assertThat(tokens).as("a token was sent").isEmpty();
        ControlFailure failure =
                (ControlFailure) answer.handle((done, why) -> why).join();
        assertThat(failure.kind()).isEqualTo(FailureKind.UNREACHABLE);
        assertThat(failure).hasMessageContaining(url.toString());
        return failure.getMessage();
    }

    @Test
    void whatTheAuthorityHasSignedIsTrustedByNameAndByAddress() throws Exception {
        ControlClient client = trusting("stranger", "ca");

        assertThat(version(client, serve("good", "127.0.0.1"))).isEqualTo("1");
        assertThat(version(client, serve("good", "localhost"))).isEqualTo("1");
        assertThat(tokens).containsExactly("Bearer secret", "Bearer secret");
    }

    @Test
    void aCertificateCanBeTrustedByItself() throws Exception {
        ControlClient client = trusting("good");

        assertThat(version(client, serve("good", "127.0.0.1"))).isEqualTo("1");
        tokens.clear();
        assertThat(rejection(client, serve("elsewhere", "127.0.0.1"))).contains("is not trusted");
    }

    @Test
    void anotherAuthorityIsRejected() throws Exception {
        ControlUrl url = serve("good", "127.0.0.1");

        assertThat(rejection(trusting("stranger"), url)).contains("is not trusted", "sluice.admin.trust-store");
        ControlClient withTheJvms = new ControlClient(resolver, new ControlProperties(false, null, null));
        clients.add(withTheJvms);
        assertThat(rejection(withTheJvms, url)).contains("is not trusted", "sluice.admin.trust-store");
    }

    @Test
    void theCertificateOfAnotherHostIsRejected() throws Exception {
        ControlClient client = trusting("ca");

        assertThat(rejection(client, serve("elsewhere", "127.0.0.1"))).contains("another host", "127.0.0.1");
        assertThat(rejection(client, serve("elsewhere", "localhost"))).contains("another host", "localhost");
    }

    @Test
    void whatIsNotValidNowIsRejected() throws Exception {
        ControlClient client = trusting("ca");

        assertThat(rejection(client, serve("expired", "127.0.0.1"))).contains("has expired", "renew");
        assertThat(rejection(client, serve("early", "127.0.0.1"))).contains("not valid yet", "clocks");
    }

    /** The stream of a server's state is checked in the same way. */
    @Test
    void noStreamIsOpenedToAnotherHost() throws Exception {
        ControlUrl url = serve("elsewhere", "127.0.0.1");
        CompletableFuture<ControlFailure> end = new CompletableFuture<>();
        trusting("ca").open(new ControlTarget(url, "secret"), "/events", "", new ControlStream.Listener() {
            @Override
            public void opened() {
                end.completeExceptionally(new AssertionError("it was opened"));
            }

            @Override
            public void event(String name, String data) {
                end.completeExceptionally(new AssertionError("it was opened"));
            }

            @Override
            public void ended(ControlFailure why) {
                end.complete(why);
            }
        });

        assertThat(end).succeedsWithin(Duration.ofSeconds(60));
        assertThat(end.join()).hasMessageContaining("another host");
        assertThat(tokens).isEmpty();
    }
}
