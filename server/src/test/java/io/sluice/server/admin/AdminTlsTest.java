package io.sluice.server.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.protocol.time.Time;
import io.sluice.protocol.tls.KeyStoreFile;
import io.sluice.protocol.wire.Scramble;
import io.sluice.server.config.port.AdminConfig;
import io.sluice.server.config.port.PortTls;
import io.sluice.server.config.text.Secret;
import io.sluice.server.control.AuditLog;
import io.sluice.server.control.LogFiles;
import io.sluice.testkit.process.Commands;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class AdminTlsTest {
    private static final String STORE_PASSWORD = "secret of the store";
    private static final String PASSWORD = "of the operator's own";

    @TempDir
    private static Path folder;

    @BeforeAll
    static void makeKey() {
        Commands.require(
                folder,
                Map.of(),
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=server",
                        "-keystore",
                        "server.p12",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        STORE_PASSWORD));
    }

    private static AdminPort open(PortTls.ClientAuth clientAuth) throws IOException {
        KeyStoreFile store =
                new KeyStoreFile("PKCS12", folder.resolve("server.p12").toUri().toString(), STORE_PASSWORD);
        return AdminPort.open(
                new AdminConfig(
                        "127.0.0.1",
                        0,
                        "",
                        new Secret(Scramble.stored(PASSWORD)),
                        Optional.of(new PortTls(store, Optional.of(store), clientAuth, List.of("TLSv1.3")))),
                new ScriptedOperations("one"),
                new LogFiles(folder),
                new AuditLog(Time.SYSTEM),
                Time.SYSTEM);
    }

    private static AdminClient connect(AdminPort port, boolean showsCertificate) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(folder.resolve("server.p12"))) {
            store.load(in, STORE_PASSWORD.toCharArray());
        }
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, STORE_PASSWORD.toCharArray());
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(showsCertificate ? keys.getKeyManagers() : null, trust.getTrustManagers(), null);
        return new AdminClient(context.getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), port.address().getPort()));
    }

    @Test
    void aClientWithTlsIsAnsweredAndOneWithoutIsClosed() throws Exception {
        try (AdminPort port = open(PortTls.ClientAuth.NONE)) {
            try (AdminClient client = connect(port, false)) {
                assertThat(client.logIn("any", PASSWORD).getCode()).isZero();
                assertThat(client.server("check").getMessage()).isEqualTo("1");
            }
            try (AdminClient plain = AdminClient.connect(port.address())) {
                plain.sendFrame(new byte[100]);
                plain.bytesUntilClosed();
            }
        }
    }

    @Test
    void aCertificateIsNeededBesidesThePassword() throws Exception {
        try (AdminPort port = open(PortTls.ClientAuth.NEED)) {
            try (AdminClient client = connect(port, false)) {
                assertThatThrownBy(client::readHandshake).isInstanceOf(IOException.class);
            }
            try (AdminClient client = connect(port, true)) {
                assertThat(client.logIn("any", "wrong").getCode()).isEqualTo(300);
            }
            try (AdminClient client = connect(port, true)) {
                assertThat(client.logIn("any", PASSWORD).getCode()).isZero();
                assertThat(client.server("check").getMessage()).isEqualTo("1");
            }
        }
    }
}
