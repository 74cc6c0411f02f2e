package io.sluice.server.port;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.sluice.protocol.tls.KeyStoreFile;
import io.sluice.server.config.port.PortTls;
import io.sluice.testkit.process.Commands;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client cannot make a port pay for one handshake after another on one connection. */
class RenegotiationTest {
    private static final String PASSWORD = "changeit";

    @TempDir
    Path folder;

    /** In a process of its own: Java reads the property when TLS is first used. */
    @Test
    void aClientCannotRenegotiate() {
        Path store = folder.resolve("server.p12");
        String home = System.getProperty("java.home");
        Commands.require(
                folder,
                Map.of(),
                List.of(
                        Path.of(home, "bin", "keytool").toString(),
                        "-genkeypair",
                        "-alias",
                        "a",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD,
                        "-keystore",
                        store.toString()));
        assertThat(Commands.require(
                        folder,
                        Map.of(),
                        List.of(
                                Path.of(home, "bin", "java").toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Client.class.getName(),
                                store.toUri().toString())))
                .contains("rejected");
    }

    /** Connects to a port's TLS in memory, and shakes hands twice. */
    static final class Client {
        private static final int BYTES = 32_768;

        private final SSLEngine client;
        private final SSLEngine server;
        private final ByteBuffer toServer = ByteBuffer.allocate(BYTES);
        private final ByteBuffer toClient = ByteBuffer.allocate(BYTES);
        private final ByteBuffer received = ByteBuffer.allocate(BYTES);

        private Client(SSLEngine client, SSLEngine server) {
            this.client = client;
            this.server = server;
        }

        public static void main(String[] arguments) throws IOException, GeneralSecurityException {
            PortTls tls = new PortTls(
                    new KeyStoreFile("PKCS12", arguments[0], PASSWORD),
                    Optional.empty(),
                    PortTls.ClientAuth.NONE,
                    List.of("TLSv1.2"));
            SSLEngine server = ServerTls.context(tls, "canal.tcp.tls.").newEngine(UnpooledByteBufAllocator.DEFAULT);
            SSLContext trusting = SSLContext.getInstance("TLS");
            trusting.init(null, new TrustManager[] {new Trusting()}, null);
            SSLEngine client = trusting.createSSLEngine();
            client.setUseClientMode(true);
            client.setEnabledProtocols(new String[] {"TLSv1.2"});
            Client both = new Client(client, server);
            both.shakeHands();
            try {
                both.shakeHands();
                System.out.println("accepted");
            } catch (SSLException e) {
                System.out.println("rejected: " + e.getMessage());
            }
        }

        private void shakeHands() throws SSLException {
            client.beginHandshake();
            do {
                move(client, toServer, server);
                move(server, toClient, client);
            } while (client.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING);
        }

        private void move(SSLEngine from, ByteBuffer wire, SSLEngine to) throws SSLException {
            runTasks(from);
            SSLEngineResult result;
            do {
                result = from.wrap(ByteBuffer.allocate(0), wire);
                runTasks(from);
            } while (result.getHandshakeStatus() == HandshakeStatus.NEED_WRAP);
            wire.flip();
            while (wire.hasRemaining()) {
                received.clear();
                to.unwrap(wire, received);
                runTasks(to);
                if (to.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
                    break;
                }
            }
            wire.compact();
        }

        private static void runTasks(SSLEngine engine) {
            for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
                task.run();
            }
        }
    }

    private static final class Trusting implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
