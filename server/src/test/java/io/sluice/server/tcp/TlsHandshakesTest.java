package io.sluice.server.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.protocol.tls.KeyStoreFile;
import io.sluice.server.config.port.PortTls;
import io.sluice.server.config.port.TcpConfig;
import io.sluice.server.config.text.Secret;
import io.sluice.server.port.RejectionLog;
import io.sluice.testkit.log.LogLines;
import io.sluice.testkit.process.Commands;
import io.sluice.testkit.time.HandTime;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** TLS with clients of any make: a socket, and packets written byte by byte. */
@Timeout(120)
class TlsHandshakesTest {
    private static final String PASSWORD = "changeit";
    private static final List<String> BOTH = List.of("TLSv1.2", "TLSv1.3");

    /** The header of a record with a handshake of 512 bytes, and the first of these: a {@code ClientHello}. */
    private static final byte[] BEGIN_OF_HELLO = {0x16, 3, 1, 2, 0, 1, 0, 1, (byte) 0xfc, 3, 3};

    @TempDir
    private static Path folder;

    @AutoClose
    private final LogLines lines = LogLines.of(RejectionLog.class);

    /** An authority, and what it has signed; {@code stranger} has signed its own. */
    @BeforeAll
    static void makeKeys() {
        keytool("-genkeypair", "-alias", "authority", "-keystore", "authority.p12", "-ext", "bc=ca:true");
        keytool("-exportcert", "-alias", "authority", "-keystore", "authority.p12", "-file", "authority.crt");
        keytool("-importcert", "-noprompt", "-alias", "a", "-keystore", "trust.p12", "-file", "authority.crt");
        signed("server", "-1d");
        signed("client", "-1d");
        signed("expired", "-100d");
        keytool("-genkeypair", "-alias", "stranger", "-keystore", "stranger.p12");
        keytool("-genkeypair", "-alias", "old", "-keystore", "old.p12", "-startdate", "-100d", "-validity", "90");
        keytool("-exportcert", "-alias", "old", "-keystore", "old.p12", "-file", "old.crt");
        keytool("-importcert", "-noprompt", "-alias", "a", "-keystore", "trust-old.p12", "-file", "old.crt");
    }

    private static void signed(String name, String begin) {
        keytool("-genkeypair", "-alias", name, "-keystore", name + ".p12");
        keytool("-certreq", "-alias", name, "-keystore", name + ".p12", "-file", name + ".csr");
        keytool(
                "-gencert",
                "-alias",
                "authority",
                "-keystore",
                "authority.p12",
                "-infile",
                name + ".csr",
                "-outfile",
                name + ".crt",
                "-startdate",
                begin,
                "-validity",
                "90");
        keytool("-importcert", "-noprompt", "-alias", "a", "-keystore", name + ".p12", "-file", "authority.crt");
        keytool("-importcert", "-noprompt", "-alias", name, "-keystore", name + ".p12", "-file", name + ".crt");
    }

    private static void keytool(String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-J-XX:TieredStopAtLevel=1",
                "-J-XX:+UseSerialGC"));
        command.addAll(List.of(arguments));
        if (arguments[0].equals("-genkeypair")) {
            command.addAll(List.of("-keyalg", "EC", "-groupname", "secp256r1", "-dname", "CN=" + arguments[2]));
        }
        command.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD));
        Commands.require(folder, Map.of(), command);
    }

    private static KeyStoreFile store(String name) {
        return new KeyStoreFile("PKCS12", folder.resolve(name + ".p12").toUri().toString(), PASSWORD);
    }

    private static TcpConfig config(String own, String trusted, PortTls.ClientAuth clientAuth, List<String> versions) {
        return config(
                Optional.of(new PortTls(store(own), Optional.of(store(trusted)), clientAuth, versions)),
                OneDestination.LIMITS);
    }

    private static TcpConfig config(Optional<PortTls> tls, TcpConfig.Limits limits) {
        return new TcpConfig("127.0.0.1", 0, "", new Secret(""), limits, tls);
    }

    private static TcpConfig config(List<String> versions) {
        return config("server", "trust", PortTls.ClientAuth.NONE, versions);
    }

    /** Connects with one version of TLS and the certificate of that name, or with none. */
    private static SSLSocket connect(OneDestination example, String version, String certificate) throws Exception {
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(load("trust"));
        return connect(example, version, certificate, trust.getTrustManagers());
    }

    private static SSLSocket connect(
            OneDestination example, String version, String certificate, TrustManager... trusted) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        if (!certificate.isEmpty()) {
            keys.init(load(certificate), PASSWORD.toCharArray());
        }
        KeyManager[] shown = certificate.isEmpty()
                ? new KeyManager[0]
                : new KeyManager[] {new Showing(certificate, (X509ExtendedKeyManager) keys.getKeyManagers()[0])};
        context.init(shown, trusted, null);
        SSLSocket socket = (SSLSocket) context.getSocketFactory()
                .createSocket(
                        InetAddress.getLoopbackAddress(), example.address().getPort());
        socket.setEnabledProtocols(new String[] {version});
        return socket;
    }

    private static KeyStore load(String name) throws IOException, GeneralSecurityException {
        try (InputStream in = Files.newInputStream(folder.resolve(name + ".p12"))) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(in, PASSWORD.toCharArray());
            return store;
        }
    }

    private static void assertServed(Socket socket) throws IOException {
        try (WireClient client = new WireClient(socket)) {
            assertThat(client.logIn("", "").getErrorCode()).isZero();
            assertThat(client.subscribe("").getErrorCode()).isZero();
            assertThat(client.get(1).getBatchId()).isEqualTo(-1);
        }
    }

    private static void assertRefused(Socket socket) throws IOException {
        try (WireClient client = new WireClient(socket)) {
            assertThatThrownBy(client::readHandshake).isInstanceOf(IOException.class);
        }
    }

    /** Waits for the one line that says why a connection was closed. */
    private String reason() {
        await().until(() -> !lines.texts().isEmpty());
        assertThat(lines.texts()).singleElement().asString().startsWith("a connection was closed: remote=/127.0.0.1:");
        return lines.texts().get(0).replaceFirst(".* why=", "");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void eachVersionIsServed(String version) throws Exception {
        try (OneDestination example = OneDestination.start(config(BOTH))) {
            SSLSocket socket = connect(example, version, "");
            socket.startHandshake();
            assertThat(socket.getSession().getProtocol()).isEqualTo(version);
            assertServed(socket);
        }
        assertThat(lines.texts()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"TLSv1.2,TLSv1.3", "TLSv1.3,TLSv1.2"})
    void aVersionThatIsNotConfiguredIsRefused(String offered, String configured) throws Exception {
        try (OneDestination example = OneDestination.start(config(List.of(configured)))) {
            assertRefused(connect(example, offered, ""));
            assertThat(reason()).contains("protocol");
            assertServed(connect(example, configured, ""));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "TLSv1.2, '', Empty client certificate chain",
        "TLSv1.3, '', Empty client certificate chain",
        "TLSv1.2, stranger, unable to find valid certification path",
        "TLSv1.3, stranger, unable to find valid certification path",
        "TLSv1.2, expired, validity check failed",
        "TLSv1.3, expired, validity check failed"
    })
    void aClientWithoutAValidCertificateIsRefused(String version, String certificate, String why) throws Exception {
        try (OneDestination example = OneDestination.start(config("server", "trust", PortTls.ClientAuth.NEED, BOTH))) {
            assertRefused(connect(example, version, certificate));
            assertThat(reason()).startsWith("TLS: ").contains(why);
            assertServed(connect(example, version, "client"));
            await().until(() -> example.server.connections() == 0);
        }
    }

    /** So one that is trusted by itself, not by its authority, is valid until it is removed. */
    @Test
    void aCertificateThatIsInTheTrustStoreItselfDoesNotExpire() throws Exception {
        try (OneDestination example =
                OneDestination.start(config("server", "trust-old", PortTls.ClientAuth.NEED, BOTH))) {
            assertServed(connect(example, "TLSv1.3", "old"));
        }
    }

    @Test
    void aClientThatVerifiesAnExpiredCertificateOfTheServerDoesNotConnect() throws Exception {
        try (LogLines all = LogLines.of("io.sluice.server.port");
                OneDestination example =
                        OneDestination.start(config("expired", "trust", PortTls.ClientAuth.NONE, BOTH))) {
            assertThat(all.warnings())
                    .singleElement()
                    .asString()
                    .startsWith("the certificate of a port has expired")
                    .contains("keys=canal.tcp.tls.* not_valid_at=2");
            try (SSLSocket socket = connect(example, "TLSv1.3", "")) {
                assertThatThrownBy(socket::startHandshake).isInstanceOf(SSLHandshakeException.class);
            }
            assertThat(reason()).contains("fatal alert: certificate_");
            assertServed(connect(example, "TLSv1.3", "", new TrustingAll()));
        }
    }

    @Test
    void aCertificateThatIsReplacedIsPresentedToNewConnections() throws Exception {
        Path own = folder.resolve("replaced.p12");
        Files.copy(folder.resolve("server.p12"), own);
        HandTime time = new HandTime();
        try (OneDestination example =
                OneDestination.start(config("replaced", "trust", PortTls.ClientAuth.NONE, BOTH), time)) {
            SSLSocket before = connect(example, "TLSv1.3", "");
            assertThat(presented(before)).isEqualTo("CN=server");

            Path other = Files.copy(folder.resolve("client.p12"), folder.resolve("replaced.new"));
            Files.move(other, own, StandardCopyOption.ATOMIC_MOVE);
            time.passSeconds(10);

            await().until(() -> {
                try (SSLSocket socket = connect(example, "TLSv1.3", "")) {
                    return presented(socket).equals("CN=client");
                }
            });
            assertServed(before);
        }
    }

    private static String presented(SSLSocket socket) throws IOException {
        socket.startHandshake();
        X509Certificate certificate = (X509Certificate) socket.getSession().getPeerCertificates()[0];
        return certificate.getSubjectX500Principal().getName();
    }

    /** What should have been encrypted may have a password or a token. */
    @Test
    void nothingIsLoggedOfWhatAClientWithoutTlsSends() throws Exception {
        String secret = "Authorization: Bearer sluice_secret";
        try (OneDestination example = OneDestination.start(config(BOTH))) {
            try (WireClient plain = WireClient.connect(example.address())) {
                plain.sendBytes(("GET / HTTP/1.1\r\n" + secret + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
                assertThat(plain.isClosedByServer()).isTrue();
            }
            assertThat(reason())
                    .isEqualTo("it sent what is no TLS, which this port needs")
                    .doesNotContain(HexFormat.of().formatHex(secret.getBytes(StandardCharsets.US_ASCII)));
            assertServed(connect(example, "TLSv1.3", ""));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void aClientWithTlsIsClosedByAPortWithoutIt(String version) throws Exception {
        try (OneDestination example = OneDestination.start(config(Optional.empty(), OneDestination.LIMITS))) {
            assertRefused(connect(example, version, ""));
            assertThat(reason()).isEqualTo("it begins with TLS, which this port does not have");
            assertServed(new Socket(
                    InetAddress.getLoopbackAddress(), example.address().getPort()));
        }
    }

    @Test
    void aHandshakeThatIsResetIsForgotten() throws Exception {
        try (OneDestination example = OneDestination.start(config(BOTH))) {
            for (int i = 0; i < 20; i++) {
                try (Socket socket = halfOfAHandshake(example)) {
                    socket.setSoLinger(true, 0);
                }
            }
            assertServed(connect(example, "TLSv1.3", ""));
            await().until(() -> example.server.connections() == 0);
        }
        assertThat(lines.texts()).isEmpty();
    }

    @Test
    void aHandshakeThatIsNotEndedIsClosedInTime() throws Exception {
        TcpConfig.Limits limits = new TcpConfig.Limits(
                10, 5, 100, 1 << 16, Duration.ofMillis(200), Duration.ofHours(1), Duration.ofMinutes(5), 100);
        PortTls tls = new PortTls(store("server"), Optional.empty(), PortTls.ClientAuth.NONE, BOTH);
        try (OneDestination example = OneDestination.start(config(Optional.of(tls), limits));
                WireClient slow = new WireClient(halfOfAHandshake(example))) {
            assertThat(slow.isClosedByServer()).isTrue();
            await().until(() -> example.server.connections() == 0);
            assertThat(reason())
                    .isEqualTo(
                            "TLS: handshake timed out after 200ms (a client of canal without TLS waits for a greeting)");
        }
    }

    private static Socket halfOfAHandshake(OneDestination example) throws IOException {
        Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), example.address().getPort());
        socket.getOutputStream().write(BEGIN_OF_HELLO);
        return socket;
    }

    /** A client that shows its certificate also if the server states that it does not trust its authority. */
    private static final class Showing extends X509ExtendedKeyManager {
        private final String alias;
        private final X509ExtendedKeyManager keys;

        Showing(String alias, X509ExtendedKeyManager keys) {
            this.alias = alias;
            this.keys = keys;
        }

        @Override
        public String chooseClientAlias(String[] types, Principal[] issuers, Socket socket) {
            return alias;
        }

        @Override
        public String[] getClientAliases(String type, Principal[] issuers) {
            return new String[] {alias};
        }

        @Override
        public X509Certificate[] getCertificateChain(String of) {
            return keys.getCertificateChain(of);
        }

        @Override
        public PrivateKey getPrivateKey(String of) {
            return keys.getPrivateKey(of);
        }

        @Override
        public String chooseServerAlias(String type, Principal[] issuers, Socket socket) {
            throw new AssertionError("it is for a client");
        }

        @Override
        public String[] getServerAliases(String type, Principal[] issuers) {
            throw new AssertionError("it is for a client");
        }
    }

    /** A client that verifies nothing. */
    private static final class TrustingAll implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {
            throw new AssertionError("it is for a client");
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {
            // whatever it is
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
