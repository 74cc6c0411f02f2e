package io.sluice.server.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.client.ClientOptions;
import io.sluice.client.PullClient;
import io.sluice.client.ServerAddress;
import io.sluice.protocol.tls.KeyStoreFile;
import io.sluice.server.config.port.PortTls;
import io.sluice.server.config.port.TcpConfig;
import io.sluice.server.config.text.Secret;
import io.sluice.server.port.ServerTls;
import io.sluice.testkit.process.Commands;
import io.sluice.testkit.tls.Certificates;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class TcpTlsTest {
    private static final String PASSWORD = "secret of the store";

    @TempDir
    private static Path folder;

    @BeforeAll
    static void makeKeys() {
        for (String name : List.of("server", "client", "stranger")) {
            String kind = name.equals("server") ? "RSA" : "EC"; // an RSA key takes a second
            keytool("-genkeypair", "-alias", name, "-keyalg", kind, "-dname", "CN=" + name, "-keystore", name + ".p12");
            keytool("-exportcert", "-alias", name, "-file", name + ".crt", "-keystore", name + ".p12");
        }
        for (String name : List.of("server", "client")) {
            keytool(
                    "-importcert",
                    "-noprompt",
                    "-alias",
                    name,
                    "-file",
                    name + ".crt",
                    "-keystore",
                    "trust-" + name + ".p12");
        }
    }

    private static void keytool(String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
        command.addAll(List.of(arguments));
        command.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD));
        Commands.require(folder, Map.of(), command);
    }

    private static KeyStoreFile store(String name) {
        return new KeyStoreFile("PKCS12", folder.resolve(name + ".p12").toUri().toString(), PASSWORD);
    }

    private static OneDestination start(PortTls.ClientAuth clientAuth) throws IOException {
        return OneDestination.start(new TcpConfig(
                "127.0.0.1",
                0,
                "",
                new Secret(""),
                OneDestination.LIMITS,
                Optional.of(new PortTls(
                        store("server"), Optional.of(store("trust-client")), clientAuth, List.of("TLSv1.3")))));
    }

    /** Connects with the certificate of that name, or with none. */
    private static WireClient connect(OneDestination example, String certificate) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(load("trust-server"));
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        if (!certificate.isEmpty()) {
            keys.init(load(certificate), PASSWORD.toCharArray());
        }
        context.init(certificate.isEmpty() ? null : keys.getKeyManagers(), trust.getTrustManagers(), null);
        return new WireClient(context.getSocketFactory()
                .createSocket(
                        InetAddress.getLoopbackAddress(), example.address().getPort()));
    }

    private static KeyStore load(String name) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(folder.resolve(name + ".p12"))) {
            store.load(in, PASSWORD.toCharArray());
        }
        return store;
    }

    private static void assertServed(WireClient client) throws IOException {
        try (client) {
            assertThat(client.logIn("", "").getErrorCode()).isZero();
            assertThat(client.subscribe("").getErrorCode()).isZero();
            assertThat(client.get(1).getBatchId()).isEqualTo(-1);
        }
    }

    @Test
    void aClientWithTlsIsServedAndOneWithoutIsClosed() throws Exception {
        try (OneDestination example = start(PortTls.ClientAuth.NONE)) {
            assertServed(connect(example, ""));
            try (WireClient plain = WireClient.connect(example.address())) {
                plain.sendFrame(new byte[100]);
                assertThat(plain.isClosedByServer()).isTrue();
            }
            assertServed(connect(example, "client"));
        }
    }

    @Test
    void aCertificateThatIsNeededMustBeOneThatIsTrusted() throws Exception {
        try (OneDestination example = start(PortTls.ClientAuth.NEED)) {
            assertServed(connect(example, "client"));
            for (String other : List.of("", "stranger")) {
                try (WireClient refused = connect(example, other)) {
                    assertThatThrownBy(refused::readHandshake).isInstanceOf(IOException.class);
                }
            }
        }
    }

    /** A server with a certificate for these names, and a pulling client that trusts it. */
    private static void pull(Path made, String names, UnaryOperator<ClientOptions> how) throws Exception {
        Certificates.make(made, names);
        Path store = made.resolve("store.p12");
        KeyStoreFile keys = new KeyStoreFile("PKCS12", store.toUri().toString(), "changeit");
        TcpConfig config = new TcpConfig(
                "127.0.0.1",
                0,
                "",
                new Secret(""),
                OneDestination.LIMITS,
                Optional.of(new PortTls(keys, Optional.empty(), PortTls.ClientAuth.NONE, List.of("TLSv1.3"))));
        SSLContext context = SSLContext.getInstance("TLS");
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry(
                "server",
                KeyStore.getInstance(store.toFile(), "changeit".toCharArray()).getCertificate("broker"));
        trust.init(trusted);
        context.init(null, trust.getTrustManagers(), null);
        try (OneDestination example = OneDestination.start(config);
                PullClient client = PullClient.connect(how.apply(
                        ClientOptions.of("localhost", example.address().getPort(), "example")
                                .withSockets(context.getSocketFactory())))) {
            client.subscribe("");
            assertThat(client.getWithoutAck(1).isEmpty()).isTrue();
        }
    }

    @Test
    void theJavaClientChecksTheNameInTheCertificate(@TempDir Path made) throws Exception {
        pull(Files.createDirectory(made.resolve("name")), "dns:localhost", options -> options);
        pull(
                Files.createDirectory(made.resolve("address")),
                "ip:127.0.0.1",
                options -> options.at(new ServerAddress("127.0.0.1", options.port())));

        Path other = Files.createDirectory(made.resolve("other"));
        assertThatThrownBy(() -> pull(other, "dns:other.example", options -> options))
                .isInstanceOf(SSLHandshakeException.class)
                .hasMessageContaining("No subject alternative DNS name matching localhost found");
        pull(
                Files.createDirectory(made.resolve("any")),
                "dns:other.example",
                options -> options.withoutServerNameCheck().at(new ServerAddress("localhost", options.port())));
    }

    @Test
    void aStoreThatCannotBeReadIsReported() {
        PortTls tls = new PortTls(store("nobody"), Optional.empty(), PortTls.ClientAuth.NONE, List.of("TLSv1.3"));
        assertThatThrownBy(() -> ServerTls.context(tls, "canal.tcp.tls.", Instant.now()))
                .hasMessageStartingWith(
                        "TLS of a port cannot be set up (canal.tcp.tls.*): cannot read PKCS12 key store file:")
                .hasMessageContaining("nobody.p12")
                .hasMessageNotContaining(PASSWORD);
    }
}
