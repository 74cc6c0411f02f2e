package io.sluice.mysql.wire.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.MySqlConnection;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.protocol.tls.KeyStoreFile;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ServerRelease;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two servers of each release: one with the certificate that a MySQL makes for itself, which names no host, and one whose
 * certificate is for localhost and 127.0.0.1.
 */
@ParameterizedClass
@EnumSource(value = ServerRelease.class, mode = EnumSource.Mode.EXCLUDE, names = "MYSQL_5_7_22")
class TlsIT {
    private static final String STORE_PASSWORD = "changeit";

    @TempDir
    private static Path folder;

    private static MySqlServer server;
    private static MySqlServer named;
    private static KeyStoreFile namedCertificate;

    @Parameter
    private ServerRelease release;

    @BeforeParameterizedClassInvocation
    static void startServers(ServerRelease release) throws Exception {
        server = MySqlServer.start(release);
        server.execute(
                "create user x509 identified by 'secret' require x509",
                "create user over_tls identified by 'secret' require ssl");
        Path keys = folder.resolve("named.p12");
        if (!Files.exists(keys)) {
            makeKeys(keys);
        }
        KeyStore store = KeyStore.getInstance(keys.toFile(), STORE_PASSWORD.toCharArray());
        Path certificate = writePem(
                "named-cert.pem", "CERTIFICATE", store.getCertificate("server").getEncoded());
        Path key = writePem(
                "named-key.pem",
                "PRIVATE KEY",
                store.getKey("server", STORE_PASSWORD.toCharArray()).getEncoded());
        namedCertificate = pem(certificate);
        named = MySqlServer.start(MySqlOptions.defaults()
                .release(release)
                .with("ssl-ca", certificate.toString())
                .with("ssl-cert", certificate.toString())
                .with("ssl-key", key.toString()));
    }

    @AfterParameterizedClassInvocation
    static void stopServers() {
        for (MySqlServer started : Arrays.asList(server, named)) {
            if (started != null) {
                started.close();
            }
        }
        server = null;
        named = null;
    }

    private static void makeKeys(Path to) throws IOException, InterruptedException {
        Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        List<String> command = List.of(
                keytool.toString(),
                "-genkeypair",
                "-alias",
                "server",
                "-keyalg",
                "RSA",
                "-dname",
                "CN=somebody else",
                "-ext",
                "san=dns:localhost,ip:127.0.0.1",
                "-ext",
                "bc:critical=ca:true",
                "-storetype",
                "PKCS12",
                "-keystore",
                to.toString(),
                "-storepass",
                STORE_PASSWORD);
        Process process = new ProcessBuilder(command).inheritIO().start();
        assertThat(process.waitFor()).isZero();
    }

    private static Path writePem(String name, String label, byte[] der) throws IOException {
        String base64 = Base64.getMimeEncoder().encodeToString(der);
        return Files.writeString(
                folder.resolve(name), "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(label, base64, label));
    }

    @ParameterizedTest
    @CsvSource({"DISABLED, false", "PREFERRED, true", "REQUIRED, true"})
    void encryptsAccordingToTheMode(TlsMode mode, boolean encrypted) throws IOException {
        assertThat(cipher(server, "127.0.0.1", TlsOptions.of(mode))).isEqualTo(encrypted);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void offersTheConfiguredTlsVersions(String version) throws IOException {
        assumeThat(version.equals("TLSv1.3") && release == ServerRelease.MYSQL_8_0_15)
                .isFalse();
        TlsOptions options = new TlsOptions(TlsMode.REQUIRED, List.of(version), null, null);
        try (MySqlConnection connection = MySqlConnection.open(root(server, "127.0.0.1", options))) {
            assertThat(connection
                            .query("show session status like 'Ssl_version'")
                            .firstRow()
                            .text("value"))
                    .isEqualTo(version);
        }
    }

    @Test
    void namesTheVersionsItKnows() {
        TlsOptions options = new TlsOptions(TlsMode.REQUIRED, List.of("TLSv9"), null, null);

        assertThatThrownBy(() -> cipher(server, "127.0.0.1", options))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("TLS versions [TLSv9] are not all known; known are [TLSv1.3, TLSv1.2");
    }

    private static TlsOptions trusting(TlsMode mode, KeyStoreFile certificates) {
        return new TlsOptions(mode, TlsOptions.DEFAULT_PROTOCOLS, certificates, null);
    }

    @ParameterizedTest
    @EnumSource(names = {"VERIFY_CA", "VERIFY_IDENTITY"})
    void rejectsACertificateOfAnUnknownAuthority(TlsMode mode) {
        for (TlsOptions options : List.of(TlsOptions.of(mode), trusting(mode, namedCertificate))) {
            assertThatThrownBy(() -> cipher(server, "127.0.0.1", options))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("TLS handshake failed (TLS mode %s): PKIX path".formatted(mode));
        }
    }

    @Test
    void verifiesTheChainButNotTheHost() throws IOException {
        TlsOptions options = trusting(TlsMode.VERIFY_CA, pem(server.caCertificate()));

        assertThat(cipher(server, "127.0.0.1", options)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "localhost"})
    void verifiesTheHost(String host) throws IOException {
        TlsMode mode = TlsMode.VERIFY_IDENTITY;

        assertThat(cipher(named, host, trusting(mode, namedCertificate))).isTrue();
        assertThatThrownBy(() -> cipher(server, host, trusting(mode, pem(server.caCertificate()))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("TLS handshake failed (TLS mode VERIFY_IDENTITY): No ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"JKS", "PKCS12"})
    void readsKeyStores(String type) throws Exception {
        KeyStore store = KeyStore.getInstance(type);
        store.load(null, null);
        store.setCertificateEntry("ca", certificate(server.caCertificate()));
        Path file = folder.resolve("trust-" + type);
        try (OutputStream out = Files.newOutputStream(file)) {
            store.store(out, STORE_PASSWORD.toCharArray());
        }
        KeyStoreFile trust = new KeyStoreFile(type, file.toUri().toString(), STORE_PASSWORD);
        assertThat(cipher(server, "127.0.0.1", trusting(TlsMode.VERIFY_CA, trust)))
                .isTrue();
        KeyStoreFile wrongPassword = new KeyStoreFile(type, file.toString(), "not the password");
        assertThatThrownBy(() -> cipher(server, "127.0.0.1", trusting(TlsMode.VERIFY_CA, wrongPassword)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cannot read %s key store %s: its password is not the configured one", type, file)
                .hasMessageNotContaining("not the password");
    }

    @Test
    void showsItsOwnCertificate() throws IOException {
        // MySQL writes the key as PKCS #1.
        Path data = server.caCertificate().getParent();
        Path both = folder.resolve("client.pem");
        Files.writeString(
                both,
                Files.readString(data.resolve("client-cert.pem")) + Files.readString(data.resolve("client-key.pem")));
        ConnectOptions options = ConnectOptions.of(address(server, "127.0.0.1"), "x509", "secret");

        assertThatExceptionOfType(ServerErrorException.class)
                .isThrownBy(() -> MySqlConnection.open(options.withTls(TlsOptions.of(TlsMode.REQUIRED))))
                .satisfies(e -> assertThat(e.errno()).isEqualTo(1045));
        MySqlConnection.open(options.withTls(
                        new TlsOptions(TlsMode.REQUIRED, TlsOptions.DEFAULT_PROTOCOLS, null, pem(both))))
                .close();
    }

    @Test
    void reportsThatAnAccountNeedsTls() {
        ConnectOptions options = ConnectOptions.of(address(server, "127.0.0.1"), "over_tls", "secret");

        assertThatExceptionOfType(ServerErrorException.class).isThrownBy(() -> MySqlConnection.open(options));
    }

    @Test
    void usesNoTlsIfTheServerHasNone() throws IOException {
        assumeThat(release).isEqualTo(ServerRelease.MYSQL_8_0_31); // once is enough
        try (MySqlServer plain = MySqlServer.start(ServerRelease.MYSQL_5_7_22)) {
            assertThat(cipher(plain, "127.0.0.1", TlsOptions.of(TlsMode.PREFERRED)))
                    .isFalse();
            assertThatThrownBy(() -> cipher(plain, "127.0.0.1", TlsOptions.of(TlsMode.REQUIRED)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("server offers no TLS, but TLS mode is REQUIRED");
        }
    }

    /** Whether the session is encrypted, as both sides see it. */
    private static boolean cipher(MySqlServer at, String host, TlsOptions options) throws IOException {
        try (MySqlConnection connection = MySqlConnection.open(root(at, host, options))) {
            String cipher = connection
                    .query("show session status like 'Ssl_cipher'")
                    .firstRow()
                    .text("value");
            assertThat(cipher.isEmpty()).isNotEqualTo(connection.isEncrypted());
            return connection.isEncrypted();
        }
    }

    private static ConnectOptions root(MySqlServer at, String host, TlsOptions options) {
        return ConnectOptions.of(address(at, host), "root", "").withTls(options);
    }

    private static ServerAddress address(MySqlServer at, String host) {
        return new ServerAddress(host, at.port());
    }

    private static KeyStoreFile pem(Path file) {
        return new KeyStoreFile("PEM", file.toString(), "");
    }

    private static Certificate certificate(Path pem) throws Exception {
        try (var in = Files.newInputStream(pem)) {
            return CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
    }
}
